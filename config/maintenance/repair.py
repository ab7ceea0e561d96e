"""Finding what faults of clocks and restores have left behind, and mending it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.colliding import colliding_accounts
from config.maintenance.relist import count_hidden_early, relist_early
from events.failures import parked
from events.renumber import is_foreign, renumber
from foundation import timekeeping
from ratings.models import Ladder, Player
from ratings.players.claim import colliding
from ratings.runs.reopen import DatedAhead, dated_ahead, ladders_ahead, reopen
from ratings.runs.replay import replay_track

__all__ = ["findings", "trust_clock"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    what    in words
    mend    puts it right, and says what it did; None: only a person can
    """

    what: str
    mend: Callable[[], str] | None = None


def findings() -> Iterator[Finding]:
    """Look for everything that is wrong."""
    timekeeping.is_steady()  # looks
    if pause := timekeeping.pause():
        words = _(
            "The clock jumped by %(jump)s. Until it has been steady for an hour, no rating "
            "period is closed and nobody leaves a leaderboard. If the time is right now "
            "(%(now)s), add --trust-clock."
        )
        off = str(timedelta(seconds=round(abs(pause.off_by))))
        sign = "-" if pause.off_by < 0 else "+"
        yield Finding(words % {"jump": sign + off, "now": pause.seen_at.strftime("%F %R %Z")})
    if is_foreign():
        words = _(
            "Events carry numbers of another PostgreSQL, as after a restore: some would not be delivered."
        )
        yield Finding(words, _renumber)
    for ladder in ladders_ahead():
        words = _("%(ladder)s counts matches for %(moment)s or later, which has not come yet.")
        moment = f"{ladder.counted_until:%F %R}"
        yield Finding(words % {"ladder": ladder.slug, "moment": moment}, _reopening(ladder))
    for ahead in dated_ahead():
        words = ngettext(
            "%(changes)d change in the ledger of %(track)s has a time that has not come yet, "
            "%(moment)s. Recalculate: from its first match, beside what is shown until it is done.",
            "%(changes)d changes in the ledger of %(track)s have a time that has not come yet, "
            "%(moment)s or later. Recalculate: from its first match, beside what is shown until it is done.",
            ahead.changes,
        )
        about = {"changes": ahead.changes, "track": ahead.track, "moment": f"{ahead.first:%F %R}"}
        yield Finding(words % about, _recalculating(ahead))
    if early := sum(count_hidden_early().values()):
        words = ngettext(
            "%d player is hidden as inactive too early.",
            "%d players are hidden as inactive too early.",
            early,
        )
        yield Finding(words % early, _relist)
    # Names that only an operator can change: nobody knows which of two is the one who was known by it.
    if accounts := colliding_accounts().count():
        words = _("Accounts whose names look alike: %d. The admin's list of users filters by that.")
        yield Finding(words % accounts)
    if players := colliding(Player.objects.all()).count():
        words = _(
            "Players of accounts whose names look alike: %d. The admin's list of players filters by that."
        )
        yield Finding(words % players)
    for subscription in parked():
        words = _("The subscriber %(name)s is parked: %(error)s. See Subscriptions in the admin.")
        yield Finding(
            words % {"name": subscription.name, "error": subscription.error.partition("\n")[0]}
        )


def trust_clock(*, note: str) -> bool:
    """Believe the clock as it is; whether it was not believed."""
    with transaction.atomic():
        pause = timekeeping.trust()
        if pause is not None:
            pause.pk = True
            audit.record(
                actor=None,
                action="clock.trusted",
                target=pause,
                before={"off_by": pause.off_by},
                note=note,
            )
    return pause is not None


def _renumber() -> str:
    number = renumber()
    return ngettext("%d event has a new number.", "%d events have new numbers.", number) % number


def _reopening(ladder: Ladder) -> Callable[[], str]:
    def mend() -> str:
        with transaction.atomic():
            done = reopen(ladder.pk)
            if done is None:
                return _("Nothing is left to do.")
            audit.record(
                actor=None,
                action="ladder.reopened",
                target=ladder,
                before={"counted_until": done.counted_until.isoformat()},
                after={"matches": done.matches, "replays": done.replays},
            )
        words = _(
            "Matches count in the present again. Matches counted anew: %(matches)s. Tracks "
            "recalculated, shown when they are done: %(tracks)s."
        )
        return words % {"matches": done.matches, "tracks": len(done.replays)}

    return mend


def _recalculating(ahead: DatedAhead) -> Callable[[], str]:
    def mend() -> str:
        with transaction.atomic():
            replay = replay_track(track=ahead.track)
            audit.record(
                actor=None,
                action="track.replayed",
                target=ahead.track,
                before={"changes": ahead.changes, "first": ahead.first.isoformat()},
                after={"replay": replay.pk},
            )
        return _("It is being recalculated; the old ledger stays with the old generation.")

    return mend


def _relist() -> str:
    number = relist_early()
    words = ngettext("%d player is back.", "%d players are back.", number)
    return words % number
