"""Rich text: validate a document and show it as HTML or plain text, without database or request.

A document is a tree of ProseMirror nodes, under the names that TipTap gives them.
"""
