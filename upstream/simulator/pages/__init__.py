"""Their pages: HTML of several decades, written from descriptions of the real ones."""
