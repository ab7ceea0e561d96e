"""What the endpoints of clans share: which clan, how it is answered, and what they are called in the description."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.contract.bodies import Body, WordField
from api.contract.fields import TextField, WholeField
from api.serializers.people.clans import CLAN_ACCESS, ClanShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from clans.models import Clan
from clans.models.rules import MOST_MEMBERS
from clans.read import clan_seen
from clans.texts import LONGEST_NAME, SETTINGS
from foundation.postgresql.transactions import one_snapshot
from ratings.models import Player
from ratings.models.players import LONGEST_CLAN_TAG

__all__ = ["IN_CLAN", "ClanEndpoint", "ClanSettingsBody", "settings_in"]

IN_CLAN = (*WHO_PROBLEMS, "unknown_clan", "not_in_clan")


class ClanSettingsBody(PlayerBody):
    """How a clan is to be; what is left out stays, or is as clans usually are."""

    name = TextField(required=False, max_length=LONGEST_NAME, help_text="2 to 40 characters.")
    tag = TextField(
        required=False,
        max_length=LONGEST_CLAN_TAG,
        help_text="2 to 6 letters and digits of one script.",
    )
    note = TextField(
        required=False, allow_blank=True, max_length=300, help_text="Everybody reads it."
    )
    access = WordField(choices=CLAN_ACCESS, required=False)
    most = WholeField(
        required=False, min_value=2, max_value=MOST_MEMBERS, help_text="Members that it may have."
    )


def settings_in(given: dict[str, Any]) -> dict[str, Any]:
    """The settings in a body."""
    return {name: given[name] for name in SETTINGS if name in given}


class ClanEndpoint(ApiView):
    """Base of the endpoints of clans."""

    tag = "Clans"

    def answer(self, clan_id: int, player: Player | None, status: int = 200) -> Response:
        """The clan as it is now, as the player sees it."""
        with one_snapshot():
            seen = clan_seen(self.clan(clan_id), player)
        headers = {"Location": reverse("api:clan", args=[clan_id])} if status == 201 else None
        return Response(self.shown(ClanShape, seen), status=status, headers=headers)

    def clan(self, clan_id: int) -> Clan:
        """A clan of the caller's game. Http404 for others."""
        clans = Clan.objects.filter(game=self.caller.game).select_related("game")
        found = clans.filter(pk=clan_id).first()
        if found is None:
            raise Http404
        return found

    def asked(self, clan_id: int, reader: type[Body]) -> tuple[Player, Any]:
        """A player of the caller's, for a clan of the same game, and the checked body."""
        given = self.body(reader)
        player = player_for(self.caller, given.get("player"))
        self.clan(clan_id)
        return player, given
