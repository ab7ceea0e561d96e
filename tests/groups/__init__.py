"""Groups: made and joined, suggested and drawn."""
