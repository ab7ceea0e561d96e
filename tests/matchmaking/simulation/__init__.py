"""Simulated queues."""
