"""How PostgreSQL is reached: the database itself, a copy of it that is only read, and how patient each session is."""

from typing import Any

import dj_database_url
from environs import Env

__all__ = ["read_databases"]


def read_databases(env: Env, address: str) -> dict[str, Any]:
    """Django's DATABASES: `default` at this address, and `replica` where one is named (config.web.replica)."""
    databases = {"default": _at(address, patience=10)}
    if replica := env.str("EVENMATCH_REPLICA_URL", ""):
        databases["replica"] = _at(replica, patience=2)  # it need not be waited for
    if env.bool("EVENMATCH_DATABASE_POOLER", False):
        databases["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    # In a web process every request would open a connection of its own: greenlets share none but through a pool.
    if size := env.int("EVENMATCH_DATABASE_POOL", 0):
        for database in databases.values():
            database["CONN_MAX_AGE"] = 0  # the pool keeps them, and refuses to be told otherwise
            database["OPTIONS"]["pool"] = {
                "min_size": min(2, size),
                "max_size": size,
                # seconds for which a request waits
                "timeout": env.float("EVENMATCH_DATABASE_WAIT", 10.0),
                "max_idle": 60.0,
                # After a failure it pauses for longer and longer: it gives up soon, and the next request tries anew.
                "reconnect_timeout": 2.0,
            }
    return databases


def _at(address: str, *, patience: int) -> dict[str, Any]:
    """On another machine it can go silent without a word: then a session ends within seconds, not after hours."""
    database: dict[str, Any] = {
        **dj_database_url.parse(address, conn_max_age=60, conn_health_checks=True)
    }
    usual = {
        "connect_timeout": patience,  # seconds, as the next two
        "keepalives_idle": 5,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 1500 * patience,  # milliseconds
    }
    database["OPTIONS"] = {**usual, **database.get("OPTIONS", {})}
    return database
