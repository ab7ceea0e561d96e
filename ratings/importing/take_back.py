"""Taking back an import: its matches count no longer, whom only it has made is gone, and the file may come again.

The ratings become those of a history in which the file was never taken in, by one replay of each track. Nothing is
deleted: matches stay as annulled ones, players as archived ones, and the import says who took it back, when and why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain
from typing import Any

from django.db import connection, models, transaction
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.refusals import RefusedError
from ratings.matches.revising.annul_many import (
    Chosen,
    ManyAnnulled,
    OtherMatchesError,
    annul_many,
    preview_many,
)
from ratings.models import (
    ImportedFile,
    MapGames,
    Match,
    Participant,
    Player,
    PlayerMerge,
    Rating,
    RatingChange,
    SearchKey,
)
from ratings.players.own_matters import check_no_own_match

__all__ = [
    "MAY_TAKE_BACK",
    "Foreseen",
    "TakenBack",
    "TakenBackAlreadyError",
    "check_own",
    "foresee_taking_back",
    "take_back",
]

MAY_TAKE_BACK = "ratings.change_importedfile"
_NAMED = 10
# What the site works out of matches and names by itself. Whatever else refers to a player is a use of it.
_WORKED_OUT = (Participant, Rating, RatingChange, MapGames, SearchKey)
_RENAME = """
UPDATE ratings_match SET external_id = external_id || %(ending)s
WHERE id = ANY(%(matches)s) AND source_id = %(file)s AND state = 'annulled'
"""
_PLAYED_ONLY_IN = """
SELECT participant.player_id
FROM ratings_participant AS participant JOIN ratings_match AS match ON match.id = participant.match_id
WHERE participant.player_id = ANY(%(players)s)
GROUP BY participant.player_id HAVING bool_and(match.source_id IS NOT DISTINCT FROM %(file)s)
"""


class TakenBackAlreadyError(RefusedError):
    """Another operator was faster."""

    code = "taken_back_already"
    status = HTTPStatus.CONFLICT


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would follow: what annulling its matches would do, and how many players would be gone, with some names."""

    annulled: ManyAnnulled
    players: int
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was done: matches annulled, players archived, and the replays that will show it."""

    matches: int
    players: int
    replays: Sequence[int]


def foresee_taking_back(file: ImportedFile) -> Foreseen:
    """Say what taking back an import would do as things are now. Reads only."""
    gone = _only_of(file)
    names = Player.objects.filter(pk__in=gone).order_by("name", "pk").values_list("name", flat=True)
    return Foreseen(preview_many(Chosen(source=file)), len(gone), list(names[:_NAMED]))


@transaction.atomic
def take_back(*, file_id: int, by: User | None, note: str, seen: int | None = None) -> TakenBack:
    """Take back an import. `seen`: how many of its matches, of those that count, were shown to whoever decides.

    Raises TakenBackAlreadyError, OtherMatchesError where others count now, OwnMatterError, and
    ImportedFile.DoesNotExist. Waits for the lock of its ladder. Matches that had been annulled before stay as they
    are, but for those that a merge has annulled: they go with the others.
    """
    hold_firmly(Lock.LADDER, ImportedFile.objects.values_list("ladder", flat=True).get(pk=file_id))
    files = ImportedFile.objects.select_for_update(no_key=True, of=("self",))
    file = files.select_related("ladder").get(pk=file_id)
    if file.taken_back_at is not None:
        raise TakenBackAlreadyError(_("This import was taken back before. Nothing was changed."))
    check_own(file, by=by)
    chosen, count, replays = Chosen(source=file), 0, list[int]()
    ids = list(chosen.matches.values_list("pk", flat=True))
    if ids:
        count, replays = annul_many(chosen, by=by, note=note, seen=seen)
    elif seen:
        raise OtherMatchesError(_("None of its matches counts any more. Look again."), matches=0)
    # So that the same file makes them anew, also in this ladder. What a merge has annulled would count again with its
    # end, and no longer does.
    merges = PlayerMerge.objects.filter(undone_at=None, into__game=file.ladder.game_id)
    ids += chain.from_iterable(merges.values_list("annulled", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(_RENAME, {"matches": ids, "file": file.pk, "ending": f"-back-{file.pk}"})
    gone = _only_of(file)
    Player.objects.filter(pk__in=gone).update(archived_at=clock.now())
    file.taken_back_at, file.taken_back_by, file.taken_back_note = clock.now(), by, note
    file.save(update_fields=["taken_back_at", "taken_back_by", "taken_back_note"])
    audit.record(
        actor=by,
        action="importedfile.taken_back",
        target=file,
        after={"name": file.name, "matches": count, "players": len(gone), "replays": replays},
        note=note,
    )
    return TakenBack(count, len(gone), replays)


def check_own(file: ImportedFile, *, by: User | None) -> None:
    """Raise OwnMatterError where the operator's own player takes part in a match of the import, counting or not, and
    another may take it back.
    """
    check_no_own_match(by, Match.objects.filter(source=file), right=MAY_TAKE_BACK)


def _only_of(file: ImportedFile) -> list[int]:
    """Players that this import made, and that nothing but its matches refers to: nobody else has used them.

    Asked one by one: in a single statement PostgreSQL, which has not counted new rows yet, may choose a plan that takes
    minutes.
    """
    made = Player.objects.filter(
        game=file.ladder.game_id,
        created_at=file.imported_at,  # of one transaction both have the same time, to the microsecond
        user__isnull=True,
        archived_at__isnull=True,
        name_locked=False,
    )
    with connection.cursor() as cursor:
        given = list(made.values_list("pk", flat=True))
        cursor.execute(_PLAYED_ONLY_IN, {"players": given, "file": file.pk})
        found = {player for (player,) in cursor.fetchall()}
        for model, column in _users_of_players():
            table = connection.ops.quote_name(model._meta.db_table)
            name = connection.ops.quote_name(column)
            used = f"SELECT {name} FROM {table} WHERE {name} = ANY(%(players)s)"  # noqa: S608 - of our models
            cursor.execute(used, {"players": list(found)})
            found -= {player for (player,) in cursor.fetchall()}
    return sorted(found)


def _users_of_players() -> list[tuple[type[models.Model], str]]:
    """Models of all apps that refer to players, by which column of their table, but for what follows from matches."""
    found: list[tuple[type[models.Model], str]] = []
    for relation in Player._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ManyToOneRel):
            continue
        model: Any = relation.related_model
        follows_ratings = any(column.related_model is Rating for column in model._meta.fields)
        if model not in _WORKED_OUT and not follows_ratings:
            found.append((model, relation.field.column))
    return found
