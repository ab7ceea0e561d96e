"""Upkeep of a site: what is kept for how long, and putting right what faults have left behind."""
