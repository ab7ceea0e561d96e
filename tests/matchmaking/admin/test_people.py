"""Parties, conduct and avoid lists, as operators see them."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from foundation import clock
from matchmaking import avoid_list
from matchmaking.models import Avoided, Conduct, Party, PartyMember
from matchmaking.parties import lifecycle as parties
from ratings.models import Ladder, Player
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    hall = make_hall(4)
    Ladder.objects.create(
        game=hall.ladder.game, slug="pairs", name="Pairs", team_count=2, team_size=2
    )
    return hall


@pytest.fixture
def party(hall: Hall) -> Party:
    with clock.at(NOON):
        party = parties.open_party(player=hall.players[0])
        parties.join_party(player=hall.players[1], code=party.code)
    return party


def page(name: str, *args: Any) -> str:
    return reverse(f"admin:matchmaking_{name}", args=args)


def test_parties_are_found_by_their_players_and_keep_their_code(
    party: Party, client: Client, hall: Hall
) -> None:
    listed = client.get(page("party_changelist"), {"q": "player 1"}).content.decode()
    assert "player 0, player 1" in listed
    none = client.get(page("party_changelist"), {"q": "player 3"}).content.decode()
    assert "player 0" not in none
    shown = client.get(page("party_change", party.pk)).content.decode()
    assert page("party_dissolve", party.pk) in shown
    assert party.code not in listed + shown
    presence = client.get(reverse("admin:ratings_player_change", args=[hall.players[1].pk]))
    assert page("party_change", party.pk) in presence.content.decode()


def test_a_party_is_dissolved_with_a_reason(party: Party, client: Client) -> None:
    address = page("party_dissolve", party.pk)
    assert "player 1" in client.get(address).content.decode()
    client.post(address, {"note": ""})
    assert PartyMember.objects.filter(live=True).count() == 2
    answer = client.post(address, {"note": "harassment"}, follow=True)
    assert "The party was dissolved." in answer.content.decode()
    assert not PartyMember.objects.filter(live=True).exists()
    entry = AuditEntry.objects.get(action="party.dissolved")
    assert (entry.note, entry.target_id) == ("harassment", str(party.pk))
    assert "has already ended" in client.get(address).content.decode()
    again = client.post(address, {"note": "again"}, follow=True)
    assert "dissolved." not in again.content.decode()
    assert AuditEntry.objects.filter(action="party.dissolved").count() == 1


def test_only_who_may_change_parties_dissolves_them(party: Party) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    assert clerk.get(page("party_dissolve", party.pk)).status_code == 403
    assert clerk.post(page("party_dissolve", party.pk), {"note": "x"}).status_code == 403
    assert clerk.get(page("party_changelist")).status_code == 403


def test_parties_take_as_many_queries_for_many_as_for_one(
    hall: Hall, client: Client, party: Party, django_assert_max_num_queries: Any
) -> None:
    for player in hall.players[2:]:
        parties.open_party(player=player)
    with django_assert_max_num_queries(9):
        client.get(page("party_changelist"))


def test_avoid_lists_are_counted_and_not_shown(hall: Hall, client: Client) -> None:
    assert Avoided not in admin.site._registry
    anna, boris, carl, _dora = hall.players
    address = reverse("admin:ratings_player_change", args=[anna.pk])
    assert "avoid list" not in client.get(address).content.decode()
    avoid_list.avoid(player=boris, other=anna)
    assert "On the avoid list of 1 player." in client.get(address).content.decode()
    avoid_list.avoid(player=carl, other=anna)
    shown = client.get(address).content.decode()
    assert "On the avoid lists of 2 players." in shown
    assert boris.name not in shown


def test_a_score_changes_with_a_reason_and_fades_from_then_on(hall: Hall, client: Client) -> None:
    anna, boris = hall.players[:2]
    Conduct.objects.create(player=anna, score=1.0, as_of=NOON)
    Conduct.objects.create(player=boris, score=7.5, as_of=NOON)
    listed = client.get(page("conduct_changelist")).content.decode()
    assert listed.index("player 1") < listed.index("player 0")
    address = page("conduct_change", boris.pk)
    opened_as = client.get(address).context["opened_as"]
    sent = {"opened_as": opened_as, "score": "2"}
    refused = client.post(address, sent)
    assert "Say why" in refused.content.decode()
    wrong = client.post(address, {**sent, "score": "-1", "note": "x"}).content.decode()
    assert "Score must be between 0 and 1,000; you gave -1." in wrong
    with clock.at(NOON.replace(hour=20)):
        client.post(address, {**sent, "note": "appeal upheld"})
    row = Conduct.objects.get(player=boris)
    assert (row.score, row.as_of.hour) == (2.0, 20)
    entry = AuditEntry.objects.get(action="conduct.changed")
    assert (entry.before, entry.after, entry.note) == (
        {"score": 7.5},
        {"score": 2.0},
        "appeal upheld",
    )
    found = client.get(page("conduct_changelist"), {"q": "player 1"}).content.decode()
    assert "player 1" in found
    assert "player 0" not in found


def test_a_score_is_given_to_somebody_with_a_clean_record(hall: Hall, client: Client) -> None:
    player = hall.players[2]
    assert client.get(page("conduct_add")).status_code == 200
    client.post(page("conduct_add"), {"player": player.pk, "score": "3", "note": "reports"})
    assert Conduct.objects.get(player=player).score == 3.0
    assert AuditEntry.objects.get(action="conduct.added").note == "reports"
    assert client.post(page("conduct_delete", player.pk), {"post": "yes"}).status_code == 403


def test_nobody_scores_the_own_conduct(hall: Hall, client: Client) -> None:
    """Unless nobody else may."""
    player, own = hall.players[2], Client()
    user = User.objects.create_superuser("paula")
    own.force_login(user)
    Player.objects.filter(pk=player.pk).update(user=user)
    sent = {"player": player.pk, "score": "3", "note": "x"}
    words = "This concerns a player of your own"
    assert words in own.post(page("conduct_add"), sent).content.decode()
    client.post(page("conduct_add"), sent)
    address = page("conduct_change", player.pk)
    opened = own.get(address)
    assert words in opened.content.decode()
    sent = {"opened_as": opened.context["opened_as"], "score": "0", "note": "x"}
    assert words in own.post(address, sent).content.decode()
    assert Conduct.objects.get(player=player).score == 3.0
    User.objects.exclude(pk=user.pk).update(is_active=False)
    own.post(address, sent)
    assert Conduct.objects.get(player=player).score == 0.0
