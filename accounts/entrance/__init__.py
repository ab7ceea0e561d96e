"""The ways in: signing up and in, confirming addresses, setting a lost password anew."""
