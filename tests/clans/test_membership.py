"""Coming into a clan and leaving it: open, by application, by invitation, and sent away."""

from typing import Any

import pytest

from clans import invitations, lifecycle, membership
from clans.models import Access, Application, Clan, Invitation, Membership
from clans.read import clan_seen
from config.maintenance.retention import forget
from groups.membership import MOST_INVITED
from notifications.models import Notice
from people import blocks
from people.wishes import choose
from ratings.models import Player, SanctionKind, SuspendedFrom
from ratings.sanctions import impose
from tests.clans.making import code_of, founded, joined, members
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def coming(hall: Hall, clan: Clan, number: int) -> tuple[str, str]:
    """How joining and applying end for a player."""
    given: dict[str, Any] = {"clan_id": clan.pk, "player": hall.players[number]}
    return code_of(membership.join, **given), code_of(membership.apply, **given)


def told(kind: str) -> list[int]:
    return sorted(Notice.objects.filter(kind=kind).values_list("player", flat=True))


def test_who_may_come_is_as_the_clan_chooses() -> None:
    hall = make_hall(5)
    clan = founded(hall, access="open")
    for number, (access, ends) in enumerate(
        [
            (Access.ALL, ("", "")),
            (Access.APPLY, ("clan_not_open", "")),
            (Access.INVITED, ("clan_not_open", "clan_not_open")),
            (Access.NOBODY, ("clan_not_open", "clan_not_open")),
        ],
        start=1,
    ):
        lifecycle.change(clan_id=clan.pk, by=hall.players[0], settings={"access": access})
        seen = clan_seen(clan := Clan.objects.get(), hall.players[number])
        assert seen.may_join == (access == Access.ALL)
        assert seen.may_apply == (access == Access.APPLY)
        assert coming(hall, clan, number) == ends
    assert members(clan) == [hall.players[0].pk, hall.players[1].pk]
    assert Application.objects.get().player == hall.players[2]


def test_the_leader_and_officers_accept_and_turn_down() -> None:
    hall = make_hall(5)
    one, two, three, four, five = hall.players
    clan = founded(hall, access="open")
    joined(hall, clan, 1, 2)
    lifecycle.appoint(clan_id=clan.pk, player_id=two.pk, by=one, is_officer=True)
    lifecycle.change(clan_id=clan.pk, by=one, settings={"access": "apply"})
    for player in (four, four, five):
        membership.apply(clan_id=clan.pk, player=player)
    assert told("clan.applied") == [one.pk, one.pk, two.pk, two.pk]
    for act in (membership.accept, membership.turn_down):
        given: dict[str, Any] = {"clan_id": clan.pk, "player_id": four.pk}
        assert code_of(act, **given, by=three) == "not_clan_officer"
        assert code_of(act, **given, by=five) == "not_in_clan"
    membership.accept(clan_id=clan.pk, player_id=four.pk, by=two)
    membership.turn_down(clan_id=clan.pk, player_id=five.pk, by=one)
    assert members(clan)[-1] == four.pk
    assert told("clan.accepted") == [four.pk]
    assert told("clan.applied") == []
    assert code_of(membership.accept, clan_id=clan.pk, player_id=five.pk, by=one) == "not_applied"
    membership.apply(clan_id=clan.pk, player=five)
    membership.take_back(clan_id=clan.pk, player=five)
    assert not Application.objects.exists()


def test_what_both_want_has_come() -> None:
    hall = make_hall(3)
    one, two, three = hall.players
    clan = founded(hall)
    membership.apply(clan_id=clan.pk, player=two)
    invitations.invite(clan_id=clan.pk, player_id=two.pk, by=one)
    invitations.invite(clan_id=clan.pk, player_id=three.pk, by=one)
    membership.apply(clan_id=clan.pk, player=three)
    assert members(clan) == [one.pk, two.pk, three.pk]
    assert not Invitation.objects.exists()
    assert told("clan.invited") == []


def test_a_player_is_in_one_clan_at_a_time() -> None:
    hall = make_hall(4)
    one, two, three, _four = hall.players
    clan = founded(hall, access="apply")
    other = founded(hall, 1, name="Foxes", tag="FOX", access="open")
    membership.apply(clan_id=clan.pk, player=three)
    joined(hall, other, 2)
    assert not Application.objects.exists()  # what is asked elsewhere is of no use any more
    assert coming(hall, clan, 2) == ("clan_not_open", "in_clan")
    invitations.invite(clan_id=clan.pk, player_id=three.pk, by=one)
    assert coming(hall, clan, 2) == ("in_clan", "in_clan")
    given = {"name": "Own", "tag": "OWN"}
    assert code_of(lifecycle.found, player=three, settings=given) == "in_clan"
    membership.leave(clan_id=other.pk, player=three)
    joined(hall, clan, 2)
    assert members(clan) == [one.pk, three.pk]
    assert members(other) == [two.pk]


def test_whoever_is_sent_away_comes_back_by_invitation() -> None:
    hall = make_hall(5)
    one, two, three, four, _five = hall.players
    clan = founded(hall, access="open")
    joined(hall, clan, 1, 2, 3)
    for player in (two, three):
        lifecycle.appoint(clan_id=clan.pk, player_id=player.pk, by=one, is_officer=True)
    given: dict[str, Any] = {"clan_id": clan.pk}
    for whom, by, code in (
        (one, two, "is_clan_leader"),
        (three, two, "not_clan_leader"),
        (two, four, "not_clan_officer"),
    ):
        assert code_of(membership.remove, **given, player_id=whom.pk, by=by) == code
    membership.remove(**given, player_id=four.pk, by=two)
    membership.remove(**given, player_id=three.pk, by=one)
    assert told("clan.removed") == [three.pk, four.pk]
    assert coming(hall, clan, 3) == ("clan_not_open", "clan_not_open")
    lifecycle.change(**given, by=one, settings={"access": "apply"})
    assert coming(hall, clan, 3) == ("clan_not_open", "clan_not_open")
    invitations.invite(**given, player_id=four.pk, by=two)
    joined(hall, clan, 3)
    assert members(clan) == [one.pk, two.pk, four.pk]


def test_after_the_leader_the_longest_officer_leads() -> None:
    hall = make_hall(4)
    one, two, three, four = hall.players
    clan = founded(hall, access="open")
    joined(hall, clan, 1, 2, 3)
    lifecycle.appoint(clan_id=clan.pk, player_id=three.pk, by=one, is_officer=True)
    for leaves, leads in ((one, three), (three, two), (two, four)):
        membership.leave(clan_id=clan.pk, player=leaves)
        assert Clan.objects.get().leader == leads
        assert not Membership.objects.get(player=leads).is_officer
    membership.leave(clan_id=clan.pk, player=four)
    assert Clan.objects.get().is_over
    assert told("clan.leads") == sorted([two.pk, three.pk, four.pk])


def test_blocks_and_wishes_keep_apart_without_a_word() -> None:
    hall = make_hall(4)
    one, two, three, four = hall.players
    clan = founded(hall, access="open")
    given: dict[str, Any] = {"clan_id": clan.pk, "by": one}
    blocks.block(player=two, other=one)
    assert coming(hall, clan, 1) == ("clan_not_open", "clan_not_open")
    assert code_of(invitations.invite, **given, player_id=two.pk) == "player_not_open"
    blocks.block(player=one, other=three)  # of which the other must not learn
    joined(hall, clan, 2)
    choose(player=four, chosen={"challenge": "nobody"})
    assert code_of(invitations.invite, **given, player_id=four.pk) == "player_not_open"
    assert code_of(invitations.invite, **given, player_id=10**9) == "player_not_open"
    assert told("clan.invited") == []


def test_whoever_is_suspended_comes_into_no_clan_and_nobody_else_is_told() -> None:
    hall = make_hall(3)
    one, two, _three = hall.players
    clan = founded(hall)
    membership.apply(clan_id=clan.pk, player=two)
    impose(
        player=two,
        by=None,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.PARTIES,
        reason="Cheats",
    )
    given: dict[str, Any] = {"clan_id": clan.pk, "player_id": two.pk, "by": one}
    assert code_of(membership.accept, **given) == "player_not_open"
    lifecycle.change(clan_id=clan.pk, by=one, settings={"access": "open"})
    assert coming(hall, clan, 1) == ("suspended", "suspended")


def test_with_a_suspension_applications_are_taken_back_as_by_the_player(
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Who accepted one would be told else that the player may come into no clan."""
    hall = make_hall(3)
    one, two, three = hall.players
    clan = founded(hall)
    for player, suspended_from in ((two, SuspendedFrom.PARTIES), (three, SuspendedFrom.TALK)):
        membership.apply(clan_id=clan.pk, player=player)
        with django_capture_on_commit_callbacks(execute=True):
            impose(
                player=player,
                by=None,
                kind=SanctionKind.SUSPENDED,
                suspended_from=suspended_from,
                reason="Cheats",
            )
    assert list(Application.objects.values_list("player", flat=True)) == [three.pk]
    given: dict[str, Any] = {"clan_id": clan.pk, "by": one}
    assert code_of(membership.accept, **given, player_id=two.pk) == "not_applied"


def test_so_many_ask_and_are_asked_at_a_time() -> None:
    hall = make_hall(3)
    clan = founded(hall)
    leaders = [
        Player.objects.create(game=clan.game, external_id=f"p{n}", name=f"Player{n}")
        for n in range(MOST_INVITED)
    ]
    for number, player in enumerate(leaders[: membership.MOST_APPLICATIONS]):
        made = lifecycle.found(
            player=player, settings={"name": f"Clan {number}", "tag": f"C{number}X"}
        )
        membership.apply(clan_id=made.pk, player=hall.players[1])
    assert coming(hall, clan, 1)[1] == "too_many_applications"
    Invitation.objects.bulk_create(
        Invitation(clan=clan, player=player, by=hall.players[0]) for player in leaders
    )
    given: dict[str, Any] = {"clan_id": clan.pk, "by": hall.players[0]}
    assert code_of(invitations.invite, **given, player_id=hall.players[2].pk) == "too_many_invited"


def test_what_nobody_answers_is_forgotten() -> None:
    hall = make_hall(3)
    with hall.at_now():
        clan = founded(hall)
        membership.apply(clan_id=clan.pk, player=hall.players[1])
        invitations.invite(clan_id=clan.pk, player_id=hall.players[2].pk, by=hall.players[0])
        assert "asked_of_clans" not in forget()
    hall.wait(31 * 86400)
    with hall.at_now():
        assert forget()["asked_of_clans"] == 2
    assert not Application.objects.exists()
    assert not Notice.objects.exists()
