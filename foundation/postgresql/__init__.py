"""What is PostgreSQL's own: transactions and locks, leases, connections, prepared statements, and columns in bulk."""
