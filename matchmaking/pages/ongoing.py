"""Reading what goes on for an account: one query, and one more if it has players. Holds no ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from accounts.models import User
from foundation import clock
from foundation.page_parts import version_of
from foundation.postgresql.prepared import prepared
from foundation.postgresql.transactions import after_commit
from matchmaking.feedback.just_played import ASKED_FOR, JUST_PLAYED, OngoingQuestion
from matchmaking.models import OfferState, TicketState
from matchmaking.pages.further import FurtherMatter, further_columns, further_matters
from matchmaking.tickets.lifecycle import THERE, UNSEEN, beat
from ratings.matches.silenced import DUE_AT
from ratings.models import OPEN, MatchState, Sanction, SuspendedFrom
from ratings.players.operators_changes import (
    ARE_CHANGED,
    TOLD_FOR,
    OperatorsChange,
    changes_by_operators,
)
from ratings.sanctions import SUSPENDED_NOW, TOLD_NOW, keep_from

__all__ = [
    "EndedSearch",
    "Ongoing",
    "OngoingMatch",
    "OngoingPlayer",
    "OngoingSearch",
    "changes_of",
    "ongoing_of",
]

_PLAYERS = f"""
SELECT coalesce(%(at)s::timestamptz, now()), player.id, player.name, game.name,
       ticket.id, ticket.waiting_since, ticket.seen_at, queue.slug, queue.name, queue.heartbeat_seconds,
       offer.id, offer.expires_at, offered.accepted_at IS NOT NULL,
       last.id, last.slug, last.name, last.seconds, last.unanswered, game.id, queue.accept_seconds,
       game.appeals_to, (
           SELECT json_agg(json_build_array(sanction.id, sanction.kind, sanction.suspended_from, sanction.reason,
                                            sanction.until) ORDER BY sanction.id DESC)
           FROM ratings_sanction AS sanction WHERE sanction.player_id = player.id AND {TOLD_NOW}
       ), last.is_suspended, last.parted, {ARE_CHANGED}, asked.match, asked.others, (
           SELECT count(*) FROM notifications_notice AS notice
           WHERE notice.player_id = ANY(ARRAY(SELECT meant.id FROM ratings_player AS meant
                                              WHERE meant.id = player.id OR meant.merged_into_id = player.id))
             AND notice.read_at IS NULL AND notice.on_site
       ), ticket.asked_at + make_interval(secs => queue.still_there_seconds), queue.idle_seconds, ticket.touched_at,
       last.is_away, /* further */
FROM ratings_player AS player
JOIN ratings_game AS game ON game.id = player.game_id
LEFT JOIN matchmaking_ticketmember AS member ON member.player_id = player.id AND member.live
LEFT JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
LEFT JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
LEFT JOIN matchmaking_offerticket AS offered ON offered.ticket_id = ticket.id AND offered.live
LEFT JOIN matchmaking_offer AS offer ON offer.id = offered.offer_id AND offer.state = %(pending)s
LEFT JOIN LATERAL (
    SELECT was.id, asked_in.slug, asked_in.name, asked_in.heartbeat_seconds AS seconds,
           kept.is_suspended, gone.parted, was.asked_at IS NOT NULL AS is_away,
           EXISTS (SELECT FROM matchmaking_offerticket AS asked
                   JOIN matchmaking_offer AS over ON over.id = asked.offer_id
                   WHERE asked.ticket_id = was.id AND over.state = %(over)s AND asked.accepted_at IS NULL) AS unanswered
    FROM (SELECT ticket_id FROM matchmaking_ticketmember AS latest
          WHERE latest.player_id = player.id ORDER BY latest.id DESC LIMIT 1) AS latest
    JOIN matchmaking_ticket AS was ON was.id = latest.ticket_id
    JOIN matchmaking_queue AS asked_in ON asked_in.id = was.queue_id
    CROSS JOIN LATERAL (
        SELECT bool_or(searcher.player_id = player.id) AS is_suspended
        FROM matchmaking_ticketmember AS searcher
        JOIN ratings_sanction AS sanction ON sanction.player_id = searcher.player_id
        WHERE searcher.ticket_id = was.id AND was.state = %(cancelled)s AND sanction.imposed_at <= was.ended_at
          AND (sanction.suspended_from IN ('searching', 'all') OR
               sanction.suspended_from = 'parties' AND was.party_id IS NOT NULL) AND {SUSPENDED_NOW}
    ) AS kept
    LEFT JOIN LATERAL (
        SELECT CASE WHEN seat.player_id <> player.id THEN 'left' WHEN seat.removed THEN 'removed' END AS parted
        FROM matchmaking_partymember AS seat
        WHERE seat.party_id = was.party_id AND seat.left_at = was.ended_at AND was.state = %(cancelled)s LIMIT 1
    ) AS gone ON true
    WHERE (was.state = %(expired)s OR kept.is_suspended IS NOT NULL OR gone.parted IS NOT NULL)
      AND was.ended_at > coalesce(%(at)s::timestamptz, now()) - %(shown)s::interval
      AND NOT EXISTS (SELECT FROM ratings_participant AS busy WHERE busy.player_id = player.id AND busy.playing)
) AS last ON true
{JUST_PLAYED}
WHERE player.user_id = %(user)s::bigint
ORDER BY game.name, player.id
"""  # noqa: S608 - constants
# Participants without a rank are in an index of their own: matches that are decided are not looked at, however many.
_MATCHES = f"""
SELECT participant.player_id, match.id, match.state, {DUE_AT}, match.played_at, ladder.name, participant.playing,
       EXISTS (SELECT FROM ratings_report AS report
               WHERE report.match_id = match.id AND report.player_id <> participant.player_id),
       ARRAY(SELECT player.name FROM ratings_participant AS other JOIN ratings_player AS player
                 ON player.id = other.player_id
             WHERE other.match_id = match.id AND other.team <> participant.team ORDER BY other.team, other.id LIMIT 9)
       || CASE WHEN match.partner = '' THEN '{{}}' ELSE ARRAY[match.partner] END
FROM ratings_participant AS participant
JOIN ratings_match AS match ON match.id = participant.match_id
JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
WHERE participant.player_id = ANY(%(players)s::bigint[]) AND participant.rank IS NULL
  AND match.state = ANY(%(states)s::text[])
ORDER BY match.state = %(disputed)s, match.id DESC LIMIT 20
"""  # noqa: S608 - constants


# For so long pages show a search that has ended without the player's doing.
_SHOWN = timedelta(minutes=10)
# Seconds after which pages without JavaScript load again while one searches, and while they show an offer: that takes
# the focus away from its buttons.
_BY_HAND = 4
_BY_HAND_OFFERED = 8
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class OngoingPlayer:
    """A player of the account. `sanctions`: those it is told of; `appeals_to`: where to ask about them."""

    id: int
    name: str
    game: str
    game_id: int
    appeals_to: str
    sanctions: Sequence[Sanction]

    @property
    def may_search(self) -> bool:
        """Whether no sanction keeps the player from it."""
        return not keep_from(self.sanctions, SuspendedFrom.SEARCHING)

    def get_absolute_url(self) -> str:
        """Address of the player's page."""
        return reverse("player", args=[self.id])


@dataclass(frozen=True, slots=True)
class OngoingSearch:
    """A search; `offer` is the one that waits for answers, with the time left for them.

    still_there_by  until when its players may say that they are still there; None: nobody asks
    """

    player: OngoingPlayer
    ticket: int
    queue: str
    queue_name: str
    waited: float
    seen_at: datetime
    heartbeat: timedelta
    accept_seconds: int
    offer: int | None
    seconds_left: float
    is_accepted: bool
    still_there_by: datetime | None = None

    @property
    def stage(self) -> str:
        """`searching`; `asked`: whether still there; `offered`: is asked; `accepted`: the others are asked still."""
        if self.offer is None:
            return "asked" if self.still_there_by else "searching"
        return "accepted" if self.is_accepted else "offered"

    @property
    def by_hand(self) -> int:
        """Seconds after which a page without JavaScript loads itself again: while half of an offer's time is left, and
        half of the time for which the search goes on without a sign of life.
        """
        seldom = _BY_HAND_OFFERED if self.stage in ("offered", "asked") else _BY_HAND
        heartbeat = int(self.heartbeat.total_seconds())
        return max(1, min(seldom, self.accept_seconds // 2, heartbeat // 2))

    def get_absolute_url(self) -> str:
        """Address of the page of the queue."""
        return reverse("queue", args=[self.queue])


@dataclass(frozen=True, slots=True)
class EndedSearch:
    """The last search, where it ended without the player's doing: an offer was not answered, no page was open, a
    sanction ended it, or somebody's leaving the party.

    is_suspended  whether the sanction is the player's, not another's of the party; None without one
    parted        `left`: another of the party has; `removed`: the player was; else None
    is_away       whether nobody said that they were still there
    """

    ticket: int
    queue: str
    queue_name: str
    heartbeat_seconds: int
    is_unanswered: bool
    is_suspended: bool | None
    parted: str | None
    is_away: bool = False

    def get_absolute_url(self) -> str:
        """Address of the page of the queue, where the next search begins."""
        return reverse("queue", args=[self.queue])


@dataclass(frozen=True, slots=True)
class OngoingMatch:
    """A match that is not decided. `opponents`: names of the other side, or sides; nine at most."""

    player: OngoingPlayer
    id: int
    state: str
    due_at: datetime | None
    played_at: datetime
    ladder: str
    is_playing: bool
    others_reported: bool
    opponents: Sequence[str]

    @property
    def stage(self) -> str:
        """`playing`: the player may report; `asked`: others have already; `reported`: has reported; `disputed`."""
        if self.state == MatchState.DISPUTED:
            return "disputed"
        if not self.is_playing:
            return "reported"
        return "asked" if self.others_reported else "playing"

    @property
    def may_report(self) -> bool:
        """Whether no sanction keeps the player from it."""
        return not keep_from(self.player.sanctions, SuspendedFrom.RESULTS)

    @property
    def names(self) -> str:
        """Of the opponents, in one line."""
        return ", ".join(self.opponents)

    def get_absolute_url(self) -> str:
        """Address of the match, as its players see it."""
        return reverse("play-match", args=[self.id])


@dataclass(frozen=True, slots=True)
class Ongoing:
    """Players, searches, and matches that are not decided, disputed ones last, 20 at most. Empty for visitors.

    ends     searches that are over, shown for a while
    now      when it was read; nothing that has a time is there without players
    account  whose it is, where operators may have changed its players lately
    questions  of matches that have just ended: whether playing with the others was enjoyed
    further  what apps above say
    unread   how many notices its players have not read
    """

    now: datetime = _NEVER
    players: Sequence[OngoingPlayer] = ()
    searches: Sequence[OngoingSearch] = ()
    matches: Sequence[OngoingMatch] = ()
    ends: Sequence[EndedSearch] = ()
    account: int | None = None
    questions: Sequence[OngoingQuestion] = ()
    further: Sequence[FurtherMatter] = ()
    unread: int = 0

    @property
    def player_ids(self) -> frozenset[int]:
        """Ids of the account's players."""
        return frozenset(player.id for player in self.players)

    @property
    def by_hand(self) -> int:
        """Seconds after which a page without JavaScript loads itself again for the sake of a search; 0 without one."""
        return min((one.by_hand for one in self.searches), default=0)

    @property
    def version(self) -> str:
        """Another name when pages would show something else of what is under way; clocks go on by themselves."""
        return version_of(
            [(one.id, one.name, [told.pk for told in one.sanctions]) for one in self.players],
            [(one.ticket, one.stage) for one in self.searches],
            [(one.id, one.stage, one.is_playing, one.due_at) for one in self.matches],
            [(one.match, one.others) for one in self.questions],
            [one.key for one in self.further],
        )

    @property
    def may_search(self) -> bool:
        """Whether any of the players may."""
        return any(player.may_search for player in self.players)

    @property
    def has_matters(self) -> bool:
        """Whether anything is under way."""
        return bool(self.searches or self.matches or self.further)


def ongoing_of(user: User | AnonymousUser, *, is_there: bool = True) -> Ongoing:
    """Read what goes on for an account; nothing is read for a visitor.

    Whoever looks gives a sign of life: searches whose last one is older than a quarter of their heartbeat get one.
    `is_there`: somebody is at the page, which is what `foundation.page_parts.is_attended` finds.
    """
    if not user.is_authenticated:
        return Ongoing()
    given: dict[str, Any] = {
        "user": user.pk,
        "pending": OfferState.PENDING.value,
        "over": OfferState.EXPIRED.value,
        "expired": TicketState.EXPIRED.value,
        "cancelled": TicketState.CANCELLED.value,
        "shown": _SHOWN,
        "asked_for": ASKED_FOR,
        "at": clock.replaced(),
        "told_for": TOLD_FOR,
    }
    with prepared() as cursor:
        cursor.execute(_PLAYERS.replace("/* further */", further_columns()), given)
        rows = cursor.fetchall()
    if not rows:
        # The only player may have been merged into another account's, or moved.
        return Ongoing(account=user.pk)
    now = rows[0][0]
    players = {
        row[1]: OngoingPlayer(row[1], row[2], row[3], row[18], row[20], _sanctions(row[21]))
        for row in rows
    }
    ends = [
        EndedSearch(*(*row[13:18], *row[22:24], row[31])) for row in rows if row[13] is not None
    ]
    searches = []
    for row in rows:
        ticket, waiting_since, seen_at, queue, name, heartbeat, offer, expires_at, accepted = row[
            4:13
        ]
        if ticket is None:
            continue
        asked_by = None if is_there else row[28]  # whoever is there has answered
        answer_by = expires_at or asked_by
        search = OngoingSearch(
            player=players[row[1]],
            ticket=ticket,
            queue=queue,
            queue_name=name,
            waited=max(0.0, (now - waiting_since).total_seconds()),
            seen_at=seen_at,
            heartbeat=timedelta(seconds=heartbeat),
            accept_seconds=row[19],
            offer=offer,
            seconds_left=max(0.0, (answer_by - now).total_seconds()) if answer_by else 0.0,
            is_accepted=bool(accepted),
            still_there_by=asked_by,
        )
        searches.append(search)
        is_news = is_there and (row[28] or _is_old(row[30], row[29], now))
        if is_news or seen_at <= now - search.heartbeat / 4:
            # Public pages read from a snapshot, in which nothing can be written.
            after_commit(beat, ticket, sign=THERE if is_there else UNSEEN)
    given = {
        "players": list(players),
        "states": [str(state) for state in (*OPEN, MatchState.DISPUTED)],
        "disputed": MatchState.DISPUTED.value,
        "at": clock.replaced(),
    }
    with prepared() as cursor:
        cursor.execute(_MATCHES, given)
        matches = [OngoingMatch(players[row[0]], *row[1:]) for row in cursor.fetchall()]
    changed = user.pk if rows[0][24] else None
    questions = [OngoingQuestion(row[25], row[26]) for row in rows if row[26]]
    unread = sum(row[27] for row in rows)
    further = [one for row in rows for one in further_matters(row[1], row[32])]
    own = list(players.values())
    return Ongoing(now, own, searches, matches, ends, changed, questions, further, unread)


def _is_old(touched_at: datetime | None, idle_seconds: int | None, now: datetime) -> bool:
    """Whether that somebody was there is to be noted anew, where anybody is asked at all."""
    if idle_seconds is None:
        return False
    return touched_at is None or touched_at <= now - timedelta(seconds=idle_seconds) / 4


def changes_of(ongoing: Ongoing) -> Sequence[OperatorsChange]:
    """What the account is told of its players' merges, renames and moves now. One query, or none, as for most."""
    return () if ongoing.account is None else changes_by_operators(ongoing.account)


def _sanctions(rows: Sequence[Sequence[Any]] | None) -> list[Sanction]:
    return [
        Sanction(
            pk=pk,
            kind=kind,
            suspended_from=suspended_from,
            reason=reason,
            until=datetime.fromisoformat(until) if until else None,
        )
        for pk, kind, suspended_from, reason, until in rows or ()
    ]
