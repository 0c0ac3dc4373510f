"""Packet by packet: what a protocol makes of failures, as seconds and lost packets."""
