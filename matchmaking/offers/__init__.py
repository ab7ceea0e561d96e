"""Offers: a match that was found, until all have accepted it or it is over."""
