"""Charts of ratings over time."""
