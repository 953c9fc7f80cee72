"""How fast the service is and how much memory it takes. README.md says how to read it."""
