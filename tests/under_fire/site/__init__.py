"""A whole site under fire: each of its processes is killed, one after the other, while players play on it."""
