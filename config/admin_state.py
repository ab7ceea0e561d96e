"""What an operator wants to see first: what waits for a word, tracks that are behind, what is due next, the workers."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from accounts.audited_admin import actor_of, may_see
from config.backup.schedule import BackupState
from config.backup.schedule import read_state as read_state_of_backups
from config.monitoring.free_space import Shortage
from config.tasks import workers_alive
from events.failures import parked
from foundation import clock, timekeeping
from matchmaking.models import Ticket
from matchmaking.models.tickets import LIVE
from ratings.disputes import count_disputes
from ratings.models import RatingTrack, TrackState
from ratings.tracks.passed_over import passed_over
from ratings.tracks.progress import TrackProgress, progress_of
from ratings.wording import system_name

__all__ = ["MAKES_A_GAME", "Counts", "may_set_up", "read_counts", "read_state"]

# What a game needs, but for keys, which it can do without.
MAKES_A_GAME = (
    "ratings.add_game",
    "ratings.add_ladder",
    "ratings.add_ratingtrack",
    "matchmaking.add_queue",
)

SHOWN = 100


@dataclass(frozen=True, slots=True)
class TrackRow:
    """A track in the panel."""

    system: str
    progress: TrackProgress
    passed_over: int


@dataclass(frozen=True, slots=True)
class SiteState:
    """The state panel: those behind first, then those due soonest."""

    rows: list[TrackRow]
    behind: int
    workers_alive: bool
    shortage: Shortage | None
    backups: BackupState | None


@dataclass(frozen=True, slots=True)
class Counts:
    """What waits for an operator, and whether the clock jumped; None for what the account may not see."""

    disputes: int | None
    waiting: int | None
    replays: int | None
    parked: int | None = None
    clock: bool | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that the account may see."""
        return all(
            count is None for count in (self.disputes, self.waiting, self.replays, self.parked)
        )


def may_set_up(request: HttpRequest) -> bool:
    """Whether the account at work may make all that a game needs."""
    return actor_of(request).has_perms(MAKES_A_GAME)


def read_counts(request: HttpRequest) -> Counts:
    """Count what the account at work may see. Five queries at most."""
    replays = RatingTrack.objects.filter(state=TrackState.REPLAY)
    live = Ticket.objects.filter(state__in=LIVE)
    return Counts(
        disputes=count_disputes() if may_see(request, "ratings.match") else None,
        waiting=live.count() if may_see(request, "matchmaking.ticket") else None,
        replays=replays.count() if may_see(request, "ratings.ratingtrack") else None,
        parked=parked().count() if may_see(request, "events.subscription") else None,
        clock=timekeeping.pause() is not None
        if may_see(request, "foundation.clockpause")
        else None,
    )


def read_state() -> SiteState:
    """Read the tracks (one query, and one for what some pass over) and the heartbeat of the workers."""
    now = clock.now()
    rated = RatingTrack.objects.exclude(state=TrackState.RETIRED)
    tracks = list(rated.select_related("ladder__game").order_by("-shown", "pk")[:SHOWN])
    over = passed_over(tracks)
    progress = [progress_of(track, now=now) for track in tracks]
    progress.sort(key=lambda one: (not one.is_behind, one.next_due is None, one.next_due or now))
    return SiteState(
        rows=[
            TrackRow(system_name(one.track.system), one, passed_over=over.get(one.track.pk, 0))
            for one in progress
        ],
        behind=sum(one.is_behind for one in progress),
        workers_alive=all(workers_alive().values()),
        shortage=settings.FREE_SPACE.shortage(),
        backups=read_state_of_backups(),
    )
