"""Commands to be typed as they are printed, and whether a data folder's site has its database elsewhere."""

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from config.embedded import paths

__all__ = [
    "has_given_database",
    "manage_command",
    "note_database",
    "note_moved",
    "refuse_what_moved",
]


def note_database(data: Path, environ: Mapping[str, str]) -> None:
    """Note whether the site of the data folder was given a database, for commands that are not told."""
    note = _note(data)
    if environ.get("DATABASE_URL"):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("The site was started with DATABASE_URL.\n", encoding="utf-8")
    else:
        note.unlink(missing_ok=True)


def has_given_database(data: Path) -> bool:
    """Whether the site was last started with DATABASE_URL: then a server of our own would be a stray one."""
    return _note(data).exists()


def note_moved(data: Path, address: str) -> None:
    """Note that the database of the data folder lives at this address now; nowhere else where it is empty."""
    if address:
        _moved(data).write_text(f"{address}\n", encoding="utf-8")
    else:
        _moved(data).unlink(missing_ok=True)


def refuse_what_moved(data: Path) -> None:
    """Raise a StartError where the data folder keeps only what was left when the site moved."""
    try:
        address = _moved(data).read_text(encoding="utf-8").strip()
    except OSError:
        return
    raise paths.StartError(
        f"The site of the data folder {data} was moved to {address}; what is left here is a copy of before. "
        f"Say where it is (DATABASE_URL, or database_url in evenmatch.toml), move it back "
        f"(manage.py move --embedded), or delete {_moved(data)} to go on with the old copy."
    )


def _moved(data: Path) -> Path:
    return data.absolute() / "moved-to"


def _note(data: Path) -> Path:
    return paths.run_dir(data) / "database-was-given"


def manage_command(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """A command of `manage.py` for the installation that this environment leads to. Passwords are left out."""
    here = Path.cwd() == paths.PROJECT
    python, manage = (
        os.fspath(path if here else paths.PROJECT / path)
        for path in (Path(".venv/bin/python"), Path("manage.py"))
    )
    from_file = set(environ.get(paths.FILE_GIVES, "").split(","))
    given = []
    if file := environ.get(paths.SETTINGS_FILE):
        given.append(f"{paths.SETTINGS_FILE}={shlex.quote(file)}")
    has_folder = environ.get("EVENMATCH_DATA_DIR") and "EVENMATCH_DATA_DIR" not in from_file
    if has_folder and paths.data_dir(environ) != paths.PROJECT / "var":
        given.append(f"EVENMATCH_DATA_DIR={shlex.quote(str(paths.data_dir(environ)))}")
    for name in ("DATABASE_URL", "REDIS_URL"):
        if (address := environ.get(name)) and name not in from_file:
            if secret := urlsplit(address).password:  # what is printed ends in logs
                address = address.replace(f":{secret}@", ":…@")
            given.append(f"{name}={shlex.quote(address)}")
    return " ".join([*given, shlex.quote(python), shlex.quote(manage), *map(shlex.quote, words)])
