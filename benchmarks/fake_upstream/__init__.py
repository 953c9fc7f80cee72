"""A stand-in for upstream that is too fast to be the bottleneck."""
