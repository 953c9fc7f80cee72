"""The scenarios: each is a function that yields figures and checks every answer."""
