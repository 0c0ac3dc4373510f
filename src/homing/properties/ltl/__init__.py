"""Linear-time logic: from a formula to a small automaton, and its product with the state graph."""
