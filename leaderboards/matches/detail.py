"""What the page of a match shows: who played, what was expected, what came, and what it did to the ratings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery

from foundation.templatetags.names import isolated_text
from leaderboards.matches.sentences import (
    explain_change,
    explain_corrected,
    explain_correction,
    explain_decision,
    explain_period,
    explain_replay,
    explain_state,
    explain_wait,
    participation_of,
)
from ratings.disputes import decided_at
from ratings.ledger.contributions import Contribution, contributions_of, period_rows
from ratings.ledger.forecasts import Belief, belief_before, forecasters_of
from ratings.matches.expected_scores import beliefs_now, expected_scores
from ratings.matches.revising.corrections import PastResult, awaits_replay, corrections_of
from ratings.matches.summary import (
    ImportedColumns,
    MatchSummary,
    Team,
    imported_columns,
    public_tracks,
    summary_of,
)
from ratings.models import (
    Match,
    MatchState,
    Mode,
    Participant,
    Player,
    RatedBy,
    Rating,
    RatingChange,
    RatingTrack,
    Status,
)
from ratings.tracks.parameters import replay_of

__all__ = ["Calculation", "DetailPerson", "DetailTeam", "MatchDetail", "OtherGame", "detail_of"]


# Of the games of a rating period a page names so many before the match and after it; the sums are of all. Of larger
# matches fewer, for each of their players has such a list, and each game on it as many players.
MOST_BESIDE = 50
_MOST_ROWS = 2000


@dataclass(frozen=True, slots=True)
class OtherGame:
    """One of the games that a rating period counts for a player."""

    opponent: Player | None
    contribution: Contribution
    is_this: bool


@dataclass(frozen=True, slots=True)
class Calculation:
    """Why one player's rating changed, in words and numbers.

    `games` are those of the period next to this one; there are so many `hidden_games` more. `weight` is what the
    system calls it, `kept` what the floor kept, beside the formula.

    `contribution` is None where the system cannot tell the games of a period apart: the period is explained then.
    """

    player: Player
    opponent: Player | None
    entry: RatingChange
    contribution: Contribution | None
    sentence: str
    period_sentence: str
    games: list[OtherGame]
    weight: str = ""
    hidden_games: int = 0
    status_after: Status | None = None
    is_second: bool = False
    kept: float = 0.0

    @property
    def after(self) -> Belief:
        """What is believed of the player since."""
        return Belief(self.entry.value_after, self.entry.deviation_after, self.status_after)

    @property
    def before(self) -> Belief:
        """What was believed of the player before."""
        return belief_before(self.entry)

    @property
    def total(self) -> float:
        """What the ledger says of the whole period or match."""
        return self.entry.value_after - self.entry.value_before


@dataclass(frozen=True, slots=True)
class DetailPerson:
    """One player: what was believed before the match, and the points it moved. None: hidden or not known."""

    participant: Participant
    before: Belief | None
    points: float | None


@dataclass(frozen=True, slots=True)
class DetailTeam:
    """One team. `forecast` is the score expected of it: with more than two teams, the mean over the others."""

    team: Team
    people: list[DetailPerson]
    forecast: float | None

    @property
    def before(self) -> Belief | None:
        """What was believed of the only player; None for a team of several."""
        return self.people[0].before if len(self.people) == 1 else None


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """Everything that the page of a match shows.

    teams    of more than two the best first
    notice   why there is no calculation
    decision that it was disputed, and when an operator decided it; empty for most
    neutral  nobody had the better side, on a ladder where that matters
    corrections  a sentence, and what it said before its result was corrected; the newest first
    """

    summary: MatchSummary
    teams: list[DetailTeam]
    calculations: list[Calculation]
    columns: ImportedColumns
    notice: str
    decision: str = ""
    neutral: bool = False
    corrections: Sequence[tuple[str, PastResult]] = ()

    @property
    def decimals(self) -> int:
        """Decimals in which ratings are shown."""
        return self.summary.track.decimals if self.summary.track else 0


def detail_of(match: Match, now: datetime) -> MatchDetail:
    """Read the detail of a match that was read by `with_people`. On a ladder that is not public: no numbers at all."""
    is_confirmed = match.state == MatchState.CONFIRMED
    is_ranked = match.ladder.mode == Mode.RANKED
    track = public_tracks([match.ladder]).get(match.ladder_id) if is_ranked else None
    contributions: Mapping[tuple[int, int], Contribution] = {}
    if track is not None and is_confirmed:
        ids = [one.player_id for one in match.participants.all()]
        contributions = contributions_of(
            {track.ladder_id: track}, [match], players=ids, beside=_beside(len(ids))
        )
    decided = decided_at(match)
    own = {player: one for (pk, player), one in contributions.items() if pk == match.pk}
    summary = summary_of(match, track, own)
    calculations: list[Calculation] = []
    if track is not None and contributions:
        calculations = _calculations(summary, track, contributions)
    is_stale = (
        track is not None and is_confirmed and awaits_replay(match, match.participants.all(), track)
    )
    is_periodic = track is not None and track.period_days is not None and not is_stale
    if track is not None and is_periodic and is_confirmed and match.ladder_seq and not calculations:
        calculations = _whole_periods(summary, track)
    notice = explain_state(match)
    if match.state == MatchState.ANNULLED and track is not None and replay_of(track):
        notice = f"{notice} {explain_replay()}"
    elif is_stale:
        notice = explain_correction(match)
    elif is_confirmed and is_ranked and not calculations:
        notice = explain_wait(track, match, now)
    before = {one.player.pk: one.before for one in calculations}
    forecasts: dict[int, float] = {}
    is_told = match.ladder.rated_by == RatedBy.EVENTS  # its ratings follow while it goes on
    if track is not None and not calculations and not is_told:
        # What is believed as of now, of a match that is not rated yet. Two queries.
        forecaster = forecasters_of([track])[track.pk]
        before = beliefs_now(forecaster, [one.player_id for one in summary.people], now)
        if match.state in {MatchState.CONFIRMED, MatchState.PLAYING, MatchState.REPORTED}:
            forecasts = expected_scores(forecaster, summary, before)
    teams = []
    for team in summary.by_place:
        moved = [summary.contributions.get(one.player_id) for one in team.members]
        people = [
            DetailPerson(one, before.get(one.player_id), it.points if it else None)
            for one, it in zip(team.members, moved, strict=True)
        ]
        forecast = next((it.forecast for it in moved if it), forecasts.get(team.number))
        teams.append(DetailTeam(team, people, forecast))
    return MatchDetail(
        summary=summary,
        teams=teams,
        calculations=calculations,
        columns=imported_columns(match.extra),
        notice=notice,
        decision=explain_decision(decided),
        neutral=(
            track is not None
            and match.is_neutral
            and forecasters_of([track])[track.pk].knows_sides  # one query
        ),
        corrections=[(explain_corrected(past.correction), past) for past in corrections_of(match)],
    )


def _beside(players: int) -> int:
    """How many games are named before and after a match of so many players: two or more."""
    return min(MOST_BESIDE, _MOST_ROWS // (2 * max(players, 1) ** 2))


def _calculations(
    summary: MatchSummary, track: RatingTrack, contributions: Mapping[tuple[int, int], Contribution]
) -> list[Calculation]:
    """One for each player whose rating changed; `contributions` are also of the games next to it in its period."""
    by_id = {one.player_id: one.player for one in summary.people}
    opponents = {it.opponent_id for it in contributions.values() if it.opponent_id}
    strangers = opponents - by_id.keys()
    by_id |= Player.objects.in_bulk(strangers) if strangers else {}
    teams, found = summary.by_place, []
    statuses = _statuses_after(it.entry for it in summary.contributions.values())
    for number, team in enumerate(teams):
        for one in team.members:
            contribution = summary.contributions.get(one.player_id)
            if contribution is None:
                continue
            entry, name = contribution.entry, isolated_text(one.player.name)
            games = [
                OtherGame(
                    by_id.get(other.opponent_id or 0),
                    other,
                    other.match_id == contribution.match_id,
                )
                for other in contributions.values()
                if other.player_id == one.player_id and other.entry.pk == entry.pk
            ]
            reason = explain_change(
                name,
                contribution,
                participation_of(one, team, teams),
                track,
                by_events=summary.match.ladder.rated_by == RatedBy.EVENTS,
            )
            found.append(
                Calculation(
                    player=one.player,
                    opponent=by_id.get(contribution.opponent_id or 0),
                    entry=entry,
                    contribution=contribution,
                    sentence=reason.sentences,
                    weight=reason.weight,
                    kept=reason.kept,
                    period_sentence=explain_period(name, entry, track.decimals),
                    games=games if entry.period_id is not None else [],
                    hidden_games=entry.games - len(games),
                    status_after=statuses.get(entry.pk),
                    is_second=len(teams) == 2 and number == 1,
                )
            )
    return found


def _whole_periods(summary: MatchSummary, track: RatingTrack) -> list[Calculation]:
    """Where the games of a period cannot be told apart: what all of them did together."""
    people = [one.player for team in summary.by_place for one in team.members]
    rows = period_rows(track, summary.match, [player.pk for player in people])
    statuses = _statuses_after(rows.values())
    return [
        Calculation(
            player=player,
            opponent=None,
            entry=rows[player.pk],
            contribution=None,
            sentence="",
            period_sentence=explain_period(
                isolated_text(player.name), rows[player.pk], track.decimals
            ),
            games=[],
            status_after=statuses.get(rows[player.pk].pk),
        )
        for player in people
        if player.pk in rows
    ]


def _statuses_after(entries: Iterable[RatingChange]) -> dict[int, Status]:
    """The status after each entry: that before the next one, or the rating's where it was the last. One query."""
    later = RatingChange.objects.filter(
        track=OuterRef("track"), player=OuterRef("player"), pk__gt=OuterRef("pk")
    ).order_by("pk")
    present = Rating.objects.filter(track=OuterRef("track"), player=OuterRef("player"))
    rows = RatingChange.objects.filter(pk__in=[entry.pk for entry in entries]).annotate(
        is_last=~Exists(later),
        then=Subquery(later.values("status_before")[:1]),
        today=Subquery(present.values("status")[:1]),
    )
    found = {row.pk: row.today if row.is_last else row.then for row in rows}
    return {pk: Status(status) for pk, status in found.items() if status is not None}
