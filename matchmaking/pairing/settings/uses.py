"""What every section of a condition says alike: whether it is a must, until when, and what breaking it costs."""

from typing import Any

from ratings.systems.parameters import choice, gettext_noop, number

__all__ = ["USES", "after", "seconds", "use"]

USES = "off", "must", "drop", "prefer"


def use(default: str) -> Any:
    return choice(
        default,
        *USES,
        label=gettext_noop("use"),
        help=gettext_noop(
            "Off; must: never broken; drop: a must until the player has waited for "
            "that long; prefer: forbids nothing, but costs."
        ),
    )


def after(default: float) -> Any:
    return number(
        default,
        0,
        3600,
        unit="s",
        label=gettext_noop("dropped after"),
        help=gettext_noop("Seconds of waiting after which a condition is dropped and only costs."),
    )


def seconds(default: float) -> Any:
    return number(
        default,
        0,
        3600,
        unit="s",
        label=gettext_noop("worth"),
        help=gettext_noop("Seconds that a player would wait to avoid it."),
    )
