"""The matches of an account, over all its games: its own are there in normal mode too, where no rating is told."""

from collections.abc import Mapping, Sequence

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BigIntegerField, Exists, Func, OuterRef, Q, QuerySet

from leaderboards.matches.lists import PlayerLine, player_lines
from leaderboards.own.standings import MOST
from ratings.ledger.forecasts import Forecaster
from ratings.matches.summary import with_people
from ratings.models import Ladder, Match, Participant, Player

__all__ = ["newest_matches", "own_lines"]


def own_lines(
    player_ids: Sequence[int],
    count: int,
    before: int | None = None,
    known: Mapping[int, Forecaster] | None = None,
) -> list[PlayerLine]:
    """The matches of these players, newest first, of those whose id is below `before`: at most `count`.

    `known`: see `player_lines`.
    """
    ids = list(player_ids)[:MOST]
    if not ids:
        return []
    matches = with_people(newest_matches(ids, count, before))
    return player_lines(list(matches), ids, known)


def newest_matches(ids: Sequence[int], count: int, before: int | None = None) -> QuerySet[Match]:
    """Matches that one of these players played, newest first: `count` at most, with ids below `before`.

    The newest of each player are read by an index, however many there are.
    """
    # Most sites have archived nothing, which is asked once; else each match is, as the index gives it.
    archived = Ladder.objects.exclude(pk__in=Ladder.objects.in_use())
    is_shown = Match.objects.in_use().filter(pk=OuterRef("match_id"))
    shown = ~Q(Exists(archived)) | Q(Exists(is_shown))
    participants = Participant.objects.filter(shown, player=OuterRef("pk"))
    if before is not None:
        participants = participants.filter(match__lt=before)
    newest = ArraySubquery(participants.order_by("-match_id").values("match_id")[:count])
    found = Player.objects.filter(pk__in=ids).order_by()
    latest = found.values(match=Func(newest, function="unnest", output_field=BigIntegerField()))
    return Match.objects.filter(pk__in=latest).order_by("-pk")[:count]
