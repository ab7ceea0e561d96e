"""Ids in the game under which nobody becomes known: no address could name them, or no eye tell them apart."""

import unicodedata
from collections.abc import Collection

from django.utils.translation import gettext as _

from ratings.models import Game, Player

__all__ = ["has_breaks", "say_unfit", "unfit_among"]

_BREAKS = frozenset(
    {"Cc", "Zl", "Zp"}
)  # control characters, and what separates lines or paragraphs
_JOINERS = frozenset("\u200c\u200d")  # which some scripts and emoji are written with
_STEPS = frozenset({".", ".."})  # clients take them out of an address before they ask for it
_ENDING = "/tokens"  # `…/by-external-id/a/tokens` is where the tokens of `a` are made


def has_breaks(text: str) -> bool:
    """Whether there are control characters or line breaks in it."""
    return not text.isprintable() and any(unicodedata.category(sign) in _BREAKS for sign in text)


def unfit_among(game: Game | None, external_ids: Collection[str]) -> set[str]:
    """Those of the ids that no new player can have, and none in the game has from before (None: a game that is to be
    made). No query where none is such.
    """
    unfit = {name for name in external_ids if _is_unfit(name)}
    if not unfit:
        return set()
    known = Player.objects.filter(game=game, external_id__in=unfit)
    return unfit - set(known.values_list("external_id", flat=True))


def say_unfit(external_id: str) -> str:
    """Why nobody becomes known under such an id."""
    words = _(
        "“%(id)s” cannot be the id of a new player. Ids have no control characters and no line breaks, no signs that "
        "cannot be seen, such as marks of direction, are not white space alone, neither “.” nor “..”, and do not end "
        "in “%(ending)s”."
    )
    return words % {"id": repr(external_id)[1:-1], "ending": _ENDING}


def _has_unseen(text: str) -> bool:
    """Whether signs of direction or of no width are in it: two ids would look like one."""
    return not text.isprintable() and any(
        unicodedata.category(sign) == "Cf" and sign not in _JOINERS for sign in text
    )


def _is_unfit(external_id: str) -> bool:
    return (
        has_breaks(external_id)
        or _has_unseen(external_id)
        or external_id.isspace()
        or external_id in _STEPS
        or external_id.endswith(_ENDING)
    )
