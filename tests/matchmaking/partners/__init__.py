"""Partners that a game supplies when nobody comes."""
