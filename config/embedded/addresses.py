"""One address, as each library spells it."""

from urllib.parse import parse_qs, urlsplit


def broker_url(redis_url: str) -> str:
    """A redis-py address as Celery spells it: unix://…?db= is redis+socket://…?virtual_host=."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    secret = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"redis+socket://{secret}{parts.path}?virtual_host={database}"
