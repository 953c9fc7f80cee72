"""Upstream calls, one module per noun. Each takes the client first and the rest by keyword."""
