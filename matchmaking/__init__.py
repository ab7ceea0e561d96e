"""Matchmaking: queues, tickets and offers."""
