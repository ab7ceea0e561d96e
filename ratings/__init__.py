"""Ratings: what is rated, and how. Matches go in, ratings and their ledger come out."""
