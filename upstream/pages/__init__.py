"""Their HTML pages, from bytes to records: pure functions that touch no network and no clock."""
