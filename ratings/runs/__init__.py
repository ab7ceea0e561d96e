"""A rating run, step by step: position, loading, computing, writing."""
