"""The symbolic engine: sets of states and relations as decision diagrams."""
