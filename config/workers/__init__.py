"""The workers: which processes there are, which tasks wait where, and how they come back to what was away."""
