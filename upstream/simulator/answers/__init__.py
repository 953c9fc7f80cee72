"""What they answer, a module a noun. Each function takes the request and the state."""
