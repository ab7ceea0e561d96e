"""Persons who were deleted stay deleted when a backup of before is restored.

Beside the backups lies a list of them: numbers, and when their rows were made and deleted; no names. It is made of the
audit log, which is the longer one while the site lives; after a restore the list is.
"""

import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.db import DatabaseError
from django.db.models import Max, Model

from accounts.deletion import DELETED_ACCOUNT, DELETED_PLAYER
from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account, delete_player
from ratings.models import Player

__all__ = ["Deletion", "delete_again", "keep_deletions", "known_deletions", "note_deletions"]

LIST = "deleted-persons.json"
_ACTIONS = {DELETED_ACCOUNT: "account", DELETED_PLAYER: "player"}
_LATER = 10_000  # entries: so many later ones may be committed before an earlier one
# Up to where this process has looked through the audit log, and whether there was a list then, by folder: the log may
# be long, and is looked at every minute.
_seen: dict[Path, tuple[int, bool]] = {}
_NOTE = "deleted before, and again after a restore"


@dataclass(frozen=True, slots=True, order=True)
class Deletion:
    """An account or a player that was deleted.

    made  when its row was made: a number is given out again where a site goes on from an older backup
    """

    kind: str
    id: int
    made: str


def note_deletions(folder: Path) -> None:
    """Bring the list in this folder up to the audit log. It never gets shorter."""
    newest = AuditEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    # From the beginning where the list was lost, or the log is another one, as after a restore.
    seen, had_list = _seen.get(folder, (0, False))
    is_follower = (folder / LIST).exists() == had_list and newest >= seen
    told, known = _told_by_list(folder), _told_by_log(seen - _LATER if is_follower else 0)
    if not folder.is_dir():
        return
    if not known <= told:
        _write(folder, told | known)
    _seen[folder] = newest, (folder / LIST).exists()


def keep_deletions(folder: Path, deletions: set[Deletion]) -> None:
    """Have the list in this folder tell of these, too."""
    told = _told_by_list(folder)
    if not deletions <= told:
        _write(folder, told | deletions)


def _write(folder: Path, deletions: set[Deletion]) -> None:
    rows = [asdict(one) for one in sorted(deletions)]
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{LIST}.")  # for its owner alone
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=0)
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(folder / LIST)


def known_deletions(folders: Iterable[Path]) -> set[Deletion]:
    """All that the lists in these folders and the present database know of. Ask before the database is replaced."""
    found: set[Deletion] = set()
    with suppress(DatabaseError):  # there are no tables yet, or those of another release
        found |= _told_by_log()
    return found.union(*map(_told_by_list, folders))


def delete_again(deletions: Iterable[Deletion]) -> int:
    """Delete those of them who are there; returns how many. Accounts first, with their players.

    Whoever is deleted already is known by the audit log: anybody may be called as the deleted are.
    """
    given, number = set(deletions), 0
    for one in sorted(given - _told_by_log()):
        if one.kind == "account":
            user = User.objects.filter(pk=one.id, date_joined=one.made).first()
            if user is not None:
                delete_account(user, by=None, note=_NOTE, even_last=True)
                number += 1
    for one in sorted(given - _told_by_log()):
        if one.kind == "player":
            player = Player.objects.filter(pk=one.id, created_at=one.made).first()
            if player is not None:
                delete_player(player, by=None, note=_NOTE)
                number += 1
    return number


def _told_by_log(since: int = 0) -> set[Deletion]:
    accounts: set[int] = set()
    players: set[int] = set()
    entries = AuditEntry.objects.filter(pk__gt=since, action__in=_ACTIONS)
    for action, target, after in entries.values_list("action", "target_id", "after"):
        (players if _ACTIONS[action] == "player" else accounts).add(int(target))
        players.update((after or {}).get("players", ()))
    return _with_their_time("account", User, "date_joined", accounts) | _with_their_time(
        "player", Player, "created_at", players
    )


def _with_their_time(kind: str, model: type[Model], made: str, ids: set[int]) -> set[Deletion]:
    rows = model._default_manager.filter(pk__in=ids).values_list("pk", made)
    return {Deletion(kind, pk, at.isoformat()) for pk, at in rows}


def _told_by_list(folder: Path) -> set[Deletion]:
    try:
        rows = json.loads((folder / LIST).read_text(encoding="utf-8"))
        found = {Deletion(str(row["kind"]), int(row["id"]), str(row["made"])) for row in rows}
        for one in found:
            datetime.fromisoformat(one.made)
    except (FileNotFoundError, NotADirectoryError):
        return set()
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{folder / LIST} cannot be read: {error}") from error
    return found
