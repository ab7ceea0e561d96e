"""An operator who plays decides nothing of the own player, whatever the rights, as long as somebody else could."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.matches.annul_many import Chosen, annul_many
from ratings.matches.correct import correct
from ratings.matches.decide import annul
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Player, SanctionKind
from ratings.players.own_matters import OwnMatterError
from ratings.sanctions import impose, lift
from tests.ratings.admin_cast import World, make_world, told
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def world() -> World:
    return make_world(matches=2)


@pytest.fixture(params=["superuser", "staff"])
def anna(world: World, request: pytest.FixtureRequest) -> User:
    """She plays, and may decide."""
    user = User.objects.create_user("anna", is_staff=True)
    user.is_superuser = request.param == "superuser"
    user.save()
    rights = ["change_match", "change_sanction", "view_match"]
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    return user


@pytest.fixture
def other() -> User:
    """Who could decide in her place."""
    return User.objects.create_superuser("olga")


def disputed(world: World) -> Match:
    players = (world.anna.pk, world.boris.pk)
    match = start_match(ladder=world.ladder, teams=[[player] for player in players])
    for player in players:
        report(match_id=match.pk, player_id=player, outcome=Outcome.WON)
    return match


def decided(client: Client, match: Match) -> str:
    said = {"outcome": "0", "note": "I was there."}
    return told(client, reverse("admin:ratings_match_resolve", args=[match.pk]), said)


def test_an_own_dispute_is_for_somebody_else(world: World, anna: User, other: User) -> None:
    match, client = disputed(world), Client()
    client.force_login(anna)
    assert "concerns a player of your own" in decided(client, match)
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    client.force_login(other)
    assert "The dispute is decided" in decided(client, match)


@pytest.mark.parametrize("seen", ["closed", "player", "looks on", "nobody"])
def test_who_is_alone_decides(world: World, anna: User, seen: str) -> None:
    """With nobody besides who may."""
    if seen != "nobody":
        user = User.objects.create_user("olga", is_staff=seen != "player")
        user.is_active = seen != "closed"
        user.is_superuser = seen != "looks on"
        user.save()
    match, client = disputed(world), Client()
    client.force_login(anna)
    assert "The dispute is decided" in decided(client, match)


def test_nor_is_any_other_result_changed(world: World, anna: User, other: User) -> None:
    first, second = Match.objects.order_by("pk")
    sanction = impose(player=world.anna, kind=SanctionKind.WARNING, reason="x", by=other)
    with pytest.raises(OwnMatterError):
        annul(match_id=first.pk, by=anna, note="x")
    with pytest.raises(OwnMatterError):
        correct(match_id=first.pk, result=Result(ranks=(1, 0)), reason="x", by=anna)
    with pytest.raises(OwnMatterError):
        annul_many(Chosen(player=world.boris), by=anna, note="x")
    with pytest.raises(OwnMatterError):
        lift(sanction_id=sanction.pk, by=anna)
    lift(sanction_id=sanction.pk, by=other)
    annul(match_id=first.pk, by=other, note="x")
    annul(match_id=second.pk, by=None, note="by a command")
