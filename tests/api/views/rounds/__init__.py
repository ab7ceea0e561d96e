"""When to play, and rounds at set times, over the API."""
