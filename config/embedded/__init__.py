"""The private PostgreSQL and Valkey of an installation that brings no servers of its own.

Importing this package starts nothing and needs no Django: settings ask it where the sockets are.
"""

from config.embedded.paths import (
    StartError,
    broker_url,
    data_dir,
    database_url,
    public_url,
    redis_database,
    redis_url,
    secret_key,
    secret_key_file,
)

__all__ = [
    "StartError",
    "broker_url",
    "data_dir",
    "database_url",
    "public_url",
    "redis_database",
    "redis_url",
    "secret_key",
    "secret_key_file",
]
