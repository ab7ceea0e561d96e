"""Who has too many disputes, and what is closed to them until one is decided."""
