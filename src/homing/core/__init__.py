"""The interface in the middle: transition systems, properties, verdicts, witnesses, errors."""
