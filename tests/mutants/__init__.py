"""Careless changes of the product that the tests must notice: `make mutants`."""
