"""Schemathesis: what the API's description allows, and what it does not, sent to a live site by three callers."""
