"""Servers under fire: a whole site is played on while its Valkey and its PostgreSQL are killed, emptied and stopped."""
