"""What workers of the tests do, besides the site's own tasks: they wait for PostgreSQL, and note how that ended."""

import os
import time
from pathlib import Path

import psycopg
from django.db import OperationalError, connection, transaction

from config.celery import app

__all__ = ["app"]


@app.task(name="tests.wait")
def wait(kind: str, name: str) -> None:
    """Wait in one of the ways below."""
    note(f"{name} begins")
    try:
        WAYS[kind](name)
    except (
        OperationalError,
        psycopg.OperationalError,
    ):  # of rows that are handed over Django knows nothing
        note(f"{name} away")
    else:
        note(f"{name} done")


def sleep(_: str) -> None:
    """One long statement."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(4)")


def now(_: str) -> None:
    """One short statement."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask(name: str) -> None:
    """Rest between two statements."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        rest(name)
        cursor.execute("SELECT 1")


def commit(name: str) -> None:
    """Rest before the end of a transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        rest(name)


def copy(name: str) -> None:
    """Rest between two rows that are handed over; another is at work all the time, as PostgreSQL sees it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE handed_over (number int) ON COMMIT DROP")
        with cursor.copy("COPY handed_over FROM STDIN") as rows:
            rows.write("1\n")
            rest(name)
            rows.write("2\n")


WAYS = {"sleep": sleep, "now": now, "ask": ask, "commit": commit, "copy": copy}


def rest(name: str) -> None:
    """Say so, until told to go on."""
    note(f"{name} rests")
    while not Path(os.environ["NOTES"], f"{name} goes on").exists():
        time.sleep(0.02)


def note(what: str) -> None:
    """Leave a file of this name."""
    Path(os.environ["NOTES"], what).touch()
