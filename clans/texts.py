"""What a clan may be called: names and tags that can be read, hold no refused word, and look like no other clan's."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction

from clans.models import ClanRules
from clans.refusals import ClanTextTakenError, ClanTooLargeError, WrongClanTextError
from foundation.names import clean_name, mixed_word
from ratings.models import Game
from ratings.models.players import LONGEST_CLAN_TAG
from ratings.players.claim import refused_word

__all__ = ["LONGEST_NAME", "SETTINGS", "SHORTEST", "checked", "save_named"]

# What a leader sets, in the order of forms and of the API.
SETTINGS = ("name", "tag", "note", "access", "most")
SHORTEST, LONGEST_NAME = 2, 40


def checked(game: Game, given: dict[str, Any], rules: ClanRules, *, least: int) -> dict[str, Any]:
    """Those of `SETTINGS` that are given, as they may be kept. `least`: members there must be room for.

    Raises WrongClanTextError, ClanTooLargeError.
    """
    found = {name: given[name] for name in SETTINGS if name in given}
    for field in found.keys() & {"name", "tag", "note"}:
        text = clean_name(found[field]) if found[field].strip() else ""
        if field == "name" and not SHORTEST <= len(text) <= LONGEST_NAME:
            raise WrongClanTextError(field)
        if field == "tag" and not _is_tag(text):
            raise WrongClanTextError(field)
        if word := refused_word(game, text):
            raise WrongClanTextError(field, word)
        found[field] = text
    most = max(least, rules.most_members)
    if "most" in found and not least <= found["most"] <= most:
        raise ClanTooLargeError(least, most)
    return found


def save_named(save: Callable[[], None]) -> None:
    """Save a clan. Raises ClanTextTakenError where another one that is there has a name or tag that looks like its."""
    try:
        with transaction.atomic():
            save()
    except IntegrityError as error:
        for field in ("name", "tag"):
            if f"clan_{field}_unique" in str(error):
                raise ClanTextTakenError(field) from error
        raise


def _is_tag(text: str) -> bool:
    """Letters and digits of one script: nothing that could pass for part of a name, or for another tag."""
    return SHORTEST <= len(text) <= LONGEST_CLAN_TAG and text.isalnum() and not mixed_word(text)
