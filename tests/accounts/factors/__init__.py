"""The second factor: setting it up, signing in with it, getting round it, owing it, losing it."""
