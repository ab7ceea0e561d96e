"""A sweep, step by step: take the lease, read, pair (see `matchmaking.pairing`), write."""
