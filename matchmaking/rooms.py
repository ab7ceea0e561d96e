"""The room of a queue: what one player sees there now, and what can be done next."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User
from foundation.parts import version_of
from matchmaking.lobby import QueueCard, cards_of_queues
from matchmaking.meetings import Meeting, latest_match, meeting_of
from matchmaking.models import OfferState, OfferTicket, Queue, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.watching import Search, search_of
from ratings.models import OPEN, Match, Mode, Player

__all__ = ["Room", "enter"]

# So long a match that is decided, or a search that ended by itself, is still what the page shows.
_REMEMBERED = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Room:
    """What the page of a queue shows a visitor at `now`.

    stage     `visitor`: not signed in; `stranger`: without a player in this game; `elsewhere`: searching in another
              queue; `searching`; `offered`: not answered; `accepted`: the others are asked still; `meeting`: a match;
              `idle`: nothing yet
    ended     why the last search is over: `silent`, `unanswered` or empty
    """

    queue: Queue
    card: QueueCard
    now: datetime
    stage: str
    player: Player | None = None
    search: Search | None = None
    meeting: Meeting | None = None
    ended: str = ""

    @property
    def is_ranked(self) -> bool:
        """Whether ratings may be shown here."""
        return self.queue.ladder.mode == Mode.RANKED

    @property
    def gap(self) -> float | None:
        """How far the search reaches now, in rating points either way; None while there is no search."""
        if self.search is None:
            return None
        wide = self.queue.gap_start + self.queue.gap_per_second * self.search.waited
        return wide if self.queue.gap_cap is None else min(wide, self.queue.gap_cap)

    @property
    def every(self) -> int:
        """Seconds after which the page asks again, when nothing tells it to."""
        if self.stage in {"searching", "offered", "accepted"}:
            return 2
        return 5 if self.meeting and self.meeting.stage in {"playing", "told"} else 15
