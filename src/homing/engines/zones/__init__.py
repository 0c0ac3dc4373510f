"""The search for systems with clocks: discrete states by number, each with zones."""
