"""Annulling many matches at once: of a player, a map, an import, a span of time; all or nothing, by one replay.

What comes of it is what annulling each by itself would: the ratings as if none of them had ever been played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.announcement import Announcement
from events.kinds import Kind
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.refusals import RefusedError
from ratings.matches.revising.annulled import Annulled, follow
from ratings.models import (
    ImportedFile,
    Ladder,
    Match,
    MatchState,
    Mode,
    Participant,
    Player,
    RatingChange,
    TrackState,
)
from ratings.players.map_games import uncount_maps
from ratings.players.own_matters import check_no_own_match
from ratings.runs.replay import request_replays

__all__ = ["Chosen", "ManyAnnulled", "OtherMatchesError", "annul_many", "preview_many"]

_MOST_MOVED, _MOST_NAMED = 20, 1000
# Gives who took part.
_ANNUL = """
WITH annulled AS (
    UPDATE ratings_match SET state = 'annulled' WHERE id = ANY(%(matches)s) RETURNING id
)
SELECT DISTINCT participant.player_id
FROM ratings_participant AS participant JOIN annulled ON annulled.id = participant.match_id ORDER BY 1
"""


class OtherMatchesError(RefusedError):
    """The matches that would be annulled are not those that were shown. `extra` says how many there are now."""

    code = "match_not_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which confirmed matches: those for which all holds that is given. Of a player, an import or a key, at least.

    key  the number of the server key whose server gave their results

    since, until  when they were played, `until` not included
    """

    player: Player | None = None
    source: ImportedFile | None = None
    key: int | None = None
    ladder: Ladder | None = None
    map: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        if self.player is None and self.source is None and self.key is None:
            raise ValueError("matches are chosen by a player, an import or a key: give one of them")

    @property
    def matches(self) -> QuerySet[Match]:
        """They, in no order."""
        wanted = Q(state=MatchState.CONFIRMED)
        if self.player is not None:
            own = Participant.objects.filter(player=self.player)
            wanted &= Q(pk__in=own.values("match"))
        if self.source is not None:
            wanted &= Q(source=self.source)
        if self.key is not None:
            wanted &= Q(server_key=self.key)
        if self.ladder is not None:
            wanted &= Q(ladder=self.ladder)
        if self.map:
            wanted &= Q(map=self.map)
        if self.since is not None:
            wanted &= Q(played_at__gte=self.since)
        if self.until is not None:
            wanted &= Q(played_at__lt=self.until)
        return Match.objects.filter(wanted)


@dataclass(frozen=True, slots=True)
class Moved:
    """What these matches have done to one player on a track that everybody sees, as far as each was rated by itself."""

    player: Player
    ladder: str
    points: float


@dataclass(frozen=True, slots=True)
class OfLadder:
    """What would happen on one ladder: so many matches annulled, and so many rated anew after the first of them."""

    ladder: Ladder
    matches: int
    later: int


@dataclass(frozen=True, slots=True)
class ManyAnnulled:
    """What would follow.

    matches, players  that are annulled, and who took part in them
    changes           rows of the ledger on live tracks that they wrote
    moved             whom they have moved most, the most first
    """

    matches: int
    players: int
    changes: int
    ladders: Sequence[OfLadder]
    moved: Sequence[Moved]


def preview_many(chosen: Chosen) -> ManyAnnulled:
    """Say what annulling these matches would do as things are now. Reads only; six queries and two a ladder."""
    matches = chosen.matches
    numbers = matches.values("ladder").annotate(count=Count("pk"), first=Min("ladder_seq"))
    by_ladder = {row["ladder"]: row for row in numbers.order_by()}
    ladders = [
        OfLadder(ladder, by_ladder[ladder.pk]["count"], _later(ladder, by_ladder[ladder.pk]))
        for ladder in Ladder.objects.filter(pk__in=by_ladder).select_related("game").order_by("pk")
    ]
    written = RatingChange.objects.filter(
        match__in=matches.values("pk"), track__state=TrackState.LIVE
    )
    ranked = written.filter(track__shown=True, facet="", track__ladder__mode=Mode.RANKED)
    shown = ranked.values("player", "track__ladder__name")
    points = Sum(F("value_after") - F("value_before"))
    most = list(
        shown.annotate(points=points).order_by(Abs("points").desc(), "player")[:_MOST_MOVED]
    )
    people = Player.objects.in_bulk([row["player"] for row in most])
    return ManyAnnulled(
        matches=sum(one.matches for one in ladders),
        players=Participant.objects.filter(match__in=matches.values("pk"))
        .values("player")
        .distinct()
        .count(),
        changes=written.count(),
        ladders=ladders,
        moved=[
            Moved(people[row["player"]], row["track__ladder__name"], row["points"]) for row in most
        ],
    )


@transaction.atomic
def annul_many(
    chosen: Chosen, *, by: User | None, note: str, seen: int | None = None
) -> tuple[int, list[int]]:
    """Let these matches count no longer; returns how many, and the replays that will show it. Audited once.

    `seen`: how many were shown to whoever decides. Raises OtherMatchesError where there are others now, or none, and
    OwnMatterError. Waits for the locks of the ladders, one after the other.
    """
    ladders = sorted(set(chosen.matches.values_list("ladder", flat=True)))
    for ladder in ladders:
        hold_firmly(Lock.LADDER, ladder)
    held = chosen.matches.filter(ladder__in=ladders).order_by("pk").select_for_update(no_key=True)
    # There may be a million: whoever thinks for long while it holds a lock is taken for stopped, and ended.
    rows = list(held.values_list("pk", "ladder", "ladder_seq"))
    if not rows:
        raise OtherMatchesError(_("There is no confirmed match among these. Nothing was changed."))
    if seen is not None and len(rows) != seen:
        words = _("There are %(count)d matches now, so nothing was changed. Look again.")
        raise OtherMatchesError(words % {"count": len(rows)}, matches=len(rows))
    ids = [pk for pk, _ladder, _place in rows]
    check_no_own_match(by, chosen.matches.filter(ladder__in=ladders))
    with connection.cursor() as cursor:
        cursor.execute(_ANNUL, {"matches": ids})
        people = [player for (player,) in cursor.fetchall()]
    uncount_maps(ids)
    replays: list[int] = []
    for ladder in ladders:
        places = [place for _pk, of, place in rows if of == ladder and place is not None]
        if places:
            replays += request_replays(ladder_id=ladder, from_seq=min(places))
    _announcement_of(rows, people).write()
    if chosen.source is None:
        follow(Annulled(ids, people, chosen.player.pk if chosen.player else None))
    audit.record(
        actor=by,
        action="matches.annulled",
        target=chosen.player or chosen.source or Match(pk=ids[0]),
        after={
            "count": len(ids),
            "matches": ids[:_MOST_NAMED],
            "replays": replays,
            **({} if chosen.key is None else {"server_key": chosen.key}),
        },
        note=note,
    )
    return len(ids), replays


def _announcement_of(
    rows: Sequence[tuple[int, int, int | None]], people: list[int]
) -> Announcement:
    """What is told of matches, by number, ladder and place in its sequence, and of those who took part."""
    ladders = Ladder.objects.filter(pk__in={ladder for _pk, ladder, _place in rows}).order_by("pk")
    return Announcement(
        Kind.MATCH_ANNULLED,
        [{"match": pk, "ladder": ladder} for pk, ladder, _place in rows],
        [
            *(f"player:{player}" for player in people),
            *(topic for ladder in ladders for topic in ladder.topics),
        ],
        {"match": rows[0][0]} if len(rows) == 1 else {},
    )


def _later(ladder: Ladder, numbers: Mapping[str, Any]) -> int:
    """How many matches of the ladder come after the first of those that are annulled, these left out."""
    first = numbers["first"]
    if first is None:
        return 0
    counting = Match.objects.filter(ladder=ladder, state=MatchState.CONFIRMED)
    return counting.filter(ladder_seq__gte=first).count() - int(numbers["count"])
