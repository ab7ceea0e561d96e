"""Who may read what a player was told, and choose how: rows of `tests.api.matrix`."""

from tests.api.matrix import SERVERS_NAME, USE_TICKETS, Row, fixed, scoped

__all__ = ["ROWS"]

ROWS: list[Row] = [
    Row("alerts", "GET", fixed("me/alerts"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("alert", "PUT", fixed("me/alerts/search"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "alert",
        "DELETE",
        fixed("me/alerts/search"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
    ),
    Row("notices", "GET", fixed("me/notices"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "notices-read",
        "POST",
        fixed("me/notices/read"),
        scoped(*USE_TICKETS, **SERVERS_NAME),
        body={},
    ),
    Row("notice-choices", "GET", fixed("me/notices/choices"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "notice-choices",
        "POST",
        fixed("me/notices/choices"),
        scoped(*USE_TICKETS, **SERVERS_NAME),
        body={},
    ),
    Row(
        "push-browsers",
        "GET",
        fixed("me/notices/browsers"),
        scoped(*USE_TICKETS, status=409, **SERVERS_NAME),
    ),
    Row(
        "push-browsers",
        "POST",
        fixed("me/notices/browsers"),
        scoped(*USE_TICKETS, status=422),
        body={},
    ),
    Row(
        "push-browser",
        "DELETE",
        fixed("me/notices/browsers/1"),
        scoped(*USE_TICKETS, status=409, **SERVERS_NAME),
    ),
    Row(
        "notice", "DELETE", fixed("me/notices/1"), scoped(*USE_TICKETS, status=404, **SERVERS_NAME)
    ),
]
