"""Whether a trace that somebody wrote down is one of a model: reads it, and follows it through the system."""
