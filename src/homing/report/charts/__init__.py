"""Traces as message sequence charts: who sent what to whom, and when it arrived."""
