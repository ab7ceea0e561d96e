"""What a game tells of its players' behaviour in a match, and what can be wrong with it."""

import math
from collections.abc import Mapping
from http import HTTPStatus

from django.utils.translation import gettext as _

from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from ratings.matches.refusals import NotInMatchError
from ratings.models import Behaviour, Feature, Match, Participant

__all__ = ["FURTHEST", "UnknownFeatureError", "check_features", "give_behaviour"]

FURTHEST = 1e12  # from nothing: beyond that a sum of squares is no longer exact


class UnknownFeatureError(RefusedError):
    """The game has not declared a feature of this name. `extra` names it."""

    code = "unknown_feature"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def check_features(game_id: int, told: Mapping[str, Mapping[str, float]]) -> None:
    """Raise UnknownFeatureError for the first name that the game has not declared; `told` by whatever. One query."""
    declared = set(Feature.objects.filter(game=game_id).values_list("name", flat=True))
    for features in told.values():
        if strangers := features.keys() - declared:
            words = _("The game has declared no feature “%(name)s”. Declared are: %(known)s.")
            names = {"name": min(strangers), "known": ", ".join(sorted(declared)) or "–"}
            raise UnknownFeatureError(words % names, feature=min(strangers))


def give_behaviour(match: Match, told: Mapping[int, Mapping[str, float]]) -> None:
    """Keep what players of a match did, by their ids; what was told of one before is replaced, others keep theirs.

    The features must be checked. Raises NotInMatchError, and ValueError for what is not finite or beyond `FURTHEST`.
    """
    for features in told.values():
        for name, value in features.items():
            if not (math.isfinite(value) and abs(value) <= FURTHEST):
                raise ValueError(f"{name} is {value}: must be from {-FURTHEST} to {FURTHEST}")
    with briefly() as now:
        rows = Participant.objects.filter(match=match, player__in=told)
        found = dict(rows.values_list("player", "pk"))
        if strangers := told.keys() - found.keys():
            raise NotInMatchError(min(strangers))
        # In the order of ids, so that two calls at once do not wait for each other in a circle.
        kept = sorted((found[player], features) for player, features in told.items())
        Behaviour.objects.bulk_create(
            [Behaviour(participant_id=pk, features=dict(it), given_at=now) for pk, it in kept],
            update_conflicts=True,
            unique_fields=["participant"],
            update_fields=["features", "given_at"],
        )
