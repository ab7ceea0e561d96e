"""Searching for a match: queues, tickets, parties and rounds."""
