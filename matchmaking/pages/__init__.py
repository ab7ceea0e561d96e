"""The pages on which people search, play and report."""
