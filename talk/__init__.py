"""Text chat in rooms, parties and matches."""
