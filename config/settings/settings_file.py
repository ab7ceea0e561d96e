"""One file with settings, `evenmatch.toml`: what it gives goes into the environment, which wins where it speaks.

It is read once a start, by whatever is started first: what that starts finds everything in its environment, so that a
file which is being edited reaches a running site at its next start, and as a whole.
"""

import re
import stat
import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config.embedded.paths import FILE_GIVES, PROJECT, SETTINGS_FILE, StartError
from config.settings.environment import ADDRESSES, FORMS, FREE

__all__ = ["drop_from_file", "settings_names", "take_settings_file", "who_else_may_read"]

DEFAULT = "evenmatch.toml"
_SECRET = {"EVENMATCH_SECRET_KEY", "EVENMATCH_METRICS_TOKEN", "EMAIL_HOST_PASSWORD"}
_FOLDERS = {"EVENMATCH_DATA_DIR", "EVENMATCH_BACKUP_DIR"}


def settings_names() -> dict[str, str]:
    """What settings are called in the file, and the variable that each is."""
    return {name.lower().removeprefix("evenmatch_"): name for name in (*FORMS, *FREE)}


def take_settings_file(environ: MutableMapping[str, str]) -> None:
    """Put what the file says into the environment, where that says nothing of it yet.

    The file is EVENMATCH_SETTINGS (none where that is empty), else evenmatch.toml beside manage.py, if it is there.
    Raises StartError that names what is wrong in it, where, and what would be right.
    """
    if FILE_GIVES in environ:
        return
    path = _path(environ)
    given = _read(path, is_asked_for=bool(environ.get(SETTINGS_FILE))) if path else {}
    taken = {name: text for name, text in given.items() if name not in environ}
    environ.update(taken)
    environ[FILE_GIVES] = ",".join(sorted(taken))


def drop_from_file(environ: MutableMapping[str, str], names: Iterable[str]) -> None:
    """Take these back, where they came from the file."""
    taken = environ.get(FILE_GIVES, "").split(",")
    for name in names:
        if name in taken:
            del environ[name]
            taken.remove(name)
    environ[FILE_GIVES] = ",".join(taken)


def who_else_may_read(environ: Mapping[str, str]) -> list[str]:
    """A sentence where the file has secrets and others than its owner may read it."""
    path = _path(environ)
    secrets = [
        name
        for name in environ.get(FILE_GIVES, "").split(",")
        if name in _SECRET or (name in ADDRESSES and urlsplit(environ[name]).password)
    ]
    if path is None or not secrets or not path.exists():
        return []
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & 0o077:
        return []
    return [
        f"{path} holds {_short(secrets[0])}, and others than its owner may read it (mode {mode:o}). "
        f"Close it: chmod 600 {path}"
    ]


def _path(environ: Mapping[str, str]) -> Path | None:
    given = environ.get(SETTINGS_FILE)
    if given is None:
        usual = PROJECT / DEFAULT
        return usual if usual.exists() else None
    return Path(given).expanduser().absolute() if given else None


def _read(path: Path, *, is_asked_for: bool) -> dict[str, str]:
    """The variables that a file gives, each a text that was found right."""
    try:
        source = path.read_text(encoding="utf-8")
        said = tomllib.loads(source)
    except OSError as error:
        asked = f" ({SETTINGS_FILE} names it)" if is_asked_for else ""
        raise StartError(f"Cannot read the settings {path}{asked}: {error.strerror}.") from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise StartError(f"{path} is no TOML: {error}.") from error
    names, found = settings_names(), {}
    for key, value in said.items():
        where = f"{path}{_line_of(key, source)}"
        if key not in names:
            raise StartError(f"{where}: {_unknown(key, value, list(names))}")
        name = names[key]
        text = _as_text(value)
        if text is None:
            raise StartError(
                f"{where}: {key} must be a text, a number, true, false, or a list of texts."
            )
        if name in _FOLDERS and text:
            text = str(path.parent / Path(text).expanduser())
        is_right, right = FORMS.get(name, (lambda _: True, ""))
        try:
            is_wrong = is_right(text) is False
        except ValueError:
            is_wrong = True
        if is_wrong:
            shown = "" if name in _SECRET | ADDRESSES else f" is {text!r}:"
            raise StartError(f"{where}: {key}{shown} must be {right}.")
        found[name] = text
    return found


def _as_text(value: Any) -> str | None:
    """As the variable would hold it; None for what no setting is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | str):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str) and "," not in one for one in value):
        return ",".join(value)
    return None


def _unknown(key: str, value: Any, names: list[str]) -> str:
    plain = re.sub("^evenmatch_", "", key.lower().replace("-", "_"))
    if isinstance(value, dict):
        first = next(iter(value), "")
        near = get_close_matches(f"{plain}_{first}", names, n=1, cutoff=0.6)
        words = f"[{key}] begins a section, and there are none: all settings stand by themselves."
    else:
        near = [plain] if plain in names else get_close_matches(plain, names, n=1, cutoff=0.6)
        words = f"{key} is no setting."
    return (
        f"{words} Is {near[0]} meant?" if near else f"{words} deploy/evenmatch.toml has them all."
    )


def _line_of(key: str, source: str) -> str:
    for number, line in enumerate(source.splitlines(), 1):
        if re.match(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""", line):
            return f", line {number}"
    return ""


def _short(name: str) -> str:
    return name.lower().removeprefix("evenmatch_")
