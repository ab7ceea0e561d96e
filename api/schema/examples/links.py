"""Where an answer leads: OpenAPI links, for the ways that callers go through the API.

A ticket leads to its offer and match, a match to its result, a party to its search, a player to ratings and matches.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LINKS"]


@dataclass(frozen=True, slots=True)
class Link:
    """A way on. `parameters` and `body` say which part of the answer is meant."""

    operation: str
    says: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, str] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """As OpenAPI has it."""
        told: dict[str, Any] = {"operationId": self.operation, "description": self.says}
        if self.parameters:
            told["parameters"] = dict(self.parameters)
        if self.body:
            told["requestBody"] = dict(self.body)
        return told


Links = dict[str, Link]


def _here(pointer: str) -> str:
    return f"$response.body#/{pointer}"


def _player(pointer: str = "id") -> Links:
    at = {"player_id": _here(pointer)}
    return {
        "player": Link("get_players_by_player_id", "The player.", at),
        "ratings": Link("get_players_by_player_id_ratings", "The player's ratings.", at),
        "history": Link("get_players_by_player_id_history", "How they came to be.", at),
        "matches": Link("get_players_by_player_id_matches", "The player's matches.", at),
        "avoid": Link("post_me_avoided", "Not to be matched.", body={"avoid": _here(pointer)}),
    }


def _match(pointer: str = "id") -> Links:
    at = {"match_id": _here(pointer)}
    return {
        "match": Link("get_matches_by_match_id", "The match.", at),
        "report": Link("post_matches_by_match_id_reports", "A player's word on it.", at),
        "result": Link("post_matches_by_match_id_result", "How the server saw it end.", at),
        "leave": Link("post_matches_by_match_id_leave", "A player gives it up.", at),
        "abort": Link("post_matches_by_match_id_abort", "It does not take place.", at),
        "correction": Link("post_matches_by_match_id_correction", "Its result was wrong.", at),
    }


def _ticket(pointer: str = "id") -> Links:
    at = {"ticket_id": _here(pointer)}
    return {
        "ticket": Link("get_tickets_by_ticket_id", "The search, and what is offered.", at),
        "heartbeat": Link("post_tickets_by_ticket_id_heartbeat", "A sign of life.", at),
        "accept": Link("post_tickets_by_ticket_id_accept", "Once `offer` is there.", at),
        "decline": Link("post_tickets_by_ticket_id_decline", "Once `offer` is there.", at),
        "still_there": Link(
            "post_tickets_by_ticket_id_still_there", "Once `still_there_by` is there.", at
        ),
        "partner": Link("post_tickets_by_ticket_id_partner", "If nobody comes.", at),
        "cancel": Link("post_tickets_by_ticket_id_cancel", "Stop searching.", at),
    }


def _party(pointer: str = "id") -> Links:
    at = {"party_id": _here(pointer)}
    return {
        "party": Link("get_parties_by_party_id", "The party.", at),
        "search": Link("post_tickets", "As its leader.", body={"party": _here(pointer)}),
        "leave": Link("post_parties_by_party_id_leave", "A member goes.", at),
    }


def _members(index: int) -> Links:
    at = {"party_id": _here("id")}
    other = {"member": _here(f"members/{index}/id")}
    return {
        "lead": Link("post_parties_by_party_id_lead", "Another member leads.", at, other),
        "remove": Link("post_parties_by_party_id_remove", "Send a member away.", at, other),
    }


def _only(links: Links, *names: str) -> Links:
    return {name: links[name] for name in names}


_JOIN = {"join": Link("post_parties_join", "With its code.", body={"code": _here("code")})}
_PARTY = {**_party(), **_JOIN}
_BOTH = {**_PARTY, **_members(1)}
# `match` is there once all have accepted.
_TICKET = {**_ticket(), **_only(_match("match"), "match")}
_LADDER = {"slug": _here("results/0/slug")}
_BY_NAME = {"external_id": "$request.path.external_id"}
_SERVED = {
    **_player(),
    "token": Link(
        "post_players_by_external_id_by_external_id_tokens", "For the player's client.", _BY_NAME
    ),
    "party": Link("post_parties", "Open one.", body={"player": _here("external_id")}),
    "search": Link("post_tickets", "For a match.", body={"player": _here("external_id")}),
}
_AVOIDED = {
    **_only(_player("player/id"), "player"),
    "remove": Link("delete_me_avoided_by_player_id", "Off it.", {"player_id": _here("player/id")}),
}

# By the operation's id in the description, and the status of the answer.
_MUTED: Links = {
    "remove": Link(
        "delete_me_muted_by_player_id", "Read them again.", {"player_id": _here("player/id")}
    ),
}
LINKS: Mapping[str, Mapping[int, Links]] = {
    "get_ladders": {
        200: {
            "ladder": Link("get_ladders_by_slug", "The first of them.", _LADDER),
            "leaderboard": Link("get_ladders_by_slug_leaderboard", "Who is best.", _LADDER),
            "matches": Link("get_ladders_by_slug_matches", "What is played.", _LADDER),
        }
    },
    "get_ladders_by_slug_leaderboard": {200: _player("results/0/player/id")},
    "get_ladders_by_slug_matches": {200: _only(_match("results/0/id"), "match")},
    "get_queues": {
        200: {
            "queue": Link("get_queues_by_slug", "The first of them.", _LADDER),
            "search": Link(
                "post_tickets", "Search there.", body={"queue": _here("results/0/slug")}
            ),
        }
    },
    "get_queues_by_slug": {
        200: {"search": Link("post_tickets", "Search there.", body={"queue": _here("slug")})}
    },
    "get_players": {200: _player("results/0/id")},
    "get_players_by_player_id": {200: _player()},
    "get_players_by_player_id_history": {200: _only(_match("results/0/match"), "match")},
    "get_players_by_player_id_matches": {200: _only(_match("results/0/id"), "match")},
    "get_players_by_external_id_by_external_id": {200: _SERVED},
    "put_players_by_external_id_by_external_id": {200: _SERVED, 201: _SERVED},
    "get_me": {
        200: {
            **_player("player/id"),
            **_only(_ticket("ticket/id"), "ticket", "cancel"),
            **_only(_party("party"), "party"),
            **{f"match-{name}": link for name, link in _match("match").items()},
        }
    },
    "get_me_avoided": {
        200: {
            "player": Link(
                "get_players_by_player_id",
                "The first of them.",
                {"player_id": _here("results/0/player/id")},
            )
        }
    },
    "post_me_avoided": {200: _AVOIDED, 201: _AVOIDED},
    "get_me_muted": {
        200: {
            "remove": Link(
                "delete_me_muted_by_player_id",
                "Read the first of them again.",
                {"player_id": _here("results/0/player/id")},
            )
        }
    },
    "post_me_muted": {200: _MUTED, 201: _MUTED},
    "post_parties": {201: _PARTY},
    "post_parties_join": {200: _BOTH},
    "get_parties_by_party_id": {200: _BOTH},
    "post_parties_by_party_id_lead": {200: {**_PARTY, **_members(0)}},
    "post_parties_by_party_id_remove": {200: _PARTY},
    "get_tickets": {200: _only(_ticket("results/0/id"), "ticket", "heartbeat")},
    "post_tickets": {201: _ticket()},
    "get_tickets_by_ticket_id": {200: _TICKET},
    "post_tickets_by_ticket_id_heartbeat": {200: _ticket()},
    "post_tickets_by_ticket_id_still_there": {200: _ticket()},
    "post_tickets_by_ticket_id_accept": {
        200: {
            **_only(_ticket(), "ticket"),
            **_match("match"),
        }
    },
    "get_queues_by_slug_rounds": {
        200: {
            "join": Link(
                "post_rounds_by_round_id_join",
                "Join the next one.",
                {"round_id": _here("results/0/id")},
            )
        }
    },
    "post_rounds_by_round_id_join": {
        200: {
            "leave": Link(
                "post_rounds_by_round_id_leave", "Leave it again.", {"round_id": _here("round")}
            )
        }
    },
    "get_matches": {200: _match("results/0/id")},
    "post_matches": {201: _match()},
    "get_matches_by_match_id": {
        200: {**_match(), **_only(_player("teams/0/members/0/player/id"), "player")}
    },
    "post_matches_by_match_id_reports": {200: _match()},
    "post_matches_by_match_id_leave": {200: _match()},
    "post_matches_by_match_id_result": {200: _only(_match(), "match", "result", "correction")},
    "post_matches_by_match_id_correction": {200: _only(_match(), "match", "correction")},
    "post_results": {200: _only(_match("results/0/match"), "match")},
}
