"""State spaces on Spark: partitions that close over their own states, and exchange what crosses."""
