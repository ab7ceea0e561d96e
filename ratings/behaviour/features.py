"""The features that a game declares."""

from django.utils.translation import gettext as _

from foundation.postgresql.transactions import briefly
from ratings.models import Feature, Game

__all__ = ["EASY_TO_FAKE", "declare", "is_easy_to_fake"]

# What a player raises without playing better: by pressing keys, by staying connected, or by saying so.
EASY_TO_FAKE = (
    "actions_per_minute",
    "apm",
    "clicks_per_minute",
    "keys_per_minute",
    "inputs_per_minute",
    "minutes",
    "playtime",
    "messages",
    "pings",
    "distance",
    "jumps",
)


def is_easy_to_fake(name: str) -> bool:
    """Whether the name is one of those that are known to be."""
    return name in EASY_TO_FAKE


def declare(
    game: Game,
    name: str,
    *,
    description: str | None = None,
    easy_to_fake: bool | None = None,
    is_used: bool | None = None,
) -> tuple[Feature, bool]:
    """Make a feature, or change what is given of one that is there; returns it, and whether it is new.

    A new one that is easy to fake is not used unless that is asked for. Raises ValidationError.
    """
    with briefly():
        # One after the other, so that none is beyond the limit.
        Game.objects.select_for_update(no_key=True).get(pk=game.pk)
        found = Feature.objects.filter(game=game, name=name).first()
        feature = found or Feature(game=game, name=name, easy_to_fake=is_easy_to_fake(name))
        if description is not None:
            feature.description = description
        if easy_to_fake is not None:
            feature.easy_to_fake = easy_to_fake
        if is_used is not None:
            feature.is_used = is_used
        elif found is None:
            feature.is_used = not feature.easy_to_fake
        feature.full_clean()
        feature.save()
    return feature, found is None


def words_on_faking(name: str) -> str:
    """What to tell an operator who uses a feature that is easy to fake."""
    words = _(
        "“%(name)s” is easy to fake: whoever knows that it counts can raise it without playing better."
    )
    return words % {"name": name}
