"""`homing reproduce`: the results of five papers, checked again (docs/reproduce.md).

`papers.toml` says what each paper reports and where, and how to find out; `measures/` finds out; `judging` compares.
"""
