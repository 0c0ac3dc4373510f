"""Damaged files for every reader: each is read or refused with one printable sentence (`python -m tests.fuzz`)."""
