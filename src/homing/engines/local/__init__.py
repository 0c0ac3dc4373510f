"""The local engine: exact, breadth-first, compiled, on all cores of one machine."""
