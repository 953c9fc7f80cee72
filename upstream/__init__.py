"""The client library of the closed system in front of us. README.md says what lives where."""
