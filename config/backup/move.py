"""Moving a site from one PostgreSQL to another: all of it, compared by hashes, or nothing.

What is moved is written as a backup is, and restored as one: in one transaction, at whose end each table is counted and
hashed. Where it comes from is only read. A move that was cut short has changed nothing, and is simply begun again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import dj_database_url
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections

from config.backup.manifest import BadBackupError, Manifest
from config.backup.restore import others_at_work, read_manifest, restore, what_is_there
from config.backup.work_folder import work_folder
from config.backup.write import write
from config.embedded.binaries import OLDEST_POSTGRES

__all__ = ["move", "plain_address"]


def move(into: str, *, replace: bool) -> Manifest:
    """Move everything from the database of the settings into the one at this address.

    Raises BadBackupError; then nothing has been changed, here or there.
    """
    if _place() == _place_of(into):
        raise BadBackupError(f"{plain_address(into)} is the database that the site has now.")
    _refuse_others("here")
    with at_database(into):
        _refuse_unfit(into)
        _refuse_others(f"in {plain_address(into)}")
        there = what_is_there()
        if there and not replace:
            kept = ", ".join(f"{number:,} in {name}" for name, number in there.items())
            raise BadBackupError(
                f"{plain_address(into)} is not empty: {kept}. All of it would be gone. "
                "If that is meant, say --replace."
            )
    with work_folder() as folder:
        file = folder / "site.zip"
        write(file)
        with at_database(into):
            manifest = read_manifest(file)
            restore(file, manifest)
    return manifest


def plain_address(url: str) -> str:
    """An address without its password, as it may be printed."""
    secret = urlsplit(url).password
    return url.replace(f":{secret}@", ":…@") if secret else url


@contextmanager
def at_database(url: str) -> Iterator[None]:
    """Let all that speaks to the database speak to this one."""
    usual = connections[DEFAULT_DB_ALIAS]
    usual.close()
    other = connections.create_connection(DEFAULT_DB_ALIAS)
    parts = dj_database_url.parse(url)
    options = {"connect_timeout": 10, **parts.get("OPTIONS", {})}
    other.settings_dict = {**usual.settings_dict, **parts, "OPTIONS": options}
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = usual


def _refuse_unfit(url: str) -> None:
    """Say what would be needed where the site could not live there."""
    name = plain_address(url)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
                " has_schema_privilege('public', 'CREATE'), current_user, current_database()"
            )
            major, encoding, may_create, user, database = cursor.fetchone()
    except Error as error:
        raise BadBackupError(f"{name} does not answer: {' '.join(str(error).split())}") from error
    if major < OLDEST_POSTGRES:
        raise BadBackupError(
            f"{name} is PostgreSQL {major}: Evenmatch needs {OLDEST_POSTGRES} or newer."
        )
    if encoding != "UTF8":
        raise BadBackupError(
            f"{name} is in {encoding}. Make one in UTF8: createdb --encoding UTF8 --template template0 {database}"
        )
    if not may_create:
        raise BadBackupError(
            f"{user} may not make tables in {name}. Let it own the database: "
            f"ALTER DATABASE {database} OWNER TO {user}"
        )


def _refuse_others(where: str) -> None:
    if others := others_at_work():
        sessions = "1 other session" if others == 1 else f"{others} other sessions"
        raise BadBackupError(
            f"The database {where} is in use by {sessions}. Stop the site and its workers first."
        )


def _place() -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_WHERE)
        return tuple(cursor.fetchone())


def _place_of(url: str) -> tuple[object, ...]:
    with at_database(url):
        try:
            return _place()
        except Error as error:
            raise BadBackupError(
                f"{plain_address(url)} does not answer: {' '.join(str(error).split())}"
            ) from error


_WHERE = "SELECT pg_postmaster_start_time(), current_database()"  # which anybody may ask
