"""The REST API: what games and their players call. Version 1 lives under /api/v1/; how it is built says README.md."""
