"""Folders that Homing manages, and files in them whose content is checked (docs/decisions/0903-checked-files.md)."""
