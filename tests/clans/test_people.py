"""What becomes of clans when a person is deleted or merged, and what its own data tells."""

import pytest

from accounts.models import User
from api.site.delete_person import delete_player
from api.site.own_data import own_data
from clans import invitations, lifecycle, membership
from clans.models import Application, Clan, Invitation, Membership, Removal, Span
from notifications.models import Notice
from ratings.merging.merge import merge
from tests.clans.making import code_of, founded, joined, members, spans, tags
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account

pytestmark = pytest.mark.django_db


def test_whoever_is_deleted_leaves_its_clan_to_others_and_its_time_to_history() -> None:
    hall = make_hall(5)
    anna, bernd, carla, dora, emil = hall.players
    anna.call("Kai")
    anna.save()
    clan = founded(hall, name="Kai and friends", tag="KAI", note="Be kind.", access="open")
    joined(hall, clan, 1)
    alone = founded(hall, 2, name="Foxes", tag="FOX")
    other = founded(hall, 3, name="Bears", tag="BRS", note="Not for Kai.")
    invitations.invite(clan_id=clan.pk, player_id=dora.pk, by=anna)
    membership.apply(clan_id=other.pk, player=emil)
    for player in (anna, carla, emil):
        delete_player(player, by=None)
    for one in (clan, alone, other):
        one.refresh_from_db()
    assert (clan.leader, clan.name, clan.note) == (bernd, f"(removed) {clan.pk}", "")
    assert "KAI" not in clan.tag.upper()
    assert clan.tag in tags(hall)
    assert alone.is_over
    assert (alone.name, alone.tag) == ("Foxes", "FOX")
    assert "Kai" not in other.note
    assert spans(clan) == [(anna.pk, False), (bernd.pk, True)]
    assert not Application.objects.exists()
    assert not Invitation.objects.exists()
    assert not Notice.objects.filter(data__name__contains="Kai").exists()


def test_a_merged_players_clan_is_that_of_whom_it_counts_for() -> None:
    hall = make_hall(4)
    anna, bernd, old, _carla = hall.players
    clan = founded(hall, 2, access="open")
    joined(hall, clan, 1)
    other = founded(hall, 3, name="Foxes", tag="FOX")
    membership.apply(clan_id=other.pk, player=anna)
    merge(player=old, into=anna, by=None, note="the same person")
    clan.refresh_from_db()
    assert (clan.leader, set(members(clan))) == (anna, {anna.pk, bernd.pk})
    assert spans(clan) == [(old.pk, False), (bernd.pk, True), (anna.pk, True)]
    assert tags(hall) == ["WLF", "WLF", "", "FOX"]
    assert not Application.objects.exists()
    given = {"name": "Late", "tag": "LTE"}
    assert code_of(lifecycle.found, player=old, settings=given) == "unknown_player"


def test_whoever_is_in_a_clan_stays_there_when_another_is_merged_into_it() -> None:
    hall = make_hall(4)
    anna, bernd, old, _carla = hall.players
    clan, other = founded(hall), founded(hall, 1, name="Foxes", tag="FOX", access="open")
    joined(hall, other, 2)
    thrown = founded(hall, 3, name="Bears", tag="BRS", access="open")
    Removal.objects.create(clan=thrown, player=old)
    merge(player=old, into=anna, by=None, note="the same person")
    assert members(clan) == [anna.pk]
    assert members(other) == [bernd.pk]
    assert spans(other) == [(bernd.pk, True), (old.pk, False)]
    assert Removal.objects.filter(clan=thrown, player=anna).exists()


def test_own_data_tells_of_own_clans_and_of_nobody_elses_acts() -> None:
    hall = make_hall(3)
    make_account(hall, 0, "anna")
    anna, bernd, _carla = hall.players
    clan = founded(hall, 1, access="open")
    joined(hall, clan, 0)
    lifecycle.appoint(clan_id=clan.pk, player_id=anna.pk, by=bernd, is_officer=True)
    lifecycle.appoint(clan_id=clan.pk, player_id=anna.pk, by=bernd, is_officer=False)
    membership.remove(clan_id=clan.pk, player_id=anna.pk, by=bernd)
    own = founded(hall, 0, name="Foxes", tag="FOX")
    invitations.invite(clan_id=own.pk, player_id=hall.players[2].pk, by=anna)
    (told,) = own_data(User.objects.get(username="anna"))["players"]
    assert [(row["clan"], row["name"]) for row in told["clans"]] == [
        (clan.pk, "Wolves"),
        (own.pk, "Foxes"),
    ]
    assert told["clans"][0]["until"] is not None
    assert [row["player"] for row in told["has_invited_to_clans"]] == [hall.players[2].pk]
    assert "removed" not in str(sorted(told))
    assert Clan.objects.count() == 2
    assert Membership.objects.count() == Span.objects.filter(until=None).count() == 2
