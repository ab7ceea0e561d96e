"""Sign-ins that are fresh, and those that failed."""
