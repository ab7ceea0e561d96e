"""The web application as gunicorn runs it, with a guard: a stream that touches the database fails, and is noted."""

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from config.wsgi import application as unguarded

here = threading.local()  # of one greenlet, as gunicorn has made threads so


class TouchedError(AssertionError):
    """A stream used the database."""


class Guarded(Iterator[bytes]):
    """The chunks of an answer, each made under the guard."""

    def __init__(self, answer: Iterable[bytes]) -> None:
        self.answer = answer
        self.chunks = iter(answer)

    def __next__(self) -> bytes:
        here.streams = True
        try:
            return next(self.chunks)
        finally:
            here.streams = False

    def close(self) -> None:
        """Pass it on."""
        if hasattr(self.answer, "close"):
            self.answer.close()


def guard(name: str) -> None:
    """Let a method of database connections fail in a stream."""
    method = getattr(BaseDatabaseWrapper, name)

    def guarded(self: BaseDatabaseWrapper, *arguments: Any, **named: Any) -> Any:
        if getattr(here, "streams", False):
            with Path(os.environ["TOUCHED"]).open("a", encoding="utf-8") as notes:
                notes.write(f"{name}\n")
            raise TouchedError(name)
        return method(self, *arguments, **named)

    setattr(BaseDatabaseWrapper, name, guarded)


for method_name in ("ensure_connection", "connect", "cursor"):
    guard(method_name)


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer as the site does; `/touch` is a stream that does what none may."""
    if environ["PATH_INFO"] == "/touch":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return Guarded(touching())
    return Guarded(unguarded(environ, start_response))


def touching() -> Iterator[bytes]:
    """A stream that reads the database."""
    from django.db import connection

    connection.cursor()
    yield b"read"
