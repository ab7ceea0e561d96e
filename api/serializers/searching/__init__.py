"""What the API tells of searching: queues, tickets, parties, partners, rounds, alerts."""
