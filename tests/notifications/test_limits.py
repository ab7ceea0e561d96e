"""However often a player asks another for something and takes it back, mails and pushes of it have a limit."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from api.site.delete_person import delete_player
from api.site.own_data import own_data
from challenges import answer, make
from challenges.make import Wanted
from foundation import clock
from groups import lifecycle, membership
from groups.party import invite_group
from matchmaking.parties import lifecycle as parties
from notifications.kinds import kinds
from notifications.models import Choice, Delivery, Notice, PushSubscription, Sent, Way
from notifications.reading import mark_passed
from notifications.retention import forget
from notifications.tell import tell
from people import befriend
from people.befriend import follow
from people.blocks import block
from ratings.models import Ladder, Player
from tests.matchmaking.hall import Hall, make_hall

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

FROM_ONE, FROM_ALL = 3, 5


@pytest.fixture
def hall(settings: Settings) -> Hall:
    """Of five players the first has an account, an address, a browser, and wants to be told everything everywhere."""
    settings.MAIL_CONFIGURED = True
    settings.NOTICES_FROM_ONE, settings.NOTICES_FROM_ALL = FROM_ONE, FROM_ALL
    hall = make_hall(players=5)
    user = User.objects.create_user("Ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email="ada@example.org", verified=True, primary=True)
    PushSubscription.objects.create(
        account=user, endpoint="https://push.example/1", p256dh="p", auth="a"
    )
    Player.objects.filter(pk=hall.players[0].pk).update(user=user)
    hall.players[0].refresh_from_db()
    for group in ("play", "people"):
        for way in Way:
            Choice.objects.create(player=hall.players[0], group=group, way=way, wanted=True)
    return hall


def propose(hall: Hall) -> None:
    wanted = Wanted(ladder=hall.ladder, at=clock.now() + timedelta(days=2))
    made = make.challenge(player=hall.players[1], other=hall.players[0], wanted=wanted)
    answer.withdraw(challenge_id=made.pk, player=hall.players[1])


def challenge(hall: Hall) -> None:
    wanted = Wanted(ladder=hall.ladder)
    made = make.challenge(player=hall.players[1], other=hall.players[0], wanted=wanted)
    answer.withdraw(challenge_id=made.pk, player=hall.players[1])


def ask_to_be_friends(hall: Hall) -> None:
    befriend.befriend(player=hall.players[1], other=hall.players[0])
    befriend.part(player=hall.players[1], other_id=hall.players[0].pk)


def invite(hall: Hall) -> None:
    group = lifecycle.make(player=hall.players[1], settings={"name": "Evenings"})
    membership.invite(group_id=group.pk, player_id=hall.players[0].pk, by=hall.players[1])
    lifecycle.dissolve(group_id=group.pk, by=hall.players[1])


def invite_into_a_party(hall: Hall) -> None:
    Ladder.objects.filter(pk=hall.ladder.pk).update(team_size=2)  # else nobody has parties
    group = lifecycle.make(player=hall.players[1], settings={"name": "Evenings", "access": "open"})
    membership.join(group_id=group.pk, player=hall.players[0])
    party, _others = invite_group(group_id=group.pk, by=hall.players[1])
    parties.leave_party(party_id=party.pk, player=hall.players[1])
    lifecycle.dissolve(group_id=group.pk, by=hall.players[1])


def say(sender: Player, receiver: Player, kind: str = "friend.asked") -> None:
    tell(kind, [receiver.pk], data={"by": sender.pk})


def sent(hall: Hall) -> int:
    return Sent.objects.filter(receiver=hall.players[0], sender=hall.players[1]).count()


@pytest.mark.parametrize(
    "ask", [propose, challenge, ask_to_be_friends, invite, invite_into_a_party]
)
def test_asking_and_taking_it_back_again_and_again(hall: Hall, ask: Callable[[Hall], None]) -> None:
    for number in range(1, FROM_ONE + 3):
        with hall.at_now():
            ask(hall)
        assert sent(hall) == min(number, FROM_ONE)
        hall.wait(2)
    hall.wait(3600)
    with hall.at_now():
        ask(hall)
    assert sent(hall) == FROM_ONE + 1


def test_what_goes_beyond_stands_on_the_site_for_whoever_wanted_it_by_mail_alone(
    hall: Hall,
) -> None:
    ada, other = hall.players[:2]
    Choice.objects.filter(player=ada, way="site").update(wanted=False)
    for _ in range(FROM_ONE):
        say(other, ada)
    assert not Notice.objects.filter(on_site=True).exists()
    assert Delivery.objects.filter(way="mail").count() == FROM_ONE
    assert Delivery.objects.filter(way="push").count() == FROM_ONE
    say(other, ada)
    assert Notice.objects.filter(on_site=True).count() == 1
    assert Delivery.objects.count() == 2 * FROM_ONE


def test_all_players_together_have_a_limit_too(hall: Hall) -> None:
    ada, *others = hall.players
    for _ in range(2):
        for other in others:
            say(other, ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL
    assert Delivery.objects.filter(way="mail").count() == FROM_ALL
    assert Notice.objects.filter(player=ada).count() == 8


def test_strangers_cannot_use_up_what_friends_have(hall: Hall) -> None:
    ada, friend, followed, *strangers = hall.players
    befriend.befriend(player=friend, other=ada)
    befriend.befriend(player=ada, other=friend)
    follow(player=ada, other=followed)
    Sent.objects.all().delete()
    Delivery.objects.all().delete()
    for _ in range(FROM_ONE):
        for stranger in strangers:
            say(stranger, ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL
    for known in (friend, followed):
        for _ in range(FROM_ONE + 1):
            say(known, ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL + 2 * FROM_ONE


def test_whom_one_blocks_counts_no_more(hall: Hall) -> None:
    ada, *others = hall.players
    for other in others[:2]:
        for _ in range(FROM_ONE):
            say(other, ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL
    say(others[2], ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL
    block(player=ada, other=others[0])
    say(others[2], ada)
    assert Sent.objects.filter(receiver=ada).count() == FROM_ALL + 1


def test_a_group_has_one_invitation_of_each_into_a_party(hall: Hall) -> None:
    """However many parties are opened and left; the last one's code is the one that is good."""
    Ladder.objects.filter(pk=hall.ladder.pk).update(team_size=2)  # else nobody has parties
    ada, other = hall.players[:2]
    group = lifecycle.make(player=other, settings={"name": "Evenings", "access": "open"})
    membership.join(group_id=group.pk, player=ada)
    for _ in range(3):
        party, _others = invite_group(group_id=group.pk, by=other)
        invite_group(group_id=group.pk, by=other)  # again changes nothing
        assert Notice.objects.get(kind="group.party").data["code"] == party.code
        parties.leave_party(party_id=party.pk, player=other)
    Notice.objects.update(created_at=clock.now() - timedelta(minutes=16))
    assert mark_passed() == 1


def test_each_of_several_receivers_is_counted_alone(hall: Hall) -> None:
    ada, one, other = hall.players[:3]
    for _ in range(FROM_ONE):
        say(one, ada)
    user = User.objects.create_user("Bea", "bea@example.org")
    EmailAddress.objects.create(user=user, email="bea@example.org", verified=True, primary=True)
    Player.objects.filter(pk=other.pk).update(user=user)
    Choice.objects.create(player=other, group="people", way="mail", wanted=True)
    tell("friend.asked", [ada.pk, other.pk], data={"by": one.pk})
    assert Sent.objects.get(receiver=other).sender == one
    assert Sent.objects.filter(receiver=ada).count() == FROM_ONE


def test_answers_and_what_time_tells_are_not_counted(hall: Hall) -> None:
    ada, other = hall.players[:2]
    for _ in range(FROM_ALL + 1):
        say(other, ada)
    Delivery.objects.all().delete()
    for kind in ("friend.agreed", "challenge.accepted", "appointment.reminded"):
        tell(kind, [ada.pk], data={"by": other.pk, "challenge": 1, "ladder": "Duel"})
    assert Delivery.objects.filter(way="mail").count() == 3
    assert Sent.objects.count() == FROM_ONE


def test_it_is_said_of_every_kind_that_names_a_player_whether_it_is_sent_unasked() -> None:
    named = [kind for kind in kinds() if kind.players]
    assert {kind.code for kind in named if kind.sender} == {
        "appointment.proposed",
        "challenge.made",
        "challenge.rematch",
        "clan.applied",
        "clan.invited",
        "friend.asked",
        "group.invited",
        "group.party",
    }
    # Bounded by what their readers have asked or agreed to; and one of moderators.
    assert {kind.code for kind in named if not kind.sender} == {
        "appointment.agreed",
        "appointment.called",
        "appointment.reminded",
        "challenge.accepted",
        "challenge.cancelled",
        "challenge.declined",
        "challenge.missed",
        "friend.agreed",
        "matches.annulled",
    }


def test_nothing_is_counted_of_whoever_is_told_on_the_site_alone(hall: Hall) -> None:
    say(hall.players[0], hall.players[1])
    assert Notice.objects.get().on_site
    assert not Sent.objects.exists()


def test_no_longer_than_it_counts_is_it_kept(hall: Hall) -> None:
    ada, one, other = hall.players[:3]
    with hall.at_now():
        say(one, ada)
        hall.wait(1800)
    with hall.at_now():
        say(other, ada)
        assert forget() == 0
        assert Sent.objects.count() == 2
        hall.wait(1800)
    with hall.at_now(), transaction.atomic():
        forget()
    assert Sent.objects.get().sender == other


def test_it_is_in_ones_own_data_and_goes_with_either(hall: Hall) -> None:
    ada, one, other = hall.players[:3]
    say(one, ada)
    say(other, ada)
    assert ada.user is not None
    (mine,) = own_data(ada.user)["players"]
    assert {row["sender"] for row in mine["mails_and_pushes_of_others"]} == {one.pk, other.pk}
    # Not in the sender's: it would tell what the receiver wants to be told, and whom it avoids.
    one.user = User.objects.create_user("One")
    one.save()
    (of_sender,) = own_data(one.user)["players"]
    assert of_sender["mails_and_pushes_of_others"] == []
    assert not any("caused" in name for name in of_sender)
    delete_player(one, by=None)
    assert Sent.objects.get().sender == other
    delete_player(ada, by=None)
    assert not Sent.objects.exists()
