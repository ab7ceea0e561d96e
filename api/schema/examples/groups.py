"""Examples of groups: Ann makes one, Ben is invited and comes; and one by lot."""

from typing import Any

from api.schema.examples.example import ANN, BEN, CY, Example, page
from api.schema.examples.parties import ALONE as PARTY
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

_AT = "2026-11-21T19:02:11.704Z"
_FIELDS: dict[str, Any] = {
    "id": 9,
    "game": "arena",
    "name": "Evenings",
    "note": "From eight on.",
    "owner": ANN,
    "access": "invited",
    "most": 12,
    "random": False,
    "ends_at": None,
    "created_at": _AT,
}
LISTED = {**_FIELDS, "size": 1}


def member(who: dict[str, Any], doing: Any = None) -> dict[str, Any]:
    """A member."""
    return {"player": who, "since": _AT, "keeps": False, "doing": doing}


MADE: dict[str, Any] = {
    **_FIELDS,
    "members": [member(ANN, [])],
    "invited": [],
    "member": True,
    "shows": False,
    "may_join": False,
}
PLAYING = {"doing": "playing", "where": "Duel", "id": 2041, "since": "2026-11-21T19:10:00.000Z"}
INVITED = {**MADE, "invited": [{"player": BEN, "by": ANN, "at": _AT}]}
BOTH = {**MADE, "members": [member(ANN), member(BEN, [])]}
SEEN = {**MADE, "members": [member(ANN, []), member(BEN, [PLAYING])]}
LED = {**BOTH, "owner": BEN, "members": [member(ANN, []), member(BEN)]}
OTHER = {**MADE, "access": "open", "note": "Everyone is welcome."}
DRAWN = {
    **BOTH,
    "name": "Random group 10",
    "id": 10,
    "note": "",
    "access": "closed",
    "most": 4,
    "random": True,
    "ends_at": "2026-12-05T19:02:11.704Z",
    "members": [member(ANN), {**member(BEN, []), "keeps": True}],
}
SUGGESTED: dict[str, Any] = {
    "wanted": True,
    "players": [{"player": CY, "matches": 6, "liked": True}],
    "groups": [{**LISTED, "id": 11, "access": "open", "size": 7, "liked": 2}],
}
RANDOM: dict[str, Any] = {
    "wanted": True,
    "queue": "arena-duos",
    "language": "de",
    "offered": True,
    "size": 4,
    "days": 14,
    "draws_at": "2026-11-22T18:00:00.000Z",
}


def act(
    verb: str, shown: str, answer: dict[str, Any], who: str = "ann-17", **more: Any
) -> dict[str, Example]:
    """The example of what is done in a group."""
    return {f"post_groups_by_group_id_{verb}": Example({shown: answer}, by(who, **more))}


def gone(verb: str, who: str = "ben-17") -> dict[str, Example]:
    """The example of what leaves nothing to show."""
    return {f"post_groups_by_group_id_{verb}": Example({}, by(who), 204)}


EXAMPLES: dict[str, Example] = {
    "get_groups": Example({"One group": page(LISTED)}),
    "post_groups": Example(
        {"The owner is in it": MADE},
        by("ann-17", name="Evenings", note="From eight on.", most=12),
        201,
    ),
    "get_groups_by_group_id": Example({"Ben plays, and shows it": SEEN}),
    **act("join", "Both are in it", BOTH, "ben-17"),
    **gone("decline"),
    **gone("leave"),
    **act("invite", "Ben is invited", INVITED, member=34),
    **act("withdraw", "Nobody is invited", MADE, member=34),
    **act("remove", "Ann is alone", MADE, member=34),
    **act("owner", "Ben owns it now", LED, member=34),
    **act("settings", "Open to everyone", OTHER, access="open", note="Everyone is welcome."),
    **act("show", "Ben shows what he is at", {**BOTH, "shows": True}, "ben-17", shows=True),
    **act("keep", "Ben wants to keep it", DRAWN, "ben-17", keeps=True),
    **act("party", "Ann's party", PARTY),
    **gone("dissolve", "ann-17"),
    "get_me_suggestions": Example({"A friend and a group": SUGGESTED}),
    "patch_me_suggestions": Example({"A friend and a group": SUGGESTED}, by("ann-17", wanted=True)),
    "get_me_random_group": Example({"In the next draw": RANDOM}),
    "post_me_random_group": Example(
        {"In the next draw": RANDOM}, by("ann-17", queue="arena-duos", language="de")
    ),
}
