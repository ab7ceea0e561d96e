"""A sweep, step by step: claim, read, pair (see `matchmaking.pairing`), write."""
