"""Clients that others generate from the API's description, compiled strictly and run against a live server."""
