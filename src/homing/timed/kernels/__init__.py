"""Compiled loops on zones."""
