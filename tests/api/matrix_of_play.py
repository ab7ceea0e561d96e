"""Rows of what players do besides searching: rounds, avoid lists, feedback, friends, reports, conduct, own names."""

from api.auth.scopes import Scope
from tests.api.matrix import SERVERS_NAME, USE_TICKETS, Row, fixed, public, scoped

__all__ = ["ROWS"]

ROWS: list[Row] = [
    Row("queue-hours", "GET", fixed("queues/search/hours"), public()),
    Row("queue-rounds", "GET", fixed("queues/search/rounds"), public()),
    *(
        Row(
            f"round-{verb}",
            "POST",
            fixed(f"rounds/1/{verb}"),
            scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
            body={},
        )
        for verb in ("join", "leave")
    ),
    Row("avoided", "GET", fixed("me/avoided"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("avoided", "POST", fixed("me/avoided"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "avoided-player",
        "DELETE",
        fixed("me/avoided/1"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
    ),
    Row("feedback", "GET", fixed("me/feedback"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "feedback-player",
        "PUT",
        fixed("me/feedback/1"),
        scoped(*USE_TICKETS, status=422),
        body={},
    ),
    Row(
        "feedback-player",
        "DELETE",
        fixed("me/feedback/1"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
    ),
    *(
        row
        for name, one in (
            ("friends", "friend"),
            ("following", "followed-player"),
            ("blocked", "blocked-player"),
        )
        for row in (
            Row(name, "GET", fixed(f"me/{name}"), scoped(*USE_TICKETS, **SERVERS_NAME)),
            Row(name, "POST", fixed(f"me/{name}"), scoped(*USE_TICKETS, status=422), body={}),
            Row(
                one,
                "DELETE",
                fixed(f"me/{name}/1"),
                scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
            ),
        )
    ),
    Row("contact", "GET", fixed("me/contact"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("contact", "PATCH", fixed("me/contact"), scoped(*USE_TICKETS, **SERVERS_NAME), body={}),
    Row("player-reports", "GET", fixed("player-reports"), scoped(Scope.PLAY)),
    Row(
        "player-reports",
        "POST",
        fixed("player-reports"),
        scoped(*USE_TICKETS, status=422),
        body={},
    ),
    Row("appeals", "GET", fixed("appeals"), scoped(Scope.PLAY)),
    Row("appeals", "POST", fixed("appeals"), scoped(Scope.PLAY, status=422), body={}),
    Row("own-name", "GET", fixed("me/name"), scoped(Scope.PLAY)),
    Row("own-name", "PUT", fixed("me/name"), scoped(Scope.PLAY, status=422), body={}),
    Row("conduct", "GET", fixed("me/conduct"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "conduct-appeal",
        "POST",
        fixed("me/conduct/1/appeal"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
        body={"text": "It was my router."},
    ),
    Row("muted", "GET", fixed("me/muted"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("muted", "POST", fixed("me/muted"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "muted-player",
        "DELETE",
        fixed("me/muted/1"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
    ),
    # The game has no talk: only then is a stranger told the same as a member.
    *(
        Row(
            "talk",
            method,
            lambda world: f"talk/party/{world.party.pk}",
            scoped(*USE_TICKETS, status=409, **SERVERS_NAME),
            body=body,
        )
        for method, body in (("GET", None), ("POST", {"text": "Hello"}))
    ),
]
