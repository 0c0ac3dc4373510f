"""Searches through symbolic states in partitions: systems with clocks beyond one machine."""
