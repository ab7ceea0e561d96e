"""What operators do, walked in a real browser: by who may, by roles that may not, and by the player who is told."""
