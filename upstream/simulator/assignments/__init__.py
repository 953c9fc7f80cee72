"""Assignments: `data.py` what there is, `answers.py` lists and views, `parts.py` the rest."""
