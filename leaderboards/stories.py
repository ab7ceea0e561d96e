"""The story of one match: who played, what was expected, what came, and what it did to the ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery

from leaderboards.contributions import Contribution, contributions_of, period_rows
from leaderboards.explain import (
    explain_change,
    explain_period,
    explain_replay,
    explain_state,
    explain_wait,
)
from leaderboards.results import Facts, Side, facts_of, sides_of
from leaderboards.shown import shown_tracks
from ratings.forecasts import (
    Belief,
    Forecaster,
    aged,
    beginner,
    belief_before,
    forecasters_of,
)
from ratings.models import (
    Match,
    MatchState,
    Mode,
    Player,
    Rating,
    RatingChange,
    RatingTrack,
    Status,
)
from ratings.tuning import replay_of

__all__ = ["Calculation", "OtherGame", "Story", "StorySide", "story_of"]


# Of the games of a rating period a page names the latest; the sums are of all.
MOST_GAMES = 100


@dataclass(frozen=True, slots=True)
class StorySide:
    """One side. `before` is what was believed of its player before the match; None: hidden or not known."""

    side: Side
    before: Belief | None
    forecast: float | None


@dataclass(frozen=True, slots=True)
class OtherGame:
    """One of the games that a rating period counts for a player."""

    opponent: Player | None
    change: Contribution
    is_this: bool


@dataclass(frozen=True, slots=True)
class Calculation:
    """Why one player's rating changed, in words and numbers.

    `games` are the latest of the period; so many `hidden_games` came before.

    `change` is None where the system cannot tell the games of a period apart: the period is explained then.
    """

    player: Player
    opponent: Player | None
    row: RatingChange
    change: Contribution | None
    sentence: str
    period_sentence: str
    games: list[OtherGame]
    hidden_games: int = 0
    status_after: Status | None = None

    @property
    def after(self) -> Belief:
        """What is believed of the player since."""
        return Belief(self.row.value_after, self.row.deviation_after, self.status_after)

    @property
    def before(self) -> Belief:
        """What was believed of the player before."""
        return belief_before(self.row)

    @property
    def total(self) -> float:
        """What the ledger says of the whole period or match."""
        return self.row.value_after - self.row.value_before


@dataclass(frozen=True, slots=True)
class Story:
    """Everything a match page tells. `notice` says why there is no calculation."""

    sides: list[StorySide]
    facts: Facts
    public: bool
    track: RatingTrack | None
    calculations: list[Calculation]
    notice: str


def story_of(match: Match, now: datetime) -> Story:
    """Tell of a match that was read by `with_people`. On a ladder that is not public: no numbers at all."""
    people = list(match.participants.all())
    sides = sides_of(people, match.extra)
    public = match.ladder.mode == Mode.RANKED
    track = shown_tracks([match.ladder]).get(match.ladder_id) if public else None
    changes: Mapping[tuple[int, int], Contribution] = {}
    if track is not None and match.state == MatchState.CONFIRMED:
        tracks, ids = {match.ladder_id: track}, [one.player_id for one in people]
        changes = contributions_of(tracks, [match], players=ids, whole_periods=True)
    own = {one.player_id: changes.get((match.pk, one.player_id)) for one in people}
    calculations = _calculations(match, people_of(sides), changes)
    if track is not None and track.period_days is not None and not calculations:
        calculations = _whole_periods(track, match, people_of(sides))
    calculations = _with_statuses(calculations)
    return Story(
        sides=_sides(sides, own, track, match, now),
        facts=facts_of(match.extra),
        public=public,
        track=track,
        calculations=calculations,
        notice=_notice(match, track, public, bool(calculations), now),
    )


def people_of(sides: Sequence[Side]) -> list[Player]:
    """Every player of a match, side by side."""
    return [one.player for side in sides for one in side.members]


def _notice(
    match: Match, track: RatingTrack | None, public: bool, rated: bool, now: datetime
) -> str:
    if match.state == MatchState.ANNULLED and track is not None and replay_of(track):
        return f"{explain_state(match)} {explain_replay()}"
    if match.state != MatchState.CONFIRMED:
        return explain_state(match)
    return "" if rated or not public else explain_wait(track, match, now)


def _sides(
    sides: Sequence[Side],
    own: Mapping[int, Contribution | None],
    track: RatingTrack | None,
    match: Match,
    now: datetime,
) -> list[StorySide]:
    """What was known of each side before the match; of a match that is not rated yet, what is known now."""
    changes = [own.get(side.members[0].player_id) for side in sides]
    if track is not None and len(sides) == 2 and not any(changes):
        return _expected_now(sides, track, match, now)
    return [
        StorySide(side, _belief(change), change.forecast if change else None)
        for side, change in zip(sides, changes, strict=True)
    ]


def _belief(change: Contribution | None) -> Belief | None:
    if change is None:
        return None
    return belief_before(change.change)


def _expected_now(
    sides: Sequence[Side], track: RatingTrack, match: Match, now: datetime
) -> list[StorySide]:
    ids = [side.members[0].player_id for side in sides]
    forecaster = forecasters_of([track])[track.pk]
    ratings = {
        rating.player_id: rating
        for rating in Rating.objects.public().filter(track=track, player__in=ids)
    }
    beliefs = [_now(forecaster, ratings.get(pk), now) for pk in ids]
    alone = all(len(side.members) == 1 for side in sides)
    waiting = match.state in {MatchState.CONFIRMED, MatchState.PLAYING, MatchState.REPORTED}
    first = Forecaster.expect(forecaster.newest, *beliefs) if alone and waiting else None
    forecasts = (first, None if first is None else 1 - first)
    return [
        StorySide(side, belief, forecast)
        for side, belief, forecast in zip(sides, beliefs, forecasts, strict=True)
    ]


def _now(forecaster: Forecaster, rating: Rating | None, now: datetime) -> Belief:
    return beginner(forecaster) if rating is None else aged(forecaster, rating, now)


def _calculations(
    match: Match, people: Sequence[Player], changes: Mapping[tuple[int, int], Contribution]
) -> list[Calculation]:
    by_id = {player.pk: player for player in people}
    strangers = {change.opponent_id for change in changes.values()} - by_id.keys()
    by_id |= Player.objects.in_bulk(strangers) if strangers else {}
    found = []
    for player in people:
        change = changes.get((match.pk, player.pk))
        if change is not None:
            found.append(_calculation(match, player, change, by_id, changes))
    return found


def _calculation(
    match: Match,
    player: Player,
    change: Contribution,
    people: Mapping[int, Player],
    changes: Mapping[tuple[int, int], Contribution],
) -> Calculation:
    others = [other for other in changes.values() if other.player_id == player.pk]
    games = [
        OtherGame(people.get(other.opponent_id), other, other.match_id == match.pk)
        for number, other in enumerate(others, start=1)
        if len(others) - number < MOST_GAMES or other.match_id == match.pk
    ]
    return Calculation(
        player=player,
        opponent=people[change.opponent_id],
        row=change.change,
        change=change,
        sentence=explain_change(player.name, change),
        period_sentence=explain_period(player.name, change.change),
        games=games if change.change.period_id is not None else [],
        hidden_games=len(others) - len(games),
    )


def _with_statuses(calculations: list[Calculation]) -> list[Calculation]:
    """Add the status after each change: that before the next one, or the rating's where it was the last. One query."""
    if not calculations:
        return []
    later = RatingChange.objects.filter(
        track=OuterRef("track"), player=OuterRef("player"), pk__gt=OuterRef("pk")
    ).order_by("pk")
    present = Rating.objects.filter(track=OuterRef("track"), player=OuterRef("player"))
    rows = RatingChange.objects.filter(pk__in=[one.row.pk for one in calculations])
    statuses = rows.annotate(
        is_last=~Exists(later),
        then=Subquery(later.values("status_before")[:1]),
        today=Subquery(present.values("status")[:1]),
    )
    found = {row.pk: row.today if row.is_last else row.then for row in statuses}
    return [replace(one, status_after=_status(found.get(one.row.pk))) for one in calculations]


def _status(value: int | None) -> Status | None:
    return None if value is None else Status(value)


def _whole_periods(track: RatingTrack, match: Match, people: Sequence[Player]) -> list[Calculation]:
    if match.state != MatchState.CONFIRMED or match.ladder_seq is None:
        return []
    rows = period_rows(track, match, [player.pk for player in people])
    return [
        Calculation(
            player=player,
            opponent=None,
            row=rows[player.pk],
            change=None,
            sentence="",
            period_sentence=explain_period(player.name, rows[player.pk]),
            games=[],
        )
        for player in people
        if player.pk in rows
    ]
