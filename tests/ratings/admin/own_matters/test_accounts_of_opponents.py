"""The ways into the account of whom an operator with a player of its own plays are for somebody else to change."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from api.auth.issue import issue_token
from api.auth.scopes import Scope
from matchmaking.models import TicketState
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Match, Outcome, Player
from ratings.players.accounts import give_to
from tests.matchmaking.hall import make_hall
from tests.ratings.admin.own_matters.deciding import give
from tests.ratings.admin_cast import World

pytestmark = pytest.mark.django_db
WORDS = "This concerns a player of your own"
PASSWORD = "correct-horse-battery-staple"


@pytest.fixture
def bea(world: World) -> User:
    """Boris is hers."""
    user = User.objects.create_user("bea", "bea@example.org", PASSWORD)
    give_to(world.boris, user)
    EmailAddress.objects.create(user=user, email="bea@example.org", verified=True, primary=True)
    TOTP.activate(user, generate_totp_secret())
    User.objects.filter(pk=user.pk).update(has_second_factor=True)
    return user


@pytest.fixture
def match(world: World) -> Match:
    """Won, as its player says who may decide."""
    match = start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    report(match_id=match.pk, player_id=world.anna.pk, outcome=Outcome.WON)
    return match


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(name: str, user: User) -> str:
    return reverse(f"admin:accounts_user_{name}", args=[user.pk])


def said(client: Client, address: str, sent: dict[str, Any]) -> str:
    answer = client.post(address, sent, follow=True)
    return answer.content.decode()


def changed(client: Client, user: User, **sent: Any) -> str:
    """Save its form as it is, but for what is `sent`; an empty one leaves a box open."""
    address = page("change", user)
    shown = client.get(address)
    form = shown.context["adminform"].form
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    given = {**values, "opened_as": shown.context["opened_as"], **sent}
    return said(client, address, {name: value for name, value in given.items() if value})


def pages(user: User) -> list[str]:
    return [page(name, user) for name in ("end_access", "reset_factor", "reset_link")]


@pytest.mark.full
def test_of_an_opponent_they_are_left_alone(
    world: World, anna: User, other: User, bea: User, match: Match
) -> None:
    give(anna, "change_user", "view_user", "delete_user", "change_playertoken", "view_playertoken")
    boris = world.boris
    token, _ = issue_token(player=boris, scopes=[Scope.READ], name="x", expires_at=None)
    client, olga = signed_in(anna), signed_in(other)
    before = AuditEntry.objects.count()
    for one in pages(bea):
        shown = client.get(one).content.decode()
        assert WORDS in shown, one
        assert 'name="note"' not in shown, one
        assert WORDS in said(client, one, {"note": "x"}), one
        assert 'name="note"' in olga.get(one).content.decode(), one
    new = {"password1": "tr0ubador-and-more", "password2": "tr0ubador-and-more"}
    password = reverse("admin:auth_user_password_change", args=[bea.pk])
    assert WORDS in said(client, password, {**new, "usable_password": "true"})
    for sent in ({"is_active": ""}, {"username": "bea2"}):
        assert WORDS in changed(client, bea, **sent), sent
    revoking = reverse("admin:api_playertoken_change", args=[token.pk])
    opened_as = client.get(revoking).context["opened_as"]
    revoke = {"name": "x", "revoke": "on", "opened_as": opened_as}
    assert WORDS in said(client, revoking, revoke)
    address = EmailAddress.objects.get()
    if anna.is_superuser:  # who alone deletes what has an address
        assert WORDS in said(client, page("delete", bea), {"post": "yes"})
        for sent, one in (
            (
                {"email": "other@example.org"},
                reverse("admin:account_emailaddress_change", args=[1]),
            ),
            ({"email": "more@example.org"}, reverse("admin:account_emailaddress_add")),
            ({"post": "yes"}, reverse("admin:account_emailaddress_delete", args=[1])),
        ):
            at = one.replace("/1/", f"/{address.pk}/")
            opened = client.get(at).context.get("opened_as", "")
            assert WORDS in said(client, at, {"user": bea.pk, "opened_as": opened, **sent}), at
    assert AuditEntry.objects.count() == before
    assert EmailAddress.objects.get().email == "bea@example.org"
    assert Authenticator.objects.filter(user=bea).exists()
    now = User.objects.get(pk=bea.pk)
    assert (now.is_active, now.username, now.check_password(PASSWORD)) == (True, "bea", True)
    token.refresh_from_db()
    assert token.revoked_at is None
    assert "have ended" in said(olga, page("end_access", bea), {"note": "x"})


def test_what_leaves_them_alone_goes_on(anna: User, other: User, bea: User, match: Match) -> None:
    give(anna, "change_user", "view_user")
    assert WORDS not in changed(signed_in(anna), bea, first_name="Beatrice")
    assert User.objects.get(pk=bea.pk).first_name == "Beatrice"


def test_without_a_match_they_are_nobodys_matter(anna: User, other: User, bea: User) -> None:
    give(anna, "change_user", "view_user")
    assert "have ended" in said(signed_in(anna), page("end_access", bea), {"note": "x"})


@pytest.mark.parametrize("others", ["nobody", "owner", "no superuser"])
def test_who_is_alone_changes_them(anna: User, bea: User, match: Match, others: str) -> None:
    """The opponent itself does not count, nor who may not, for that has rights."""
    User.objects.filter(pk=anna.pk).update(is_superuser=True)
    if others != "nobody":
        User.objects.filter(pk=bea.pk).update(is_staff=True, is_superuser=others == "owner")
    if others == "no superuser":
        give(User.objects.create_user("carl", is_staff=True), "change_user", "view_user")
    assert "have ended" in said(signed_in(anna), page("end_access", bea), {"note": "x"})


def test_the_own_account_is_the_owners(anna: User, other: User, match: Match) -> None:
    give(anna, "change_user", "view_user")
    assert "have ended" in said(signed_in(anna), page("end_access", anna), {"note": "x"})


def test_so_are_they_while_a_match_is_offered() -> None:
    hall = make_hall(2)
    hall.join(0, 1)
    hall.sweep()
    assert hall.states(0, 1) == [TicketState.OFFERED] * 2
    olga, carl = User.objects.create_superuser("olga"), User.objects.create_user("carl")
    User.objects.create_superuser("otto")
    for player, user in zip(hall.players, (olga, carl), strict=True):
        Player.objects.filter(pk=player.pk).update(user=user)
    assert WORDS in said(signed_in(olga), page("end_access", carl), {"note": "x"})
