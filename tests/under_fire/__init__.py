"""Play under fire: sweepers, rating workers and players that are killed and stopped, and what is left of it."""
