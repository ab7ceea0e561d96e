"""What the endpoints of challenges share."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.response import Response

from api.auth.callers import Caller
from api.serializers.challenges import ChallengeShape
from api.views.base import ApiView
from challenges.models import Challenge
from foundation.postgresql.transactions import one_snapshot

__all__ = ["MAY_NOT_PLAY", "ChallengeEndpoint", "challenges_of"]

# Why one of the two may not play now.
MAY_NOT_PLAY = ("archived", "suspended", "cooling_off", "too_many_disputes", "player_not_open")


def challenges_of(caller: Caller) -> QuerySet[Challenge]:
    """The caller's: those a player has made or received, or those of a server's game."""
    if caller.player is not None:
        return Challenge.objects.filter(Q(challenger=caller.player) | Q(challenged=caller.player))
    return Challenge.objects.filter(ladder__game=caller.game)


class ChallengeEndpoint(ApiView):
    """An endpoint that answers with one challenge."""

    tag = "Challenges"

    def found(self, challenge_id: int) -> Challenge:
        """A challenge of the caller's; Http404 for all others."""
        return get_object_or_404(challenges_of(self.caller), pk=challenge_id)

    def answer(self, challenge: Challenge, status: int = 200) -> Response:
        """The challenge as it is now."""
        rows = Challenge.objects.select_related("ladder__game", "challenger", "challenged")
        with one_snapshot():
            found = rows.get(pk=challenge.pk)
        headers = {"Location": reverse("api:challenge", args=[found.pk])} if status == 201 else None
        return Response(self.shown(ChallengeShape, found), status=status, headers=headers)
