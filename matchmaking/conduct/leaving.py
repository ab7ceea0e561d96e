"""Who has left a match: judged from its end, from who was away too long, and taken back where the match counts no more.

Everything here comes to the same when it is done again, in whatever order: rows say what has been charged.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from events.kinds import Kind
from events.models import Event
from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from matchmaking.conduct.absences import fair_until, tell_gone
from matchmaking.conduct.charge import Charge, charge
from matchmaking.conduct.crashes import who_left
from matchmaking.conduct.moderation import take_back_held
from matchmaking.conduct.rules import rules_by_game
from matchmaking.models import Absence, ConductRules, Offence, OffenceKind
from ratings.models import OPEN, Match, MatchState, Participant, Report

__all__ = ["KINDS", "follow", "judge", "judge_absences"]

KINDS = [
    Kind.MATCH_CONFIRMED,
    Kind.MATCH_CORRECTED,
    Kind.MATCH_ABANDONED,
    Kind.MATCH_ABORTED,
    Kind.MATCH_ANNULLED,
]
_BATCH = 200
# These took place as far as anybody knows; in the others nobody can have left.
_COUNTS = [*OPEN, MatchState.DISPUTED, MatchState.CONFIRMED]


def follow(events: Sequence[Event]) -> None:
    """Judge the matches that these events tell of. A subscriber of the outbox."""
    named = sorted({int(pk) for event in events if (pk := event.payload.get("match")) is not None})
    for start in range(0, len(named), _BATCH):
        judge(named[start : start + _BATCH], clock.now())


def judge_absences() -> int:
    """Judge who has not come back in time; returns how many. Right when run never, once, twice or twice at once.

    Whose time was over while the site was away has some more, from the end of that.
    """
    judged, found = 0, True
    time = timekeeping.deadlines()
    due = Absence.objects.filter(
        time.are_over(began="away_at", ends="until"), back_at=None, judged_at=None
    )
    while found:
        with briefly() as now:
            held = list(
                due.order_by("until").select_for_update(skip_locked=True, of=("self",))[:_BATCH]
            )
            found = bool(held)
            rows, longer = list[Absence](), list[Absence]()
            for row in held:
                until = fair_until(row, time)
                (rows if until == row.until else longer).append(row)
                row.until = until
            Absence.objects.bulk_update(longer, ["until"])
            Absence.objects.filter(pk__in=[row.pk for row in rows]).update(judged_at=now)
            judge(sorted({row.match_id for row in rows}), now)
            tell_gone(rows)
        judged += len(rows)
    return judged


def judge(match_ids: Sequence[int], now: datetime) -> None:
    """Charge who has left these matches, and take back what was charged for one that counts no more."""
    cases = _cases(match_ids)
    charged: dict[int, dict[int, int]] = defaultdict(dict)
    # What somebody wrote, and a moderator or others have reported, was said all the same, however the match ends.
    rows = Offence.objects.filter(match__in=match_ids, kind=OffenceKind.LEFT, taken_back_at=None)
    for one in rows:
        if one.match_id is not None:
            charged[one.match_id][one.player_id] = one.pk
    counts_not = {case.match.pk for case in cases if case.match.state not in _COUNTS}
    back = {one.pk for one in rows if one.match_id in counts_not}
    charges: list[Charge] = []
    for case in cases:
        left = {} if case.match.pk in counts_not else case.left(now)
        before = charged[case.match.pk]
        back |= {pk for player, pk in before.items() if player not in left}
        charges += [
            Charge(player_id=player, kind=OffenceKind.LEFT, at=at, match_id=case.match.pk)
            for player, at in left.items()
            if player not in before
        ]
    if back:
        take_back_held(back, now)
    charge(charges, now)


@dataclass(slots=True)
class _Case:
    """A match, and all that is known of who dropped out of it. `said_at`: when players reported its end."""

    match: Match
    rules: ConductRules
    participants: list[Participant] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    said_at: dict[int, datetime] = field(default_factory=dict)

    def left(self, now: datetime) -> dict[int, datetime]:
        """Who has left it, and when."""
        if self.match.played_at < self.rules.since:
            return {}  # it began under rules that nobody had been told of
        if self.match.partner:
            return {}  # nobody was left alone: the game has supplied the opponent
        is_over = self.match.state not in OPEN
        end = min(self.match.ended_at or now, now) if is_over else now
        # Whoever has said how it ended within the time to come back was there, whatever the server saw.
        open_by = {
            one.player_id: one
            for one in self.absences
            if one.back_at is None and not self._has_said(one.player_id, one.until)
        }
        return who_left(
            {pk: (one.away_at, one.until) for pk, one in open_by.items()},
            {one.player_id for one in self.participants if one.left_early and is_over},
            end=end,
            participants=len(self.participants),
            within=timedelta(seconds=self.rules.crash_seconds),
        )

    def _has_said(self, player: int, until: datetime) -> bool:
        said_at = self.said_at.get(player)
        return said_at is not None and said_at <= until


def _cases(match_ids: Collection[int]) -> Iterable[_Case]:
    matches = list(Match.objects.filter(pk__in=match_ids).order_by("pk"))
    rules = rules_by_game({match.game_id for match in matches})
    cases = {match.pk: _Case(match, rules[match.game_id]) for match in matches}
    time = timekeeping.deadlines()
    for participant in Participant.objects.filter(match__in=cases).order_by("player_id"):
        cases[participant.match_id].participants.append(participant)
    for absence in Absence.objects.filter(match__in=cases).order_by("pk"):
        # Against the end of the match, which has the time of the clock as it is now.
        until = fair_until(absence, time)
        absence.until = time.end_by_now(began=absence.away_at, ends=until)
        cases[absence.match_id].absences.append(absence)
    for said in Report.objects.filter(match__in=cases, left_early=False):
        cases[said.match_id].said_at[said.player_id] = said.at
    return list(cases.values())
