"""Whose conduct an operator with a player of its own may score, and whose name and id change."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matchmaking.models import Conduct
from ratings.matches.decide import abort
from ratings.matches.report import report
from ratings.merging.merge import merge
from ratings.models import Outcome, Player
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
WORDS = "This concerns a player of your own"


@pytest.fixture
def hall() -> Hall:
    return make_hall(3)


@pytest.fixture
def client(hall: Hall) -> Client:
    """Olga, whose player is number 1; Otto could decide in her place."""
    olga = User.objects.create_superuser("olga")
    User.objects.create_superuser("otto")
    Player.objects.filter(pk=hall.players[1].pk).update(user=olga)
    client = Client()
    client.force_login(olga)
    return client


def score(client: Client, player: Player, points: str) -> str:
    """Set a player's score as the page does; returns what the next page says."""
    kept = Conduct.objects.filter(pk=player.pk).exists()
    page = reverse("admin:matchmaking_conduct_change", args=[player.pk])
    sent = {"score": points, "note": "x"}
    if kept:
        sent["opened_as"] = client.get(page).context["opened_as"]
    else:
        page, sent["player"] = reverse("admin:matchmaking_conduct_add"), str(player.pk)
    return client.post(page, sent, follow=True).content.decode()


def test_nobody_scores_whom_the_own_player_is_to_meet(hall: Hall, client: Client) -> None:
    opponent, bystander, page = hall.players[0], hall.players[2], "admin:matchmaking_conduct_change"
    assert WORDS not in score(client, opponent, "0.5")  # too little to keep one from the others
    hall.join(0, 1)
    hall.sweep()
    with hall.at_now():  # while the offer waits for answers
        assert WORDS in client.get(reverse(page, args=[opponent.pk])).content.decode()
        assert WORDS in score(client, opponent, "9")
    hall.accept(0)
    match = hall.accept(1).match
    assert match is not None
    assert WORDS in score(client, opponent, "9")
    with hall.at_now():
        for player in hall.players[:2]:
            report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    assert WORDS in score(client, opponent, "9")  # it is disputed
    assert Conduct.objects.get(player=opponent).score == 0.5
    assert WORDS not in score(client, bystander, "4")
    with hall.at_now():
        abort(match_id=match.pk, note="x")
    assert WORDS not in score(client, opponent, "9")
    assert Conduct.objects.get(player=opponent).score == 9.0


def test_nor_gives_one_a_first_score(hall: Hall, client: Client) -> None:
    hall.join(0, 1)
    hall.sweep()
    with hall.at_now():
        assert WORDS in score(client, hall.players[0], "9")
    assert not Conduct.objects.exists()


def test_a_score_is_called_by_its_player(hall: Hall, client: Client) -> None:
    """Also after a save that was refused."""
    player = hall.players[2]
    score(client, player, "3")
    page = reverse("admin:matchmaking_conduct_change", args=[player.pk])
    opened = client.get(page)
    sent = {"opened_as": opened.context["opened_as"], "score": "7", "note": ""}
    refused = client.post(page, sent)
    assert "Say why" in refused.content.decode()
    for shown in (opened, refused):
        assert shown.context["subtitle"] == "player 2"


@pytest.mark.parametrize("what", ["name", "external_id"])
def test_nor_changes_an_opponents_name_or_id(hall: Hall, client: Client, what: str) -> None:
    """Whoever is known by another id reports nothing."""
    hall.join(0, 1)
    hall.sweep()
    opponent, bystander = hall.players[0], hall.players[2]
    page = "admin:ratings_player_change"
    for player, is_refused in ((opponent, True), (bystander, False)):
        with hall.at_now():
            address = reverse(page, args=[player.pk])
            form = client.get(address).context["adminform"].form
            sent = {"external_id": player.external_id, "name": player.name, "user": ""}
            changed = {**sent, what: f"new {player.pk}", "opened_as": form.opened_as}
            answer = client.post(address, changed, follow=True)
        assert (WORDS in answer.content.decode()) == is_refused
        assert Player.objects.filter(**{what: f"new {player.pk}"}).exists() != is_refused


@pytest.mark.parametrize("what", ["name", "external_id"])
def test_nor_those_of_a_player_who_counts_as_the_opponent(
    hall: Hall, client: Client, what: str
) -> None:
    """What the game reports under its id is the opponent's."""
    merged, opponent = hall.players[2], hall.players[0]
    merge(player=merged, into=opponent, by=None, note="x")
    hall.join(0, 1)
    hall.sweep()
    merged.refresh_from_db()
    with hall.at_now():
        address = reverse("admin:ratings_player_change", args=[merged.pk])
        form = client.get(address).context["adminform"].form
        sent = {"external_id": merged.external_id, "name": merged.name, "user": ""}
        changed = {**sent, what: "another", "opened_as": form.opened_as}
        answer = client.post(address, changed, follow=True)
    assert WORDS in answer.content.decode()
    assert not Player.objects.filter(**{what: "another"}).exists()
