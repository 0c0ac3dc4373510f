"""The thesis's comparisons, done again: path lengths, table sizes, lookups, and loop-free alternates."""
