"""The timed automata of this folder, as they are drawn; the others are written by hand."""
