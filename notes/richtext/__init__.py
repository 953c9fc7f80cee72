"""Rich text: which documents are let in, and how they are shown.

A document is a tree of ProseMirror nodes with TipTap's names. `reading.py` lets one in,
`schema.py` says what there is, `render.py` and `plain.py` show it. None of them knows the
database or a request.
"""
