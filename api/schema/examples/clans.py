"""Examples of clans: Ann founds one, Ben applies and is accepted, and Cy is invited."""

from typing import Any

from api.schema.examples.example import ANN, BEN, CY, Example, page
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

_AT = "2026-11-21T19:02:11.704Z"
_FIELDS: dict[str, Any] = {
    "id": 5,
    "game": "arena",
    "name": "Wolves",
    "tag": "WLF",
    "note": "Evenings, Europe.",
    "access": "apply",
    "most": 20,
    "founded_at": _AT,
    "ended_at": None,
}
LISTED = {**_FIELDS, "size": 1}


def member(who: dict[str, Any], role: str) -> dict[str, Any]:
    """A member."""
    return {"player": who, "role": role, "since": _AT}


FOUNDED: dict[str, Any] = {
    **_FIELDS,
    "members": [member(ANN, "leader")],
    "invited": [],
    "applied": [],
    "role": "leader",
    "is_invited": False,
    "has_applied": False,
    "may_join": False,
    "may_apply": False,
}
BOTH = {**FOUNDED, "members": [member(ANN, "leader"), member(BEN, "member")]}
OF_BEN = {**BOTH, "role": "member"}
WITH_OFFICER = {**FOUNDED, "members": [member(ANN, "leader"), member(BEN, "officer")]}
APPLIED = {**FOUNDED, "role": None, "has_applied": True, "may_apply": True}
ASKED = {**FOUNDED, "applied": [{"player": BEN, "at": _AT}]}
INVITED = {**BOTH, "invited": [{"player": CY, "by": ANN, "at": _AT}]}
LED = {
    **FOUNDED,
    "members": [member(BEN, "leader"), member(ANN, "officer")],
    "role": "officer",
}
OTHER = {**FOUNDED, "access": "open", "note": "Everyone is welcome."}


def act(
    verb: str, shown: str, answer: dict[str, Any], who: str = "ann-17", **more: Any
) -> dict[str, Example]:
    """The example of what is done in a clan."""
    return {f"post_clans_by_clan_id_{verb}": Example({shown: answer}, by(who, **more))}


def gone(verb: str, who: str = "ben-17") -> dict[str, Example]:
    """The example of what leaves nothing to show."""
    return {f"post_clans_by_clan_id_{verb}": Example({}, by(who), 204)}


BOARD = {
    "counted": 3,
    "by": "mean",
    "results": [
        {
            "rank": 1,
            "clan": {"id": 5, "name": "Wolves", "tag": "WLF"},
            "rating": 1712.25,
            "listed": 7,
            "best": ANN,
        }
    ],
}
EXAMPLES: dict[str, Example] = {
    "get_ladders_by_slug_clans": Example({"One clan": BOARD}),
    "get_clans": Example({"One clan": page(LISTED)}),
    "post_clans": Example(
        {"The leader is in it": FOUNDED},
        by("ann-17", name="Wolves", tag="WLF", note="Evenings, Europe.", most=20),
        201,
    ),
    "get_clans_by_clan_id": Example({"Ben asks to come": ASKED}),
    **act("join", "Ben is in it", OF_BEN, "ben-17"),
    **act("apply", "Ben has applied", APPLIED, "ben-17"),
    **gone("take_back"),
    **gone("decline"),
    **gone("leave"),
    **act("invite", "Cy is invited", INVITED, member=35),
    **act("withdraw", "Nobody is invited", BOTH, member=35),
    **act("accept", "Ben is in it", BOTH, member=34),
    **act("turn_down", "Nobody asks to come", FOUNDED, member=34),
    **act("remove", "Ann is alone", FOUNDED, member=34),
    **act("officer", "Ben is an officer", WITH_OFFICER, member=34, officer=True),
    **act("leader", "Ben leads it now", LED, member=34),
    **act("settings", "Open to everyone", OTHER, access="open", note="Everyone is welcome."),
    **gone("dissolve", "ann-17"),
}
