"""Matches rated from what their server tells: its events received, put in order, and what came of them."""
