"""Challenges, links, appointments and rematches."""
