"""Real time: systems with clocks, and zones, the sets of clock values that a search works on."""
