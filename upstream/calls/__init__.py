"""Upstream calls, one module a noun. Each takes the client first, the rest by keyword."""
