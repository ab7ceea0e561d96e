"""Servers that send of their own accord: who sends is found out, and what comes becomes numbered events."""
