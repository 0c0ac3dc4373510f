"""The timed automata of models/pcrt as short descriptions; `python -m models.pcrt._source` writes the files."""
