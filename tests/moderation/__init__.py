"""The desk, and what players ask of it."""
