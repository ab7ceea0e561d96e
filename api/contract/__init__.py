"""What holds for every endpoint: bodies, fields, pages, problems, limits, idempotency."""
