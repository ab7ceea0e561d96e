"""The story of one match: who played, what was expected, what came, and what it did to the ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery

from foundation.names import isolate
from leaderboards.matches.change_reasons import Seat, explain_change, seat_of
from leaderboards.matches.detail_sides import StorySide, by_place, expected_now, sides_as_rated
from leaderboards.matches.sentences import (
    explain_period,
    explain_replay,
    explain_state,
    explain_wait,
)
from leaderboards.matches.teams import Facts, Side, facts_of, sides_of
from leaderboards.visibility import shown_tracks
from ratings.ledger.contributions import Contribution, contributions_of, period_rows
from ratings.ledger.forecasts import Belief, belief_before, forecasters_of
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
from ratings.tracks.parameters import replay_of

__all__ = ["Calculation", "OtherGame", "Story", "story_of"]


# Of the games of a rating period a page names so many before the match and after it; the sums are of all.
MOST_BESIDE = 50


@dataclass(frozen=True, slots=True)
class OtherGame:
    """One of the games that a rating period counts for a player."""

    opponent: Player | None
    change: Contribution
    is_this: bool


@dataclass(frozen=True, slots=True)
class Calculation:
    """Why one player's rating changed, in words and numbers.

    `games` are those of the period next to this one; there are so many `hidden_games` more. `weight` is what the
    system calls it.

    `change` is None where the system cannot tell the games of a period apart: the period is explained then.
    """

    player: Player
    opponent: Player | None
    row: RatingChange
    change: Contribution | None
    sentence: str
    period_sentence: str
    games: list[OtherGame]
    weight: str = ""
    hidden_games: int = 0
    status_after: Status | None = None
    is_second: bool = False

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
    """Everything a match page tells. `notice` says why there is no calculation, `places` the decimals of ratings.

    `neutral`: nobody had the better side, on a ladder where that matters.
    """

    sides: list[StorySide]
    facts: Facts
    public: bool
    track: RatingTrack | None
    calculations: list[Calculation]
    notice: str
    places: int = 0
    neutral: bool = False

    @property
    def has_scores(self) -> bool:
        """Whether the game has counted something, beside the places."""
        return any(side.side.score is not None for side in self.sides)


def story_of(match: Match, now: datetime) -> Story:
    """Tell of a match that was read by `with_people`. On a ladder that is not public: no numbers at all."""
    people = list(match.participants.all())
    sides = by_place(sides_of(people, match.extra))
    public = match.ladder.mode == Mode.RANKED
    track = shown_tracks([match.ladder]).get(match.ladder_id) if public else None
    changes: Mapping[tuple[int, int], Contribution] = {}
    if track is not None and match.state == MatchState.CONFIRMED:
        tracks, ids = {match.ladder_id: track}, [one.player_id for one in people]
        changes = contributions_of(tracks, [match], players=ids, beside=MOST_BESIDE)
    own = {one.player_id: changes.get((match.pk, one.player_id)) for one in people}
    calculations = _calculations(match, sides, changes, track)
    if track is not None and track.period_days is not None and not calculations:
        calculations = _whole_periods(track, match, people_of(sides))
    calculations = _with_statuses(calculations)
    return Story(
        sides=_sides(sides, own, calculations, track, match, now),
        facts=facts_of(match.extra),
        public=public,
        track=track,
        calculations=calculations,
        notice=_notice(match, track, public, bool(calculations), now),
        places=track.decimals if track else 0,
        neutral=_is_neutral(match, track),
    )


def people_of(sides: Sequence[Side]) -> list[Player]:
    """Every player of a match, side by side."""
    return [one.player for side in sides for one in side.members]


def _is_neutral(match: Match, track: RatingTrack | None) -> bool:
    """One query for a match without sides, none for the others."""
    if track is None or not match.is_neutral:
        return False
    return forecasters_of([track])[track.pk].knows_sides


def _notice(
    match: Match, track: RatingTrack | None, public: bool, rated: bool, now: datetime
) -> str:
    if match.state == MatchState.ANNULLED and track is not None and replay_of(track):
        return f"{explain_state(match)} {explain_replay()}"
    if match.state != MatchState.CONFIRMED:
        return explain_state(match)
    return "" if rated or not public else explain_wait(track, match, now)


def _sides(
    sides: list[Side],
    own: Mapping[int, Contribution | None],
    calculations: Sequence[Calculation],
    track: RatingTrack | None,
    match: Match,
    now: datetime,
) -> list[StorySide]:
    """What was known of each side before the match; of a match that is not rated yet, what is known now."""
    if track is not None and not calculations:
        return expected_now(sides, track, match, now)
    return sides_as_rated(sides, own, {one.player.pk: one.before for one in calculations})


def _calculations(
    match: Match,
    sides: list[Side],
    changes: Mapping[tuple[int, int], Contribution],
    track: RatingTrack | None,
) -> list[Calculation]:
    if track is None or not changes:
        return []
    by_id = {player.pk: player for player in people_of(sides)}
    opponents = {change.opponent_id for change in changes.values() if change.opponent_id}
    strangers = opponents - by_id.keys()
    by_id |= Player.objects.in_bulk(strangers) if strangers else {}
    found = []
    for side in sides:
        for one in side.members:
            change = changes.get((match.pk, one.player_id))
            if change is not None:
                seat = seat_of(one, side, sides)
                made = _calculation(seat, change, by_id, changes, track)
                found.append(replace(made, is_second=len(sides) == 2 and side is sides[1]))
    return found


def _calculation(
    seat: Seat,
    change: Contribution,
    people: Mapping[int, Player],
    changes: Mapping[tuple[int, int], Contribution],
    track: RatingTrack,
) -> Calculation:
    player, row = seat.participant.player, change.change
    others = [other for other in changes.values() if other.player_id == player.pk]
    games = [
        OtherGame(people.get(other.opponent_id or 0), other, other.match_id == change.match_id)
        for other in others
        if other.change.pk == row.pk
    ]
    reason = explain_change(isolate(player.name), change, seat, track)
    return Calculation(
        player=player,
        opponent=people.get(change.opponent_id or 0),
        row=row,
        change=change,
        sentence=reason.sentences,
        weight=reason.weight,
        period_sentence=explain_period(isolate(player.name), row, track.decimals),
        games=games if row.period_id is not None else [],
        hidden_games=row.games - len(games),
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
            period_sentence=explain_period(isolate(player.name), rows[player.pk], track.decimals),
            games=[],
        )
        for player in people
        if player.pk in rows
    ]
