"""What the bar says, where it asks for news, and how often.

What the page around it shows already, the bar leaves out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from foundation.page_parts import version_of
from matchmaking.feedback.just_played import OngoingQuestion
from matchmaking.pages.further import FurtherMatter
from matchmaking.pages.ongoing import EndedSearch, Ongoing, OngoingMatch, OngoingSearch
from matchmaking.pages.queue_page import MatchPage, QueuePage

__all__ = ["Page", "bar_of"]

_IDLE, _MOVING = 60, 4  # seconds between two looks while no stream is open
_RARELY = 120  # and while one is


@dataclass(frozen=True, slots=True)
class Page:
    """What the page around the bar shows: that of a `queue` with its `player`, or a `match`; may be empty.

    further  the matter of an app above that it shows, as `FurtherMatter.shown_as`
    """

    queue: str = ""
    player: str = ""
    match: str = ""
    further: str = ""

    @classmethod
    def of_page(cls, page: object) -> "Page":
        """The page with this variable `page`, which most pages have not."""
        own_match = page.own_match if isinstance(page, MatchPage) else None
        match = str(own_match.match.pk) if own_match else ""
        if isinstance(page, QueuePage) and page.player is not None:
            return cls(page.queue.slug, str(page.player.pk), match)
        return cls(match=match, further=getattr(page, "shown_as", ""))

    @classmethod
    def of_query(cls, given: Mapping[str, str]) -> "Page":
        """The page as the bar's own address names it."""
        names = ("queue", "player", "match", "further")
        return cls(*(given.get(name, "") for name in names))

    @property
    def query(self) -> str:
        """What the bar's address says of it."""
        named = {
            "queue": self.queue,
            "player": self.player,
            "match": self.match,
            "further": self.further,
        }
        return urlencode({name: value for name, value in named.items() if value})

    def searches(self, ongoing: Ongoing) -> list[OngoingSearch]:
        """Searches and offers that the page does not show."""
        return [one for one in ongoing.searches if one.queue != self.queue]

    def ends(self, ongoing: Ongoing) -> list[EndedSearch]:
        """Searches that have ended, unless the page says so."""
        return [one for one in ongoing.ends if one.queue != self.queue]

    def others(self, ongoing: Ongoing) -> list[FurtherMatter]:
        """What apps above say, unless the page shows it."""
        return [one for one in ongoing.further if one.shown_as != self.further]

    def matches(self, ongoing: Ongoing) -> list[OngoingMatch]:
        """Matches that wait for a report or an operator, and that the page does not show."""
        return [
            one
            for one in ongoing.matches
            if one.stage != "reported"
            and str(one.id) != self.match
            and not (one.is_playing and str(one.player.id) == self.player)
        ]

    def questions(self, ongoing: Ongoing) -> list[OngoingQuestion]:
        """Of a match that is over and that the page does not show: how it was to play with the others."""
        return [one for one in ongoing.questions if str(one.match) != self.match]


def bar_of(found: Ongoing, page: Page) -> dict[str, object]:
    """What the bar's template shows. `version` tells it from the bar that stands there already."""
    searches, ends, matches = page.searches(found), page.ends(found), page.matches(found)
    questions = page.questions(found)
    others = page.others(found)
    version = version_of(
        [(one.ticket, one.offer, one.is_accepted) for one in searches],
        [(one.id, one.stage, one.due_at, one.may_report) for one in matches],
        [one.ticket for one in ends],
        [(one.match, one.others) for one in questions],
        [one.key for one in others],
        found.unread,
    )
    query = "&".join(filter(None, [page.query, urlencode({"seen": version})]))
    beats = [int(one.heartbeat.total_seconds()) // 3 for one in found.searches]
    return {
        "now": found.now,
        "searches": searches,
        "ends": ends,
        "matches": matches,
        "questions": questions,
        "further": others,
        "has_players": bool(found.players),
        "unread": found.unread,
        "is_live": bool(found.searches),
        "version": version,
        "address": f"{reverse('ongoing')}?{query}",
        "every": _MOVING if found.has_matters else _IDLE,
        "rarely": max(2, min([10, *beats])) if beats else _RARELY,
    }
