"""Examples of what is said of matches: arranged, reported, decided, and sent when they are over."""

from typing import Any

from api.schema.examples.example import ANN, BEN, CY, DEE, Example

__all__ = ["EXAMPLES"]

BEGAN, ENDED = "2026-11-21T18:21:01.331Z", "2026-11-21T18:41:40.578Z"
PLAYING: dict[str, Any] = {
    "id": 881,
    "state": "playing",
    "due_at": "2026-11-21T21:21:01.331Z",
    "confirmed_at": None,
}
REPORTED = {**PLAYING, "state": "reported", "due_at": "2026-11-21T18:56:40.490Z"}
CONFIRMED = {**PLAYING, "state": "confirmed", "due_at": None, "confirmed_at": ENDED}
ABORTED = {**PLAYING, "state": "aborted", "due_at": None}

ARRANGED: dict[str, Any] = {
    "ladder": "squads",
    "teams": [["cy-17", "dee-17"], ["ann-17", "ben-17"]],
    "external_id": "evening-3",
    "map": "Canyon",
}
FOUR_ALONE: dict[str, Any] = {
    "ladder": "everyone",
    "teams": [["ann-17"], ["ben-17"], ["cy-17"], ["dee-17"]],
    "neutral": True,
}
WON: dict[str, Any] = {
    "A server, for a player": {"player": "ann-17", "outcome": "won"},
    "A player's own client": {"outcome": "lost", "left_early": True},
}
RESULT: dict[str, Any] = {
    "ranks": [1, 0],
    "scores": [7, 10],
    "minutes": {"ann-17": 20, "ben-17": 20, "cy-17": 20, "dee-17": 9.5},
    "player_scores": {"ann-17": 6, "ben-17": 4, "cy-17": 5, "dee-17": 2},
    "characters": {"cy-17": "Monk"},
    "left": ["dee-17"],
    "ended_at": ENDED,
}
CORRECTED: dict[str, Any] = {
    "ranks": [0, 1],
    "scores": [10, 7],
    "minutes": {"dee-17": 20},
    "reason": "The score was sent the wrong way round.",
    "corrections": 0,
}
PLAYED = {
    "ladder": "squads",
    "external_id": "evening-4",
    "teams": [["ann-17", "ben-17"], ["cy-17", "dee-17"]],
    "ranks": [0, 1],
    "played_at": "2026-11-21T18:50:00Z",
}
ALSO = {
    "scores": [3, 2],
    "player_scores": {"ann-17": 2, "ben-17": 1, "cy-17": 1, "dee-17": 1},
    "minutes": {"ann-17": 20, "ben-17": 20, "cy-17": 20, "dee-17": 20},
    "characters": {"ann-17": "Mage"},
    "map": "Moor",
    "neutral": True,
    "ended_at": "2026-11-21T19:32:00Z",
}
NEXT = {**PLAYED, "external_id": "evening-5", "played_at": "2026-11-21T19:12:00Z", **ALSO}
WRONG = {
    "status": "refused",
    "match": None,
    "code": "invalid_body",
    "detail": "Must be a time such as 2026-03-01T20:15:00Z, with its zone.",
    "pointer": "#/results/1/played_at",
    "given": '"yesterday"',
}
BATCH: dict[str, Any] = {
    "created": 1,
    "known": 0,
    "refused": 1,
    "results": [{"status": "created", "match": 882}, WRONG],
}


def member(one: dict[str, Any], score: float, character: str, *, left: bool = False) -> Any:
    """A player in the match."""
    return {
        "player": one,
        "left_early": left,
        "minutes": 9.5 if left else 20.0,
        "score": score,
        "character": character,
    }


def change(one: dict[str, Any], points: float, expected: float, actual: float) -> Any:
    """What the match did to a rating."""
    return {
        "player": one["id"],
        "points": points,
        "expected": expected,
        "actual": actual,
        "weight": 7.94,
        "rating_before": 25.0,
    }


MATCH: dict[str, Any] = {
    "id": 881,
    "external_id": "m-x7agGuBNiLHragarMLO2",
    "game": "my-game",
    "simulated": False,
    "ladder": "squads",
    "state": "confirmed",
    "map": "Canyon",
    "neutral": False,
    "rated": True,
    "played_at": BEGAN,
    "ended_at": ENDED,
    "due_at": None,
    "confirmed_at": ENDED,
    "teams": [
        {
            "team": 0,
            "outcome": "lost",
            "rank": 1,
            "score": 7.0,
            "members": [member(CY, 5.0, "Monk"), member(DEE, 2.0, "", left=True)],
            "partner": "",
        },
        {
            "team": 1,
            "outcome": "won",
            "rank": 0,
            "score": 10.0,
            "members": [member(ANN, 6.0, "Mage"), member(BEN, 4.0, "")],
            "partner": "",
        },
    ],
    "guests": [],
    "changes": [
        change(ANN, 3.97, 0.5, 1.0),
        change(BEN, 3.97, 0.5, 1.0),
        change(CY, -3.97, 0.5, 0.0),
        change(DEE, -1.89, 0.5, 0.0),
    ],
    "reports": [],
    "away": [],
    "corrections": [
        {
            "number": 1,
            "at": "2026-11-21T19:02:11.015Z",
            "by": "server",
            "reason": "Dee left earlier than was sent.",
            "before": [
                {"player": one["id"], "rank": rank, "score": score, "minutes": 20.0}
                for one, rank, score in ((CY, 1, 5.0), (DEE, 1, 2.0), (ANN, 0, 6.0), (BEN, 0, 4.0))
            ],
        }
    ],
    "server": None,
    "url": "https://play.example.org/matches/881/",
}

EXAMPLES = {
    "get_matches_by_match_id": Example({"Rated, for the game's server": MATCH}),
    "post_matches": Example(
        {"It has begun": PLAYING}, {"Two teams": ARRANGED, "Everyone alone": FOUR_ALONE}, 201
    ),
    "post_matches_by_match_id_reports": Example(
        {"One side has reported": REPORTED, "Both agree": CONFIRMED}, WON
    ),
    "post_matches_by_match_id_leave": Example(
        {"Reported as lost": REPORTED}, {"A server, for a player": {"player": "dee-17"}}
    ),
    "post_matches_by_match_id_result": Example(
        {"It counts": CONFIRMED}, {"Ranks alone": {"ranks": [1, 0]}, "All there is": RESULT}
    ),
    "post_matches_by_match_id_correction": Example(
        {"It counts as if it had always been so": CONFIRMED},
        {
            "Ranks alone": {"ranks": [0, 1], "reason": "Sent the wrong way round."},
            "All there is": CORRECTED,
        },
    ),
    "post_matches_by_match_id_abort": Example({"It does not count": ABORTED}),
    "post_results": Example({"The second was wrong": BATCH}, {"Two": {"results": [PLAYED, NEXT]}}),
}
