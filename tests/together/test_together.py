"""The short form, and that it finds what was harmed. Looking for what breaks without a defence takes the command."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from matchmaking.models import Offence, TicketMember
from ratings.models import Player
from rooms.models import Room
from tests.emptying import rows_by_table
from tests.forms import is_full, often
from tests.matchmaking.machine.play import Playing, run
from tests.matchmaking.machine.promises import Watcher
from tests.together.deeds import Act
from tests.together.killed import kill_many
from tests.together.machine import Together
from tests.together.promises import QUESTIONS, got_in, places_and_cooling
from tests.together.scenes import SCENES
from tests.together.telling import tell
from tests.together.without import DEFENCES
from tests.together.world import Gathering, make_gathering

pytestmark = pytest.mark.django_db(transaction=True)


def test_promises_hold_in_many_histories() -> None:
    histories = often(6, 30)
    run(Together, make_gathering, QUESTIONS, runs=histories, steps=10, number=2)
    assert Playing.runs >= histories
    assert Playing.counts["rooms"] + Playing.counts["challenges"] > 0
    if is_full():
        assert Playing.counts["matches of rooms"] + Playing.counts["matches of challenges"] > 0


def test_promises_hold_whenever_a_process_is_killed() -> None:
    kills = kill_many(kills=often(3, 10), seed=2)
    assert kills.wrong == []
    assert kills.inside + kills.elsewhere == often(3, 10)
    assert "Wrong: nothing." in list(tell(kills))


def play(world: Gathering, scene: str) -> None:
    for step in SCENES[scene](0, 1, 0, 1):
        if isinstance(step, Act):
            assert step.do(world) in {"", "removed_from_room"}
        else:
            world.seconds += step


def let_the_removed_back() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms_roommember SET removed = false WHERE removed")


def forget_the_offence() -> None:
    Offence.objects.filter(kind="declined").delete()


def lose_a_ticket() -> None:
    TicketMember.objects.update(live=False)


@pytest.mark.parametrize(
    ("scene", "harm", "words"),
    [
        ("somebody is removed", let_the_removed_back, "a removed player who has slipped back"),
        ("an offer is declined", forget_the_offence, "nobody is charged with it"),
        ("a round begins", lose_a_ticket, "a member that does not follow its ticket"),
    ],
)
def test_what_is_harmed_is_found(scene: str, harm: Callable[[], None], words: str) -> None:
    world = make_gathering()
    watcher = Watcher(connection.get_connection_params(), QUESTIONS)
    play(world, scene)
    assert watcher.broken(world.told()) == []
    harm()
    assert any(words in found for found in watcher.broken(world.told()))
    watcher.close()


def test_whoever_gets_in_while_cooling_off_is_found() -> None:
    world = make_gathering()
    play(world, "somebody is to cool off")
    before = places_and_cooling(world.now)
    assert before[1]
    player = Player.objects.get(pk=next(iter(before[1])))
    number = world.number(player.pk)
    assert Act("open a room", number, 3).do(world) == "cooling_off"
    assert got_in(before, places_and_cooling(world.now)) == []
    with DEFENCES["conduct"]():
        assert Act("open a room", number, 3).do(world) == ""
    (room,) = Room.objects.all()
    assert got_in(before, places_and_cooling(world.now)) == [f"seat {room.pk}"]
    world.seconds += timedelta(days=2).total_seconds()
    assert got_in(before, places_and_cooling(world.now)) == []


def test_whoever_is_in_two_places_is_found() -> None:
    """A challenge whose challenger sits in a room begins no match; without that look, both hold."""
    world = make_gathering()
    watcher = Watcher(connection.get_connection_params(), QUESTIONS)
    for asked in (Act("open a room", 0, 3), Act("challenge", 0, 1), Act("look", 0)):
        assert asked.do(world) == ""
    assert Act("accept a challenge", 1, taste=1).do(world) == "player_not_open"
    assert Act("say one is there", 0).do(world) == "in_room"
    assert watcher.broken(world.told()) == []
    with DEFENCES["places"]():
        assert Act("accept a challenge", 1, taste=1).do(world) == ""
        assert Act("say one is there", 0).do(world) == ""
    assert watcher.broken(world.told()) == ["a player in two places"]
    watcher.close()


def test_a_world_leaves_nothing_to_the_next() -> None:
    world = make_gathering()
    for scene in SCENES:
        for step in SCENES[scene](2, 3, 0, 1):
            if isinstance(step, Act):
                step.do(world)
            else:
                world.seconds += step
    assert rows_by_table() != world.rows
    assert world.wrong == []
    world.clean()
    assert rows_by_table() == world.rows
