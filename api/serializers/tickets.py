"""Tickets and what is offered to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from api.auth.callers import Caller
from api.serializers.games import Answer
from api.serializers.players import PlayerRefShape, ref_of
from api.serializers.queues import EstimateShape, estimate_of
from matchmaking.models import TicketState
from matchmaking.offers.line_up import MemberSeen
from matchmaking.tickets.status import OfferSeen, Search, TicketStanding

__all__ = ["OfferShape", "TicketShape", "TicketsStateShape", "ticket_of", "tickets_state_of"]


class TicketPlayerShape(PlayerRefShape):
    """A player of a ticket."""

    character = serializers.CharField(help_text="Chosen before the search; empty for none.")
    roles = serializers.ListField(
        child=serializers.CharField(), help_text="Roles the player would play. Empty: any."
    )


class OfferPlayerShape(PlayerRefShape):
    """A player of an offer."""

    character = serializers.CharField(
        allow_null=True, help_text="Null for opponents: hidden until all have accepted."
    )


class OfferTeamShape(serializers.Serializer[Any]):
    """A team of an offer."""

    size = serializers.IntegerField(help_text="Players.")
    players = OfferPlayerShape(
        many=True,
        allow_null=True,
        help_text="Null for opponents, where a player asks: hidden until all have accepted.",
    )


class OfferShape(serializers.Serializer[Any]):
    """A match that is offered, and waits for answers."""

    id = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    seconds_left = serializers.FloatField()
    accepted = serializers.IntegerField(help_text="Players who accepted, or whose party did.")
    of = serializers.IntegerField(help_text="Players in the offer.")
    is_accepted = serializers.BooleanField(
        help_text="Whether this ticket has. One player answers for a whole party."
    )
    team = serializers.IntegerField(help_text="The ticket's team, counted from 0.")
    teams = OfferTeamShape(
        many=True, help_text="The first plays the better side, unless `neutral`."
    )
    map = serializers.CharField(help_text="Empty where the game chooses.")
    neutral = serializers.BooleanField(help_text="Nobody plays the better side.")


class MapWishesShape(serializers.Serializer[Any]):
    """Maps by name."""

    veto = serializers.ListField(child=serializers.CharField())
    like = serializers.ListField(child=serializers.CharField())


class WishesShape(serializers.Serializer[Any]):
    """What a ticket wishes; empty: anything."""

    languages = serializers.ListField(child=serializers.CharField())
    regions = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text="Milliseconds to each region; null where not measured.",
    )
    styles = serializers.ListField(child=serializers.CharField())
    styles_wanted = serializers.ListField(child=serializers.CharField())
    rules = serializers.ListField(child=serializers.CharField())
    maps = MapWishesShape()
    own = serializers.DictField(child=serializers.FloatField())


class TicketShape(serializers.Serializer[Any]):
    """One wish to play."""

    id = serializers.IntegerField()
    queue = serializers.CharField(help_text="Short name of the queue.")
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    state = serializers.ChoiceField(choices=TicketState.values)
    players = TicketPlayerShape(many=True, help_text="The leader of a party first.")
    party = serializers.IntegerField(allow_null=True, help_text="Id of the party that searches.")
    wishes = WishesShape()
    waiting_since = serializers.DateTimeField()
    waited = serializers.FloatField(help_text="Seconds.")
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="Without a further sign of life; null unless it waits."
    )
    estimate = EstimateShape(
        help_text="From players rated alike where enough are known, else from all."
    )
    offer = OfferShape(allow_null=True)
    match = serializers.IntegerField(
        allow_null=True, help_text="Id of the match, once there is one."
    )


class TicketStateShape(serializers.Serializer[Any]):
    """Where a ticket stands."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TicketState.values)
    offer = serializers.IntegerField(
        allow_null=True, help_text="Id of the offer that waits for answers."
    )
    match = serializers.IntegerField(
        allow_null=True, help_text="Id of the match, once there is one."
    )


class TicketsStateShape(serializers.Serializer[Any]):
    """Where tickets stand."""

    results = TicketStateShape(many=True, help_text="By id; without those that are not there.")


def tickets_state_of(standings: Sequence[TicketStanding]) -> Answer:
    """Where tickets stand."""
    return {
        "results": [
            {"id": one.ticket_id, "state": one.state, "offer": one.offer_id, "match": one.match_id}
            for one in standings
        ]
    }


def ticket_of(search: Search, players: Sequence[MemberSeen], caller: Caller) -> Answer:
    """A ticket as it is now."""
    return {
        "id": search.ticket_id,
        "queue": search.queue,
        "ladder": search.ladder,
        "state": search.state.value,
        "players": [{**_member(one, caller), "roles": list(one.roles)} for one in players],
        "party": search.party_id,
        "wishes": _wishes(search.wishes),
        "waiting_since": search.waiting_since,
        "waited": search.waited,
        "expires_at": search.ends_at,
        "estimate": estimate_of(search.estimate),
        "offer": _offer(search.offer, caller) if search.offer else None,
        "match": search.match_id,
    }


def _member(member: MemberSeen, caller: Caller) -> Answer:
    return {**ref_of(member.player, caller), "character": member.character}


def _wishes(kept: Mapping[str, Any]) -> Answer:
    maps = kept.get("maps", {})
    lists = ("languages", "styles", "styles_wanted", "rules")
    return {
        **{name: kept.get(name, []) for name in lists},
        "regions": kept.get("regions", {}),
        "maps": {kind: maps.get(kind, []) for kind in ("veto", "like")},
        "own": kept.get("own", {}),
    }


def _offer(offer: OfferSeen, caller: Caller) -> Answer:
    return {
        "id": offer.id,
        "expires_at": offer.expires_at,
        "seconds_left": offer.seconds_left,
        "accepted": offer.accepted,
        "of": offer.of,
        "is_accepted": offer.is_accepted,
        "team": offer.team,
        "teams": [
            _team(team, caller, is_own=number == offer.team)
            for number, team in enumerate(offer.teams)
        ],
        "map": offer.map,
        "neutral": offer.is_neutral,
    }


def _team(team: Sequence[MemberSeen], caller: Caller, *, is_own: bool) -> Answer:
    """Whom it is against a player learns with the last acceptance; a server of the game knows before."""
    is_shown = is_own or caller.player is None
    players = [_member(one, caller) for one in team] if is_shown else None
    return {"size": len(team), "players": players}
