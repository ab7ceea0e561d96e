"""One address, as each library spells it."""

from urllib.parse import parse_qs, urlsplit


def broker_url(redis_url: str) -> str:
    """A redis-py address as Celery spells it: unix://…?db= is redis+socket://…?virtual_host=."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = redis_database(redis_url)
    secret = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"redis+socket://{secret}{parts.path}?virtual_host={database}"


def redis_database(redis_url: str) -> int:
    """The number of the database in a redis-py address: ?db= wins over the path, as there; 0 where none is given."""
    parts = urlsplit(redis_url)
    path = parts.path.strip("/") if parts.scheme != "unix" else ""
    given = parse_qs(parts.query).get("db", [path])[0]
    return int(given) if given.isdecimal() else 0
