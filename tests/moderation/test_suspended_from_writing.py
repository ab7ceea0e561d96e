"""Who is suspended from writing to others writes nothing that they read, wherever it stands."""

from collections.abc import Callable
from typing import Any

import pytest

from challenges import make
from challenges.make import Wanted
from clans import invitations
from clans import lifecycle as clans
from clans.models import Clan
from foundation.refusals import RefusedError
from groups import lifecycle as groups
from groups import membership
from groups.models import Membership
from matchmaking.models import Preference
from matchmaking.tickets.characters import check_kept
from moderation.rename import rename
from ratings.models import Facet, SanctionKind, SuspendedFrom
from ratings.sanctions import SuspendedError, impose
from ratings.tracks.parameters import create_track
from rooms import lifecycle as rooms
from tests.rooms.lounge import Lounge, make_lounge

pytestmark = pytest.mark.django_db


@pytest.fixture
def lounge() -> Lounge:
    """Player 0 has a group and a clan of player 0 alone, and is suspended since."""
    lounge = make_lounge(size=1)
    own = lounge.hall.players[0]
    groups.make(player=own, settings={"name": "Evenings"})
    clans.found(player=own, settings={"name": "Wolves", "tag": "WLF"})
    impose(
        player=own,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.TALK,
        reason="Insults.",
        by=None,
    )
    return lounge


def challenge(lounge: Lounge) -> None:
    own, other = lounge.hall.players[:2]
    make.challenge(player=own, other=other, wanted=Wanted(ladder=lounge.hall.ladder, note="Boo!"))


def open_room(lounge: Lounge) -> None:
    lounge.open(0, name="Boo all")


def rename_room(lounge: Lounge) -> None:
    room = lounge.open(1)
    lounge.join(room, 0)
    lounge.leave(room, 1)  # the host from now on is player 0
    room = lounge.reload(room)
    rooms.change_settings(room_id=room.pk, by=lounge.hall.players[0], settings={"name": "Boo all"})


def make_group(lounge: Lounge) -> None:
    groups.make(player=lounge.hall.players[0], settings={"name": "Boo all"})


def change_group(lounge: Lounge) -> None:
    own = lounge.hall.players[0]
    group = Membership.objects.get(player=own).group_id
    groups.change(group_id=group, by=own, settings={"note": "Boo all"})


def found_clan(lounge: Lounge) -> None:
    own = lounge.hall.players[0]
    clans.dissolve(clan_id=Clan.objects.get().pk, by=own)
    clans.found(player=own, settings={"name": "Boo all", "tag": "BOO"})


def change_clan(lounge: Lounge) -> None:
    own = lounge.hall.players[0]
    clans.change(clan_id=Clan.objects.get().pk, by=own, settings={"tag": "BOO"})


def invite_to_clan(lounge: Lounge) -> None:
    own, other = lounge.hall.players[:2]
    invitations.invite(clan_id=Clan.objects.get().pk, player_id=other.pk, by=own)


def invite(lounge: Lounge) -> None:
    own, other = lounge.hall.players[:2]
    group = Membership.objects.get(player=own).group_id
    membership.invite(group_id=group, player_id=other.pk, by=own)


def change_name(lounge: Lounge) -> None:
    rename(player=lounge.hall.players[0], name="Boo all")


def call_a_character(lounge: Lounge) -> None:
    lounge.hall.join(0, character="Boo all")


@pytest.mark.parametrize(
    "write",
    [
        challenge,
        open_room,
        rename_room,
        make_group,
        change_group,
        found_clan,
        change_clan,
        invite_to_clan,
        invite,
        change_name,
        call_a_character,
    ],
)
def test_it_is_refused(lounge: Lounge, write: Callable[[Lounge], None]) -> None:
    with lounge.hall.at_now(), pytest.raises(RefusedError) as refusal:
        write(lounge)
    assert refusal.value.code == "suspended"
    assert refusal.value.extra["suspended_from"] == SuspendedFrom.TALK


def test_a_character_that_others_play_is_none_of_its_words(lounge: Lounge) -> None:
    track = create_track(
        ladder=lounge.hall.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=False,
        facet=Facet.CHARACTER,
    )
    lounge.hall.rate({0: 1500.0}, track=track, facet="Own")
    with lounge.hall.at_now(), pytest.raises(RefusedError):
        lounge.hall.join(0, character="Own")
    lounge.hall.rate({1: 1500.0}, track=track, facet="Mage")
    lounge.hall.join(0, character="Mage")


def test_a_character_of_its_own_is_not_kept_any_more(
    lounge: Lounge, django_capture_on_commit_callbacks: Any
) -> None:
    """For good: if it came back once others play it, a party's leader could tell why it was missing."""
    hall = lounge.hall
    track = create_track(
        ladder=hall.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=False,
        facet=Facet.CHARACTER,
    )
    hall.rate({1: 1500.0}, track=track, facet="Mage")
    free, other = hall.players[2:4]
    for player, name in ((free, "Own"), (other, "Mage")):
        Preference.objects.create(
            player=player, queue=hall.queue, character=name, wishes={}, roles=[]
        )
        with django_capture_on_commit_callbacks(execute=True):
            impose(
                player=player,
                kind=SanctionKind.SUSPENDED,
                suspended_from=SuspendedFrom.TALK,
                reason="Insults.",
                by=None,
            )
    kept = dict(Preference.objects.values_list("player", "character"))
    assert kept == {free.pk: "", other.pk: "Mage"}
    with pytest.raises(SuspendedError):
        check_kept(hall.queue, free, "Own")
    check_kept(hall.queue, free, "Mage")
    check_kept(hall.queue, hall.players[3], "Mage")


def test_what_has_no_words_is_not(lounge: Lounge) -> None:
    own, other = lounge.hall.players[:2]
    with lounge.hall.at_now():
        make.challenge(player=own, other=other, wanted=Wanted(ladder=lounge.hall.ladder))
        group = Membership.objects.get(player=own).group_id
        groups.change(group_id=group, by=own, settings={"access": "closed"})
    room = lounge.open(2)
    lounge.join(room, 3)
