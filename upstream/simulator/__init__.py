"""The simulated school system. README.md lists its people, settings and faults."""
