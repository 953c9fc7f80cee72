"""Subject rooms: `data.py` what there is, `answers.py` the JSON."""
