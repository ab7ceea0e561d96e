"""Valid requests that are refused rightly: rules that OpenAPI 3.1 cannot say, and what depends on what is there."""

from collections.abc import Mapping
from typing import Any

__all__ = ["EXPLAINED", "reason_of"]

# Why, and the codes with which it is refused; of `invalid_…`, also the code of each error.
EXPLAINED: Mapping[str, tuple[str, ...]] = {
    "more than one place of a leaderboard": (
        "invalid_parameter around",
        "invalid_parameter rank",
    ),
    "teams that the ladder does not have, or a player listed twice": ("wrong_players",),
    "a result that does not fit the match": ("wrong_result",),
    "a player who would avoid itself": ("avoids_itself",),
    "wishes that the queue does not know": ("wrong_wishes",),
    "a player who would challenge itself": ("challenges_itself",),
    "a player who would befriend, follow, block or report itself": (
        "player_is_yourself",
        "reports_itself",
        "mutes_itself",
    ),
    "settings of a room that the ladder does not take, or a room without a name": ("wrong_room",),
    "a report of somebody with whom there was no such match": (
        "not_in_match_together",
        "wrong_report",
    ),
    "a ladder on which two players do not meet, or a time too near or too far": (
        "wrong_challenge",
    ),
    "a ladder that is rated by results, where a server needs one rated by events": (
        "not_rated_by_events",
    ),
    "a name or tag of a clan with too few letters, or of several scripts": ("wrong_clan_text",),
    "behaviour by features that the game does not declare": ("unknown_feature",),
    "an id that no address can name": ("invalid_parameter external_id",),
    "an alert for some hours without how many, or hours of another": ("invalid_body with_until",),
    "signs to which Unicode gives no meaning": ("invalid_body invisible",),
    "a text of nothing but separators (U+001D), which are space here and not in patterns": (
        "invalid_body blank",
    ),
}


def reason_of(problem: Mapping[str, Any]) -> str:
    """Why a valid request was refused so; empty where nothing explains it, or not all of it."""
    code = problem.get("code", "")
    said = [code]
    if code == "invalid_parameter":
        said = [f"{code} {one.get('parameter')}" for one in problem["errors"]]
    elif code == "invalid_body":
        said = [f"{code} {one['code']}" for one in problem["errors"]]
    reasons = [next((why for why, codes in EXPLAINED.items() if one in codes), "") for one in said]
    return reasons[0] if all(reasons) else ""
