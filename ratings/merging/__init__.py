"""Two players who are one person: one counts for the other, until an operator takes it back."""
