"""What can go wrong: the script, replaced and malformed responses, bad connections, holds."""
