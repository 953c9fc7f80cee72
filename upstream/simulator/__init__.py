"""A stand-in for their side of the wire. README.md says who lives there and what can go wrong."""
