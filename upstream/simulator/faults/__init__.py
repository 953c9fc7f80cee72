"""What can go wrong on their side: the script, the wrong answers, the bad lines, the gates."""
