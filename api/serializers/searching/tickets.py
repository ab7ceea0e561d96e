"""Tickets and what is offered to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from api.contract.fields import with_fields
from api.contract.shapes import Answer, Shape
from api.serializers.players import PlayerRefShape
from api.serializers.searching.queues import EstimateShape
from matchmaking.models import TicketState
from matchmaking.offers.line_up import MemberSeen
from matchmaking.pairing.conditions import PREFERENCES
from matchmaking.pairing.preference import PreferenceKind
from matchmaking.tickets.status import OfferSeen, Search

__all__ = ["TicketShape", "TicketsStateShape", "wishes_of"]


class MemberShape(PlayerRefShape):
    """A player of a ticket or offer, and what goes with that."""

    id = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")

    def get_external_id(self, member: Any) -> str | None:
        return super().get_external_id(member.player)


class TicketPlayerShape(MemberShape):
    """A player of a ticket."""

    character = serializers.CharField(help_text="Chosen before the search; empty for none.")
    roles = serializers.ListField(
        child=serializers.CharField(), help_text="Roles the player would play. Empty: any."
    )


class OfferPlayerShape(MemberShape):
    """A player of an offer."""

    character = serializers.CharField(
        allow_null=True, help_text="Null for opponents: hidden until all have accepted."
    )


class OfferTeamShape(Shape):
    """A team of an offer."""

    size = serializers.IntegerField(help_text="Players.")
    players = OfferPlayerShape(
        many=True,
        allow_null=True,
        help_text="Null for opponents, where a player asks: hidden until all have accepted.",
    )


class OfferShape(Shape):
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
    neutral = serializers.BooleanField(
        source="is_neutral", help_text="Nobody plays the better side."
    )

    def get_teams(self, offer: OfferSeen) -> list[Answer]:
        """A player learns of the opponents with the last acceptance; a server of the game knows before."""
        knows_all = self._caller.player is None
        return [
            {"size": len(team), "players": team if knows_all or number == offer.team else None}
            for number, team in enumerate(offer.teams)
        ]


class MapWishesShape(Shape):
    """Maps by name."""

    veto = serializers.ListField(child=serializers.CharField())
    like = serializers.ListField(child=serializers.CharField())


def _field_of(kind: PreferenceKind) -> serializers.Field[Any, Any, Any, Any]:
    match kind:
        case PreferenceKind.WORDS | PreferenceKind.LANGUAGES:
            return serializers.ListField(child=serializers.CharField())
        case PreferenceKind.LATENCIES:
            return serializers.DictField(
                child=serializers.FloatField(allow_null=True),
                help_text="Milliseconds to each region; null where not measured.",
            )
        case PreferenceKind.MAPS:
            return MapWishesShape()


@with_fields(
    {name: _field_of(preference.kind) for name, preference in PREFERENCES.items()}, before="own"
)
class WishesShape(Shape):
    """What a ticket wishes; empty: anything."""

    own = serializers.DictField(child=serializers.FloatField())


class PartnerShape(Shape):
    """A partner that the game supplies if nobody comes, for a match that is not rated."""

    wanted = serializers.BooleanField(source="is_wanted", help_text="Whether the players want it.")
    available_at = serializers.DateTimeField(
        help_text="From when on the game's server is asked, where it is wanted."
    )
    request = serializers.IntegerField(
        source="request_id",
        allow_null=True,
        help_text="Id of the request, while the game is asked.",
    )
    answer_by = serializers.DateTimeField(
        allow_null=True, help_text="Until when the game may answer, while it is asked."
    )
    last = serializers.ChoiceField(
        choices=["", "declined", "expired"],
        help_text="What came of the request before; empty where there was none.",
    )


class TicketShape(Shape):
    """One wish to play."""

    id = serializers.IntegerField(source="ticket_id")
    queue = serializers.CharField(help_text="Short name of the queue.")
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    state = serializers.ChoiceField(choices=TicketState.values)
    players = TicketPlayerShape(many=True, help_text="The leader of a party first.")
    party = serializers.IntegerField(
        source="party_id", allow_null=True, help_text="Id of the party that searches."
    )
    wishes = WishesShape()
    waiting_since = serializers.DateTimeField()
    waited = serializers.FloatField(help_text="Seconds.")
    expires_at = serializers.DateTimeField(
        source="ends_at",
        allow_null=True,
        help_text="Without a further sign of life; null unless it waits.",
    )
    still_there_by = serializers.DateTimeField(
        allow_null=True,
        help_text="Until when its players may answer “Still there?”; null unless they are asked.",
    )
    still_there_left = serializers.FloatField(
        allow_null=True, help_text="Seconds until then; null unless they are asked."
    )
    estimate = EstimateShape(
        help_text="From players rated alike where enough are known, else from all."
    )
    partner = PartnerShape(
        allow_null=True, help_text="Null where the game supplies none for such a search."
    )
    offer = OfferShape(allow_null=True)
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="Id of the match, once there is one."
    )

    def get_players(self, search: Search) -> Sequence[MemberSeen]:
        members: Sequence[MemberSeen] = self.context["members"][search.ticket_id]
        return members

    def get_wishes(self, search: Search) -> Answer:
        return wishes_of(search.preferences)


class TicketStateShape(Shape):
    """Where a ticket stands."""

    id = serializers.IntegerField(source="ticket_id")
    state = serializers.ChoiceField(choices=TicketState.values)
    offer = serializers.IntegerField(
        source="offer_id", allow_null=True, help_text="Id of the offer that waits for answers."
    )
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="Id of the match, once there is one."
    )


class TicketsStateShape(Shape):
    """Where tickets stand."""

    results = TicketStateShape(many=True, help_text="By id; without those that are not there.")


def wishes_of(kept: Mapping[str, Any]) -> Answer:
    """What a ticket asks for, as `matchmaking.tickets.preferences` keeps it; what it does not is there, empty."""
    asked: Answer = {}
    for name, preference in PREFERENCES.items():
        if preference.parts:
            given = kept.get(name, {})
            asked[name] = {part.name: given.get(part.name, []) for part in preference.parts}
        else:
            asked[name] = kept.get(name, {} if preference.kind is PreferenceKind.LATENCIES else [])
    return {**asked, "own": kept.get("own", {})}
