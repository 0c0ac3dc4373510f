MEASURES: dict[str, object] = {}
