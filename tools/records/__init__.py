"""Renews the recorded answers of independent tools: `python -m tools.records NOTATION [TOOL]`."""
