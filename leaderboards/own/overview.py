"""What the start page tells an account of itself: what is under way, its ratings, its last matches."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from foundation.kept_pages import keep_answer, kept_answer
from foundation.page_parts import version_of
from foundation.postgresql.rows import BuiltOnce
from leaderboards.matches.lists import PlayerLine, version_of_lines
from leaderboards.matches.sentences import explain_wait
from leaderboards.own.matches import newest_matches, own_lines
from leaderboards.own.standings import MOST, OwnStanding, standings_of
from matchmaking.pages.ongoing import Ongoing
from ratings.ledger.forecasts import forecasters_of
from ratings.models import Mode, Participant, Rating, RatingTrack
from ratings.players.operators_changes import OperatorsChange

__all__ = ["OwnOverview", "overview_of"]

_KIND = "own overview"  # of what is kept for some seconds
_LATEST = 5
# A stream takes no more topics than twenty, and the page has others.
_MOST_LADDERS = 15


@dataclass(frozen=True, slots=True)
class OwnOverview:
    """What is under way, standings as of now, the one played last first, the last matches, newest first, and what
    operators have changed.

    `read_at`: when standings and matches were read, as `time.monotonic` tells it.
    """

    ongoing: Ongoing
    standings: list[OwnStanding]
    latest: list[PlayerLine]
    read_at: float
    changes: Sequence[OperatorsChange] = ()

    @property
    def version(self) -> str:
        """Another name when it would show something else."""
        return version_of(
            self.ongoing.version,
            [
                (one.track.pk, _shown(one), one.belief.status, one.rank, one.listed)
                for one in self.standings
            ],
            version_of_lines(self.latest),
            self.waits,
            [(one.what, one.at) for one in self.changes],
        )

    @property
    def waits(self) -> str:
        """Without a standing: when the newest match that is yet to be rated will be; empty where none is."""
        for line in () if self.standings else self.latest:
            if line.summary.is_unrated:
                return explain_wait(line.summary.track, line.match, self.ongoing.now)
        return ""

    @property
    def topics(self) -> str:
        """The account's players, and the ladders on which a rating or a rank of theirs may change."""
        of_matches = [
            one.match.ladder for one in self.latest if one.match.ladder.mode == Mode.RANKED
        ]
        ladders = [*of_matches, *(one.ladder for one in self.standings)]
        named = dict.fromkeys(f"ladder:{ladder.pk}" for ladder in ladders)
        return " ".join(["player", *list(named)[:_MOST_LADDERS]])


def overview_of(
    ongoing: Ongoing,
    changes: Sequence[OperatorsChange] = (),
    tracks: Mapping[int, RatingTrack] | None = None,
) -> OwnOverview:
    """Read the rest of an account's overview; nothing is read for who has no players.

    What two queries find unchanged is not read again for some seconds. `tracks`: all that players see, by ladder, where
    they have been read as of the same moment.
    """
    ids = [player.id for player in ongoing.players]
    if not ids:
        return OwnOverview(ongoing, [], [], time.monotonic(), changes)

    key, began = tuple(ids), time.monotonic()
    compared = version_of(
        _ratings(len(ids)).rows(*ids), _matches(len(ids[:MOST])).rows(*ids[:MOST])
    )
    found = kept_answer(key, compared, kind=_KIND)
    if found is None:
        known = None
        if tracks is not None:
            by_track = forecasters_of(tracks.values())
            known = {ladder: by_track[track.pk] for ladder, track in tracks.items()}
        found = standings_of(ids, ongoing.now, known), own_lines(ids, _LATEST, known=known), began
        keep_answer(key, compared, found, kind=_KIND, began=began)
    standings, latest, read_at = found
    return OwnOverview(ongoing, standings, latest, read_at, changes)


@cache
def _ratings(players: int) -> BuiltOnce[Any]:
    """What decides where so many players stand: their ratings, and how far tracks and boards are."""
    of_track = ("track__rated_seq", "track__board__revision", "track__board__updated_at")
    columns = ("pk", "track", "revision", "status", *of_track)
    return BuiltOnce(
        lambda *ids: (
            Rating.objects.public().filter(player__in=ids).order_by("pk").values_list(*columns)
        ),
        *[int] * players,
    )


@cache
def _matches(players: int) -> BuiltOnce[Any]:
    """What decides how their last matches look, with everybody's part in them: a result may be corrected."""
    columns = ("match_id", "match__state", "match__ladder_seq", "rank", "score")
    return BuiltOnce(
        lambda *ids: (
            Participant.objects.filter(match__in=newest_matches(ids, _LATEST).values("pk"))
            .order_by("-match_id", "pk")
            .values_list(*columns)
        ),
        *[int] * players,
    )


def _shown(one: OwnStanding) -> tuple[float, float | None]:
    belief, decimals = one.belief, one.track.decimals
    deviation = None if belief.deviation is None else round(belief.deviation, decimals)
    return round(belief.value, decimals), deviation
