"""The page of a queue: what one visitor sees there now, and what can be done next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import floor, log10
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import AuditEntry, User
from foundation.page_parts import version_of
from matchmaking.conduct import standing_of
from matchmaking.models import (
    OfferState,
    OfferTicket,
    PartyMember,
    Queue,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.models.tickets import LIVE
from matchmaking.pages.own_match import OwnMatchView, own_match_view
from matchmaking.pages.queue_cards import QueueCard, cards_of_queues
from matchmaking.pages.widening_words import Reach, reach_in_words, reach_of
from matchmaking.parties.own_party import PartySeen, own_party
from matchmaking.playing import current_match, latest_match
from matchmaking.queues.rating_span import rating_span
from matchmaking.queues.wait_estimates import Estimate, estimate_for
from matchmaking.tickets import status
from matchmaking.tickets.status import Search
from ratings.disputes import kept_out
from ratings.matches.silenced import silenced_until
from ratings.merging.meant import lent_by, say_lent
from ratings.models import OPEN, Mode, Player, Sanction, SuspendedFrom
from ratings.sanctions import in_force, keep_from, told_to

__all__ = ["MatchPage", "QueuePage", "read_page"]

# So long a match that is decided, or a search that ended by itself, is what the page shows.
_REMEMBERED = timedelta(hours=1)
_MOVING = {"searching", "asked", "offered", "accepted"}
# Without JavaScript. Where something is being typed, a name or what happened, the page stays as it is.
_BY_HAND = {
    "match.playing": 20,
    "match.confirmed": 10,
    "match.disputed": 0,
    "newcomer": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """A match with one of its players. `stage` is `match`; `sanctions`: those the player is told of;
    `silenced_until`: when it ends without a result, because nobody of it may report now.
    """

    now: datetime
    stage: str = "match"
    own_match: OwnMatchView | None = None
    sanctions: Sequence[Sanction] = ()
    silenced_until: datetime | None = None

    @property
    def may_report(self) -> bool:
        """Whether no sanction keeps the player from it."""
        return not keep_from(self.sanctions, SuspendedFrom.RESULTS)

    @property
    def version(self) -> str:
        """Another name whenever the page would show something else; begins with the stage."""
        return f"{self.whole_stage}-{version_of(*self._shown())}"

    @property
    def whole_stage(self) -> str:
        """The stage, with that of the match."""
        return f"{self.stage}.{self.own_match.stage}" if self.own_match else self.stage

    @property
    def every(self) -> int:
        """Seconds after which the page asks again, when nothing tells it to."""
        if self.stage in _MOVING:
            return 2
        match = self.own_match
        if match and match.stage == "confirmed" and match.is_ranked and match.rating_change is None:
            is_due = match.counts_at is None or match.counts_at <= self.now
            waits = is_due and not match.passed_over
            if waits and self.now - match.last_word_at < timedelta(minutes=5):
                return 2  # it is about to be rated
        return 5 if match and match.match.state in OPEN else 15

    @property
    def by_hand(self) -> int:
        """Seconds after which a page without JavaScript loads again, where no search has it sooner; 0: never.

        Long enough to reach a button.
        """
        return _BY_HAND.get(self.whole_stage, 30)

    def _shown(self) -> tuple[object, ...]:
        own_match = self.own_match
        sanctions = [sanction.pk for sanction in self.sanctions]
        if own_match is None:
            return (sanctions,)
        players = (*own_match.team, *own_match.others)
        reports = [player.report for player in players]
        words = [said and (said.outcome, said.left_early, said.place) for said in reports]
        beliefs = [
            (round(player.belief.value, own_match.decimals), player.belief.status)
            if player.belief
            else None
            for player in players
        ]
        return (
            sanctions,
            self.silenced_until,
            own_match.match.pk,
            own_match.match.due_at,
            [(one.pk, one.until) for one in own_match.absences],
            words,
            beliefs,
            own_match.rating_change.pk if own_match.rating_change else own_match.passed_over,
            own_match.statement and own_match.statement.at,
            own_match.counts_at is not None and own_match.counts_at <= self.now,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage(MatchPage):
    """What the page of a queue shows a visitor at `now`.

    stage   `visitor`: not signed in; `newcomer`: without a player in this game; `lent`: without one as long as that
            is merged into another account's; `elsewhere`: searches in another queue; `searching`; `asked`: whether
            still there; `offered`: is asked; `accepted`: the others are asked still; `match`: is in a match or has
            just been; `idle`: nothing yet
    card    figures of the queue, where the stage shows them
    lent    that merge, in words
    ended   why the last search here is over: `silent`, `away` when asked whether still there, `unanswered`,
            `declined` by one of the party, ended by an `operator`, the player or another of the party `suspended` or
            `other_suspended`, another has left it (`other_left`), or empty
    is_removed  whether the leader of the player's last party has just removed the player from it
    missed  while searching: whether an offer came to nothing because somebody else did not accept
    party   the player's, where matches are of teams
    cooling_until  while not searching: until when conduct keeps the player from it; None: it does not
    barred  those of the player and the party whom disputes keep from searching here, each with the matches of which
            one must be decided first
    span    while searching: how far apart the ratings of the ladder are, where that is known and may be shown
    """

    queue: Queue
    card: QueueCard | None = None
    lent: str = ""
    player: Player | None = None
    search: Search | None = None
    ended: str = ""
    missed: bool = False
    party: PartySeen | None = None
    is_removed: bool = False
    cooling_until: datetime | None = None
    barred: Sequence[tuple[Player, Sequence[int]]] = ()
    span: float | None = None

    @property
    def is_suspended(self) -> bool:
        """Whether the player may not search at all."""
        return keep_from(self.sanctions, SuspendedFrom.SEARCHING)

    @property
    def may_search(self) -> bool:
        """Whether nothing keeps the player from searching here."""
        kept = self.barred or self.is_suspended or self.cooling_until
        return self.queue.is_open and not kept

    @property
    def may_join_parties(self) -> bool:
        """Whether no sanction keeps the player from it."""
        return not keep_from(self.sanctions, SuspendedFrom.PARTIES)

    @property
    def is_duel(self) -> bool:
        """Whether one player meets one."""
        ladder = self.queue.ladder
        return (ladder.team_count, ladder.team_size) == (2, 1)

    @property
    def has_teams(self) -> bool:
        """Whether players can search together here."""
        return self.queue.ladder.team_size > 1

    @property
    def leads(self) -> bool:
        """Whether the player searches: alone, or as the leader of a party."""
        return self.party is None or (
            self.player is not None and self.party.leader_id == self.player.pk
        )

    @property
    def fits(self) -> bool:
        """Whether a team here has room for the whole party."""
        return self.party is None or len(self.party.members) <= self.queue.ladder.team_size

    @property
    def is_ranked(self) -> bool:
        """Whether ratings may be shown here."""
        return self.queue.ladder.mode == Mode.RANKED

    @property
    def gap(self) -> float:
        """How far the search reaches now, in rating points either way."""
        waited = self.search.waited if self.search else 0.0
        wide = self.queue.gap_start + self.queue.gap_per_second * waited
        return wide if self.queue.gap_cap is None else min(wide, self.queue.gap_cap)

    @property
    def widens(self) -> bool:
        """Whether the search still reaches further with every second."""
        cap = self.queue.gap_cap
        return self.queue.gap_per_second > 0 and (cap is None or self.gap < cap)

    @property
    def reach_now(self) -> Reach:
        """How far the search reaches, told without ratings."""
        return reach_of(self.queue, self.search.waited if self.search else 0.0)

    @property
    def reach_told(self) -> str:
        """The same in words. Where the page says that it reaches all, this does, too."""
        if self.is_ranked and self.reaches_all:
            return reach_in_words(Reach.NEARLY_ALL)
        return reach_in_words(self.reach_now)

    @property
    def reaches_all(self) -> bool:
        """Whether no rating of the ladder is too far away."""
        return self.span is not None and self.gap >= self.span

    @property
    def reach(self) -> float:
        """The gap as the page tells it: while it widens in steps, so that the page need not follow every second."""
        gap = self.gap
        if not self.widens or gap <= 0:
            return gap
        # Down to a whole 25; of smaller gaps, as on TrueSkill's scale, to half a unit of their first digit.
        step = 25.0 if gap >= 25 else 10 ** floor(log10(gap)) / 2
        return gap // step * step

    @property
    def rarely(self) -> int:
        """Seconds after which the page asks even while a stream is open: well within the queue's heartbeat."""
        return max(2, min(10, self.queue.heartbeat_seconds // 3))

    def _shown(self) -> tuple[object, ...]:
        search = self.search
        offer = search.offer if search else None
        return (
            *super(QueuePage, self)._shown(),
            self.queue.is_open,
            self.card and (self.card.waiting, self.card.playing, self.card.estimate),
            self.ended,
            self.missed,
            search and (search.ticket_id, search.queue_id),
            search and search.partner and search.partner.shown_at(self.now),
            (self.reaches_all or self.reach) if self.stage == "searching" else 0,
            self.reach_now if self.stage == "searching" else "",
            offer and (offer.id, offer.accepted),
            self.party and self.party.shown,
            self.is_removed,
            self.cooling_until,
            [(player.pk, matches) for player, matches in self.barred],
        )


def read_page(
    queue: Queue, user: User | AnonymousUser, now: datetime, *, is_there: bool = True
) -> QueuePage:
    """Read what the visitor sees on the page of a queue. For its player, looking is a sign of life; `is_there`: of
    somebody who is at the page.
    """
    found: dict[str, Any] = {"queue": queue, "now": now}
    if not user.is_authenticated:
        return QueuePage(**found, stage="visitor", card=_card_of(queue))
    player = Player.objects.filter(game=queue.ladder.game_id, user=user.pk).first()
    if player is None:
        if (merge := lent_by(user, queue.ladder.game_id)) is not None:
            return QueuePage(**found, stage="lent", lent=say_lent(merge), card=_card_of(queue))
        return QueuePage(**found, stage="newcomer", card=_card_of(queue))
    found["player"] = player
    if queue.ladder.team_size > 1:
        party = own_party(player.pk)
        found |= {"party": party, "is_removed": party is None and _is_removed(player, now)}
    search = status.look(player.pk, is_there=is_there)
    if search is not None and search.state in LIVE:
        found["search"] = search
        if search.queue_id != queue.pk:
            return QueuePage(**found, stage="elsewhere")
        if search.offer is not None:
            return QueuePage(**found, stage="accepted" if search.offer.is_accepted else "offered")
        if search.still_there_by is not None:
            return QueuePage(**found, stage="asked")
        over = [OfferState.DECLINED, OfferState.EXPIRED]
        missed = OfferTicket.objects.filter(ticket=search.ticket_id, offer__state__in=over)
        card = _card_of(queue, search.estimate)
        found |= {"card": card, "missed": missed.exists(), "span": rating_span(queue.ladder)}
        return QueuePage(**found, stage="searching")
    found["sanctions"] = told_to(player)
    page = QueuePage(**found, **_between_searches(player, queue, now))
    if page.own_match and not page.may_report:
        page = replace(page, silenced_until=silenced_until(page.own_match.match))
    if page.whole_stage == "match.playing":
        return page
    page = replace(page, cooling_until=standing_of([player.pk], now)[player.pk].cooling_until)
    if queue.ladder.mode != Mode.RANKED:
        return page
    # Who is kept out by disputes: the player, then others of the party.
    players = (
        [player, *(one for one in page.party.members if one.pk != player.pk)]
        if page.party
        else [player]
    )
    out = kept_out(queue.ladder.game, [one.pk for one in players])
    return replace(page, barred=[(one, out[one.pk]) for one in players if one.pk in out])


def _card_of(queue: Queue, known: Estimate | None = None) -> QueueCard:
    (card,) = cards_of_queues([queue], {queue.pk: known} if known else None)
    return card


def _between_searches(player: Player, queue: Queue, now: datetime) -> dict[str, Any]:
    """The match that is being played; else what happened last, for a while."""
    match = current_match(player.pk) or latest_match(player.pk)
    own_match = own_match_view(match, player.pk, now) if match else None
    if own_match and own_match.stage == "playing":
        return {"stage": "match", "own_match": own_match}
    ended_at, why = _last_end(player, queue, now)
    if own_match and own_match.last_word_at >= ended_at:
        here = own_match.match.ladder_id == queue.ladder_id
        fresh = own_match.last_word_at >= now - _REMEMBERED
        if own_match.match.state in OPEN or (here and fresh):
            return {"stage": "match", "own_match": own_match}
    known = estimate_for(queue, [player.pk])
    return {"stage": "idle", "ended": why, "card": _card_of(queue, known)}


def _is_removed(player: Player, now: datetime) -> bool:
    last = PartyMember.objects.filter(player=player).order_by("-id").first()
    if last is None or last.left_at is None:
        return False
    return last.removed and last.left_at >= now - _REMEMBERED


def _last_end(player: Player, queue: Queue, now: datetime) -> tuple[datetime, str]:
    """When the player's last search ended without a match; why, if it was here and not the player's doing."""
    members = TicketMember.objects.filter(player=player).order_by("-id").select_related("ticket")
    last = members.first()
    long_ago = now - 2 * _REMEMBERED
    if last is None or last.ticket.ended_at is None or last.ticket.state == TicketState.MATCHED:
        return long_ago, ""
    ticket = last.ticket
    ended_at = last.ticket.ended_at
    is_here = ticket.queue_id == queue.pk and ended_at >= now - _REMEMBERED
    if not is_here:
        return ended_at, ""
    if ticket.state == TicketState.CANCELLED:
        return ended_at, _who_cancelled(ticket, player)
    if ticket.asked_at is not None:
        return ended_at, "away"
    unanswered = OfferTicket.objects.filter(
        ticket=ticket, offer__state=OfferState.EXPIRED, accepted_at__isnull=True
    )
    return ended_at, "unanswered" if unanswered.exists() else "silent"


def _who_cancelled(ticket: Ticket, player: Player) -> str:
    """`operator`, who alone is written down; a sanction; of a party: one `declined`, or another has left it; empty: the
    player.
    """
    if AuditEntry.objects.filter(
        target_type=Ticket._meta.label_lower, target_id=str(ticket.pk), action="ticket.cancelled"
    ).exists():
        return "operator"
    ending = {SuspendedFrom.SEARCHING, SuspendedFrom.ALL}
    if ticket.party_id is not None:
        ending.add(SuspendedFrom.PARTIES)
    sanctions = in_force().filter(
        suspended_from__in=ending,
        imposed_at__lte=ticket.ended_at,
        player__in=TicketMember.objects.filter(ticket=ticket).values("player"),
    )
    if out := set(sanctions.values_list("player_id", flat=True)):
        return "suspended" if player.pk in out else "other_suspended"
    if ticket.party_id is None:
        return ""
    left = PartyMember.objects.filter(party=ticket.party_id, left_at=ticket.ended_at)
    if (seat := left.first()) is not None:  # which declines what was offered, too
        return "" if seat.player_id == player.pk else "other_left"
    declined = OfferTicket.objects.filter(ticket=ticket, declined_at__isnull=False)
    return "declined" if declined.exists() else ""
