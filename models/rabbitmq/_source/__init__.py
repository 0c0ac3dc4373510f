"""The timed automata of models/rabbitmq as short descriptions; `python -m models.rabbitmq._source` writes the files."""
