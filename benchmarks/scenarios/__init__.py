"""What is measured, one scenario a function: it yields figures and checks every answer."""
