"""What merging two players would do, before it is done: for the page and the command by which an operator decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet

from ratings.merging.foresee import foresee
from ratings.merging.merge import shared_matches, why_not
from ratings.merging.moving import moving_matches
from ratings.merging.running import running_of
from ratings.models import (
    Ladder,
    Match,
    MatchState,
    Mode,
    Player,
    RatingTrack,
    Sanction,
    TrackState,
)
from ratings.runs.load import UnratableMatchError
from ratings.sanctions import in_force

__all__ = ["MergePreview", "preview_merge"]

_MOST_MOVED = 20


@dataclass(frozen=True, slots=True)
class Shared:
    """A match in which both took part, as `are_team_mates` or against each other. `is_disputed`: not decided yet."""

    match: Match
    are_team_mates: bool

    @property
    def is_disputed(self) -> bool:
        """Whether it waits for a decision."""
        return self.match.state == MatchState.DISPUTED


@dataclass(frozen=True, slots=True)
class OfLadder:
    """What would happen on one ladder: matches that change hands, and how many are rated anew from the first on.

    `is_foreseen`: what comes of it was reckoned, see `moved`.
    """

    ladder: Ladder
    matches: int
    later: int
    is_foreseen: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """A player's rating on a track that everybody sees, as it is and as it would be; None: none."""

    player: Player
    ladder: Ladder
    before: float | None
    after: float | None

    @property
    def points(self) -> float:
        """By how much it would change; 0 where one of the two is missing."""
        return (
            self.after - self.before if self.before is not None and self.after is not None else 0.0
        )


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What would follow.

    why_not   why it cannot be, or nothing
    matches   that change hands, of whatever state
    shared    in which both took part: they stand in the way, or are annulled
    running   what the player is at: it stands in the way, or is ended
    own       ratings of the two themselves, on tracks that everybody sees
    moved     the others whose ratings would change most, the most first
    comes_along  the player's account goes to the other, who has none; `stays_behind`: it has no player then
    """

    why_not: str
    matches: int = 0
    ladders: Sequence[OfLadder] = ()
    shared: Sequence[Shared] = ()
    running: Sequence[str] = ()
    own: Sequence[Moved] = ()
    moved: Sequence[Moved] = ()
    sanctions: Sequence[Sanction] = ()
    comes_along: bool = False
    stays_behind: bool = False

    @property
    def concerns_account(self) -> bool:
        """Whether an account plays as another player then, or as none: that takes the right to move players."""
        return self.comes_along or self.stays_behind


def preview_merge(
    player: Player, into: Player, since: datetime | None, *, reckon: bool = True
) -> MergePreview:
    """Say what it would do as things are now. Reads only; rates ladders anew in memory that are not too long, if it is
    to `reckon`: that takes seconds.
    """
    if reason := why_not(player, into, since):
        return MergePreview(why_not=reason)
    shared = shared_matches(player, into, since)
    moving = moving_matches(player, into, since)
    numbers = moving.values("ladder").annotate(
        count=Count("pk"), first=Min("ladder_seq", filter=Q(state=MatchState.CONFIRMED))
    )
    by_ladder = {row["ladder"]: row for row in numbers.order_by()}
    firsts = {pk: row["first"] for pk, row in by_ladder.items()}
    for match in shared:
        if (seq := match.ladder_seq) is not None:
            firsts[match.ladder_id] = min(firsts.get(match.ladder_id) or seq, seq)
    ladders: list[OfLadder] = []
    own: list[Moved] = []
    moved: list[Moved] = []
    for ladder in Ladder.objects.filter(pk__in=firsts).select_related("game").order_by("pk"):
        changes = _foreseen(ladder, player, into, moving, shared) if reckon else None
        count = by_ladder[ladder.pk]["count"] if ladder.pk in by_ladder else 0
        ladders.append(
            OfLadder(ladder, count, _later(ladder, firsts[ladder.pk]), changes is not None)
        )
        for pk, (before, after) in (changes or {}).items():
            one = Moved(Player(pk=pk), ladder, before, after)
            (own if pk in (player.pk, into.pk) else moved).append(one)
    most = sorted(moved, key=lambda one: (-abs(one.points), one.player.pk))[:_MOST_MOVED]
    names = Player.objects.in_bulk([one.player.pk for one in (*most, *own)])
    return MergePreview(
        why_not="",
        matches=sum(row["count"] for row in by_ladder.values()),
        ladders=ladders,
        shared=[Shared(match, _are_team_mates(match, player, into)) for match in shared],
        running=running_of(player),
        own=[_named(one, names) for one in own],
        moved=[_named(one, names) for one in most if one.points],
        sanctions=list(in_force().filter(player=player).order_by("-pk")),
        comes_along=player.user_id is not None and into.user_id is None,
        stays_behind=player.user_id is not None and into.user_id is not None,
    )


def _named(one: Moved, names: Mapping[int, Player]) -> Moved:
    return Moved(names[one.player.pk], one.ladder, one.before, one.after)


def _are_team_mates(match: Match, player: Player, into: Player) -> bool:
    teams = match.participants.filter(player__in=[player, into]).values_list("team", flat=True)
    return len(set(teams)) == 1


def _later(ladder: Ladder, first: int | None) -> int:
    """How many confirmed matches of the ladder come after the first that is rated otherwise, with it."""
    if first is None:
        return 0
    counting = Match.objects.filter(ladder=ladder, state=MatchState.CONFIRMED)
    return counting.filter(ladder_seq__gte=first).count()


def _foreseen(
    ladder: Ladder,
    player: Player,
    into: Player,
    moving: QuerySet[Match],
    shared: Sequence[Match],
) -> dict[int, tuple[float | None, float | None]] | None:
    """Ratings before and after by player, on the track that everybody sees; None where that was not reckoned."""
    if ladder.mode != Mode.RANKED:
        return {}
    track = RatingTrack.objects.filter(
        ladder=ladder, state=TrackState.LIVE, shown=True, facet=""
    ).first()
    if track is None:
        return {}
    moved = moving.filter(ladder=ladder, state=MatchState.CONFIRMED).values_list("pk", flat=True)
    gone = [match.pk for match in shared if match.ladder_id == ladder.pk]
    try:
        after = foresee(track, player=player.pk, into=into.pk, moved=list(moved), gone=gone)
    except UnratableMatchError:  # told where the track is rated
        return None
    if after is None:
        return None
    before = dict(track.ratings.values_list("player", "value"))
    ids = before.keys() | after.keys()
    changed = {pk: (before.get(pk), after.get(pk)) for pk in ids}
    return {pk: values for pk, values in changed.items() if values[0] != values[1]}
