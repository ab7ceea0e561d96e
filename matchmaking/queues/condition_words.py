"""Conditions of queues, and how far apart two tickets are by them, in words."""

from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext as _

from foundation.templatetags.display import percent
from matchmaking.pairing.condition import Condition, Shown
from matchmaking.templatetags.play import rounded

__all__ = ["USES", "condition_label", "distance_in_words", "in_unit"]

USES = {
    "must": pgettext_lazy("condition", "must"),
    "drop": pgettext_lazy("condition", "drop after some time"),
    "prefer": pgettext_lazy("condition", "prefer"),
}


def condition_label(name: str, kind: type[Condition] | None) -> str:
    """What people call a condition; one of a game's own that says nothing of itself is named as its class is."""
    label = ""
    if kind is not None:
        label = kind.label or (kind.section.title if kind.section else "")
    return gettext(label) if label else capfirst(name.replace("_", " "))


def in_unit(unit: str, value: float | None) -> str:
    """A figure with its unit; a dash for none."""
    return "–" if value is None else f"{rounded(value)}\u202f{unit}"


def distance_in_words(shown: Shown, value: float | None) -> str:
    """How far apart two are, as a condition says it."""
    match shown:
        case Shown.NUMBER:
            return rounded(value)
        case Shown.SHARE:
            return percent(value)
        case Shown.MILLISECONDS:
            return in_unit("ms", value)
        case Shown.FIT:
            return _("no match") if value is None or value >= 1 else _("fits")
