"""The private PostgreSQL and Valkey of an installation that brings no servers of its own.

Importing this package starts nothing and needs no Django: settings ask it where the sockets are.
"""
