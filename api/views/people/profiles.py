"""What players tell of themselves, for finding people to play with."""

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import WordField
from api.contract.fields import ListOfField, TextField
from api.serializers.people.people import (
    AGE_GROUPS,
    PLAYS_FOR,
    TOLD,
    OwnProfileShape,
    ProfileShape,
)
from api.views.base import ApiView
from api.views.bodies import PlayerBody, WhoseBody
from api.views.people.others import whose
from foundation.countries import COUNTRIES
from foundation.postgresql.transactions import from_one_snapshot
from people.profiles import MOST_TAGS, profile_of, shown_profile, tell
from people.ties import friends_among
from ratings.merging.meant import meant_by
from ratings.models import Player

__all__ = ["OwnProfileView", "ProfileView"]


class OwnProfileBody(PlayerBody):
    """What to change; what is left out stays, and an empty text takes a thing back."""

    country = WordField(
        choices=sorted(COUNTRIES),
        required=False,
        allow_blank=True,
        error_messages={
            "invalid_choice": gettext_lazy(
                "Must be the two capital letters of a country, such as DE."
            )
        },
        help_text="Two letters, such as `DE`.",
    )
    country_told = WordField(choices=TOLD, required=False)
    age_group = WordField(choices=AGE_GROUPS, required=False, allow_blank=True)
    age_group_told = WordField(choices=TOLD, required=False)
    plays_for = WordField(choices=PLAYS_FOR, required=False, allow_blank=True)
    plays_for_told = WordField(choices=TOLD, required=False)
    tags = ListOfField(
        child=TextField(max_length=40),
        required=False,
        max_length=MOST_TAGS,
        help_text="Short names of tags that the game offers.",
    )
    tags_told = WordField(choices=TOLD, required=False)


class OwnProfileView(ApiView):
    """A player's own profile."""

    access = {"GET": MAY_ACT, "PATCH": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS, "PATCH": (*WHO_PROBLEMS, "unknown_tag")}
    tag = "People"

    @extend_schema(summary="The own profile", responses=OwnProfileShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """All that the player tells, who sees it, and which tags the game offers."""
        return self._shown(whose(self.caller, self.parameters))

    @extend_schema(
        summary="Change the own profile", request=OwnProfileBody, responses=OwnProfileShape
    )
    def patch(self, request: Request) -> Response:
        """Changes what is given. Queues and rooms may go by all of it, also by what is told for matching only."""
        given = dict(self.body(OwnProfileBody))
        player = whose(self.caller, given)
        given.pop("player", None)
        tags = given.pop("tags", None)
        tell(player=player, told=given, tags=tags)
        return self._shown(player)

    def _shown(self, player: Player) -> Response:
        return Response(self.shown(OwnProfileShape, profile_of(player.pk), player=player))


class ProfileView(ApiView):
    """What a player tells to whoever asks."""

    access = {"GET": PUBLIC}
    tag = "People"

    @extend_schema(summary="What a player tells of itself", responses=ProfileShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """To everyone what is for everyone; to the token of a friend also what is for friends."""
        player = meant_by(get_object_or_404(Player.objects.in_use(), pk=player_id))
        own = self.caller.player
        is_friend = own is not None and bool(friends_among(own.pk, [player.pk]))
        shown = shown_profile(
            player.pk, to_friend=is_friend, to_self=own is not None and own.pk == player.pk
        )
        return Response(self.shown(ProfileShape, shown))
