"""Partners that a game supplies when nobody comes: asked for by an event, accepted by the API."""
