"""The commands, one a file; `homing.cli` collects them."""
