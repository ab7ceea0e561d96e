"""The ways to pair that a queue may choose."""
