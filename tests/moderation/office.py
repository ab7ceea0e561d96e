"""A hall with matches, accounts of players, and moderators."""

from ipaddress import IPv6Address
from uuid import uuid4

from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from moderation.models import Case, PlayerReport, ReportKind
from moderation.report import report_player
from ratings.matches.start import start_match
from ratings.models import Match, Outcome
from tests.matchmaking.hall import Hall
from tests.matchmaking.visiting import say

__all__ = ["RIGHTS", "begun", "case_of", "make_moderator", "played", "reported", "visit"]

RIGHTS = (
    "decide_case change_match add_sanction change_sanction view_sanction change_player view_match"
    " change_offence"
)


def make_moderator(name: str, rights: str = RIGHTS) -> User:
    """An account of the staff with these rights."""
    user = User.objects.create_user(name, password="a good password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights.split()))
    return User.objects.get(pk=user.pk)


def visit(user: User) -> Client:
    """Signed in with the password just now, as the desk asks for.

    From an address of its own: sign-ins are limited by address, and tests beside this one sign in too.
    """
    client = Client(REMOTE_ADDR=str(IPv6Address(uuid4().int)))
    assert (
        client.post(
            "/accounts/login/", {"login": user.get_username(), "password": "a good password"}
        ).status_code
        == 302
    )
    return client


def begun(hall: Hall) -> Match:
    """A match of players 0 and 1, under way."""
    return start_match(ladder=hall.ladder, teams=[[hall.players[0].pk], [hall.players[1].pk]])


def played(hall: Hall) -> Match:
    """A confirmed match of players 0 and 1, which 0 has won."""
    match = begun(hall)
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    return Match.objects.get(pk=match.pk)


def reported(
    hall: Hall, kind: ReportKind = ReportKind.CHEATING, match: Match | None = None
) -> PlayerReport:
    """Player 1 reports player 0."""
    return report_player(
        reporter=hall.players[1],
        reported=hall.players[0],
        kind=kind,
        text="Saw through walls.",
        match_id=match.pk if match else None,
    )


def case_of(report: PlayerReport) -> Case:
    """Its case, as it is now."""
    return Case.objects.get(report=report)
