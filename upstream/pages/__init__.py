"""Parsers of upstream's HTML pages, from bytes to records: pure functions, no network, no clock."""
