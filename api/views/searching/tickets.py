"""Tickets: searching for a match, and answering what is offered."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import check_ticket, owner_of, player_for, tickets_of
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import Body, NothingBody
from api.contract.fields import ListOfField, NumberField, TruthField, WholeField
from api.contract.pages import PageBody, keys_by, link, page_shape
from api.contract.shapes import Answer
from api.serializers.searching.tickets import TicketShape, TicketsStateShape
from api.views.base import ApiView
from api.views.searching.ticket_bodies import WISHES, TicketBody, others_in
from foundation.postgresql.rows import BuiltOnce
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.models import Queue, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.offers import answer as offers
from matchmaking.offers.line_up import MemberSeen
from matchmaking.partners import ask
from matchmaking.refusals import UnknownQueueError
from matchmaking.tickets import lifecycle
from matchmaking.tickets.lifecycle import VOUCHED, Sign
from matchmaking.tickets.status import (
    Search,
    beat_and_look,
    beat_and_outline,
    searches_on,
    seen,
)

__all__ = [
    "AcceptView",
    "CancelView",
    "DeclineView",
    "HeartbeatView",
    "HeartbeatsView",
    "PartnerView",
    "StillThereView",
    "TicketView",
    "TicketsView",
]

_queue = BuiltOnce(lambda slug: Queue.objects.select_related("ladder").filter(slug=slug), str)
TicketsShape = page_shape("TicketsShape", TicketShape)


class AnswerBody(Body):
    """Which offer is answered."""

    offer = WholeField(required=False, help_text="Its id: then no other is answered by mistake.")


class PartnerBody(Body):
    """Whether a partner is wanted."""

    wanted = TruthField(help_text="false: no longer.")


class TicketsBody(Body):
    """Which tickets are meant."""

    tickets = ListOfField(child=WholeField(), min_length=1, max_length=1000, help_text="Their ids.")


class SignBody(Body):
    """What a sign of life tells."""

    idle_seconds = NumberField(
        required=False,
        min_value=0,
        max_value=86_400,
        help_text="For how long the player has done nothing in the game. Left out: the player is there.",
    )


class SignParameters(Body):
    """The same in an address, where numbers are texts."""

    idle_seconds = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=86_400,
        help_text="For how long the player has done nothing in the game. Left out: the player is there.",
    )


class TicketEndpoint(ApiView):
    """What the endpoints of tickets share."""

    tag = "Queues and tickets"

    def answer(self, ticket_id: int, status: int = 200) -> Response:
        """The ticket as it is now."""
        headers = {"Location": reverse("api:ticket", args=[ticket_id])} if status == 201 else None
        return Response(self._shown(*seen(ticket_id)), status=status, headers=headers)

    def beat_and_answer(self, ticket_id: int, idle: float | None) -> Response:
        """The same with a sign of life; `idle`: how long nobody has been there, None: not told. Http404 for what is not
        the caller's ticket.
        """
        sign = VOUCHED if idle is None else Sign(idle)
        try:
            found = beat_and_look(ticket_id, **owner_of(self.caller), sign=sign)
            return Response(self._shown(*found))
        except Ticket.DoesNotExist:
            raise Http404 from None

    def _shown(self, search: Search, members: list[MemberSeen]) -> Answer:
        return self.shown(TicketShape, search, members={search.ticket_id: members})


class TicketsView(TicketEndpoint):
    """The caller's tickets."""

    has_address = True
    access = {"GET": MAY_LOOK, "POST": MAY_ACT}
    query = {"GET": PageBody}
    problems = {
        "POST": (
            "archived",
            "unknown_queue",
            "unknown_player",
            "wrong_player_field",
            "wrong_game",
            "queue_closed",
            "wrong_wishes",
            "already_searching",
            "already_playing",
            "party_over",
            "not_in_party",
            "not_leader",
            "party_too_large",
            "member_searching",
            "member_playing",
            "too_many_disputes",
            "suspended",
            "cooling_off",
            "not_available",
            "member_disputes",
        )
    }

    @extend_schema(summary="Live tickets", responses=TicketsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Live tickets, oldest first: the player's own, or those of the server's game. Does not count as a sign of
        life.
        """
        given = self.parameters
        tickets = tickets_of(self.caller).filter(state__in=LIVE)
        ids, after = keys_by("pk", "t", tickets, given)
        found = searches_on(ids)
        page = {"results": [search for search, _ in found], "next": link(request, after)}
        members = {search.ticket_id: players for search, players in found}
        return Response(self.shown(TicketsShape, page, members=members))

    @extend_schema(summary="Search for a match", request=TicketBody, responses={201: TicketShape})
    def post(self, request: Request) -> Response:
        """Opens a ticket, of a party for all its members. Ask for it every few seconds: that keeps it alive, and tells
        when a match is offered. Whatever is not wished or chosen is left out.
        """
        given = self.body(TicketBody)
        player = player_for(self.caller, given.get("player"))
        queue = next(iter(_queue(given["queue"])), None)
        if queue is None:
            raise UnknownQueueError(given["queue"])
        ticket = lifecycle.join(
            queue=queue,
            player=player,
            party=given.get("party"),
            preferences={name: given[name] for name in WISHES if name in given},
            character=given.get("character", ""),
            roles=given.get("roles", ()),
            others=others_in(given, queue, by_player=self.caller.player is not None),
            wants_partner=given["partner"],
        )
        return self.answer(ticket.pk, status=201)


class TicketView(TicketEndpoint):
    """One ticket."""

    access = {"GET": MAY_LOOK}
    query = {"GET": SignParameters}

    @extend_schema(summary="A ticket", responses=TicketShape)
    def get(self, request: Request, ticket_id: int) -> Response:
        """The ticket as it is now: how long it has waited, what is offered, and the match once there is one. Asking
        is a sign of life.
        """
        return self.beat_and_answer(ticket_id, self.parameters.get("idle_seconds"))


class _AnswerView(TicketEndpoint):
    """An endpoint that does one thing to a ticket."""

    access = {"POST": MAY_ACT}

    @property
    def own_player(self) -> int | None:
        """The id of the player whose client calls; None for a server."""
        return None if self.caller.player is None else self.caller.player.pk

    def asked(self, ticket_id: int, reader: type[Body]) -> Any:
        """The checked body; refuses what is not the caller's ticket."""
        given = self.body(reader)
        check_ticket(self.caller, ticket_id)
        return given


class CancelView(_AnswerView):
    """Cancelling."""

    problems = {"POST": ("already_matched",)}

    @extend_schema(summary="Cancel a ticket", request=NothingBody, responses=TicketShape)
    def post(self, request: Request, ticket_id: int) -> Response:
        """Ends the search, and declines what is offered. When the match was faster the answer is `already_matched`;
        a ticket that is cancelled is never matched.
        """
        self.asked(ticket_id, NothingBody)
        lifecycle.cancel(ticket_id=ticket_id, declines=True, player=self.own_player)
        return self.answer(ticket_id)


class AcceptView(_AnswerView):
    """Accepting."""

    problems = {
        "POST": (
            "no_offer",
            "offer_over",
            "already_playing",
            "suspended",
            "cooling_off",
            "not_available",
        )
    }

    @extend_schema(summary="Accept an offer", request=AnswerBody, responses=TicketShape)
    def post(self, request: Request, ticket_id: int) -> Response:
        """Accepts what is offered to the ticket. With the last acceptance the match begins: `match` is its id."""
        given = self.asked(ticket_id, AnswerBody)
        offers.accept(ticket_id=ticket_id, offer_id=given.get("offer"))
        return self.answer(ticket_id)


class DeclineView(_AnswerView):
    """Declining."""

    problems = {"POST": ("no_offer", "offer_over", "already_matched")}

    @extend_schema(summary="Decline an offer", request=AnswerBody, responses=TicketShape)
    def post(self, request: Request, ticket_id: int) -> Response:
        """Declines what is offered; the ticket ends. The others wait on with the time they have waited."""
        given = self.asked(ticket_id, AnswerBody)
        offers.decline(ticket_id=ticket_id, offer_id=given.get("offer"), player=self.own_player)
        return self.answer(ticket_id)


class HeartbeatView(_AnswerView):
    """Signs of life."""

    @extend_schema(summary="Give a sign of life", request=SignBody, responses=TicketShape)
    def post(self, request: Request, ticket_id: int) -> Response:
        """Keeps the ticket alive. Asking for the ticket does the same."""
        return self.beat_and_answer(ticket_id, self.body(SignBody).get("idle_seconds"))


class StillThereView(_AnswerView):
    """The answer to “Still there?”."""

    @extend_schema(
        summary="Say that the player is still there", request=NothingBody, responses=TicketShape
    )
    def post(self, request: Request, ticket_id: int) -> Response:
        """Answers “Still there?” while `still_there_by` is not null: matches are found for the ticket again, and it
        keeps the time it has waited. A sign of life whose `idle_seconds` is small, or left out, does the same. A ticket
        that has ended stays so: its `state` tells.
        """
        self.asked(ticket_id, NothingBody)
        lifecycle.answer_still_there(ticket_id)
        return self.answer(ticket_id)


class PartnerView(_AnswerView):
    """The wish for a partner of the game."""

    problems = {"POST": ("no_partner",)}

    @extend_schema(summary="Want a partner", request=PartnerBody, responses=TicketShape)
    def post(self, request: Request, ticket_id: int) -> Response:
        """Says whether the players want a partner that the game supplies if nobody comes, such as a bot: for a match
        that is not rated. Once the ticket has waited for the queue's `partner_seconds` the game's server is asked, and
        the search goes on meanwhile. `false` withdraws that.
        """
        given = self.asked(ticket_id, PartnerBody)
        ask.want(ticket_id=ticket_id, wants=given["wanted"])
        return self.answer(ticket_id)


class HeartbeatsView(ApiView):
    """Signs of life of many tickets."""

    access = {"POST": MAY_ACT}
    tag = "Queues and tickets"

    @extend_schema(
        summary="Give signs of life of many", request=TicketsBody, responses=TicketsStateShape
    )
    def post(self, request: Request) -> Response:
        """Keeps up to 1,000 tickets alive and tells where each stands, also those that have ended: one request instead
        of one for each. Tickets that are not the caller's are left out.
        """
        given = self.body(TicketsBody)
        outlines = beat_and_outline(given["tickets"], **owner_of(self.caller))
        return Response(self.shown(TicketsStateShape, {"results": outlines}))
