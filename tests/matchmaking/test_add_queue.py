"""Ladders and queues made from the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from matchmaking.models import Queue
from ratings.models import Ladder, Mode

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue().strip()


def test_a_ladder_with_its_game_track_and_queue() -> None:
    assert (
        run("add_ladder", "duel", "--game", "pong", "--system", "elo") == "Ladder duel was added."
    )
    ladder = Ladder.objects.get()
    assert (ladder.game.slug, ladder.mode, ladder.name) == ("pong", Mode.RANKED, "Duel")
    assert ladder.tracks.get().system == "elo"
    assert ladder.tracks.get().shown
    assert run("add_queue", "duel", "--ladder", "duel") == "Queue duel was added."
    assert Queue.objects.get().name == "Duel"


def test_a_ladder_of_teams() -> None:
    run("add_ladder", "squads", "--game", "pong", "--teams", "2", "--size", "3")
    ladder = Ladder.objects.get()
    assert (ladder.team_count, ladder.team_size) == (2, 3)
    assert ladder.tracks.get().system == "trueskill"
    assert run("add_ladder", "squads", "--game", "pong", "--size", "3").endswith("already exists.")
    with pytest.raises(CommandError, match="2 teams of 3, not 4 of 1; they do not change"):
        run("add_ladder", "squads", "--game", "pong", "--teams", "4")
    with pytest.raises(CommandError, match="rates one against one"):
        run("add_ladder", "more", "--game", "pong", "--size", "2", "--system", "elo")
    with pytest.raises(CommandError, match="must be a whole number from 2 to 100"):
        run("add_ladder", "more", "--game", "pong", "--teams", "1")


def test_the_same_again_changes_nothing() -> None:
    for words in ("was added.", "already exists."):
        assert run("add_ladder", "duel", "--game", "pong").endswith(words)
        assert run("add_queue", "fast", "--ladder", "duel").endswith(words)
    assert Ladder.objects.count() == Queue.objects.count() == 1


def test_a_normal_ladder() -> None:
    run("add_ladder", "casual", "--game", "pong", "--mode", "normal")
    assert Ladder.objects.get().mode == Mode.NORMAL
    with pytest.raises(CommandError, match="modes do not change"):
        run("add_ladder", "casual", "--game", "pong")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("add_ladder", "two words", "--game", "pong"), "two words"),
        (("add_ladder", "duel", "--game", "pong", "--system", "chess"), "chess"),
        (("add_queue", "duel", "--ladder", "nowhere"), "nowhere"),
        (("add_queue", "two words", "--ladder", "known"), "slug"),
    ],
)
def test_what_is_wrong_is_named(words: tuple[str, ...], complaint: str) -> None:
    run("add_ladder", "known", "--game", "pong")
    with pytest.raises(CommandError, match=complaint):
        run(*words)
    assert Ladder.objects.count() == 1


def test_a_queue_stays_with_its_ladder() -> None:
    run("add_ladder", "duel", "--game", "pong")
    run("add_ladder", "blitz", "--game", "pong")
    run("add_queue", "fast", "--ladder", "duel")
    with pytest.raises(CommandError):
        run("add_queue", "fast", "--ladder", "blitz")


def test_the_times_of_a_queue() -> None:
    run("add_ladder", "duel", "--game", "pong")
    run("add_queue", "slow", "--ladder", "duel", "--accept-seconds", "600")
    queue = Queue.objects.get()
    assert (queue.accept_seconds, queue.heartbeat_seconds) == (600, 60)
    with pytest.raises(CommandError, match="3600"):
        run("add_queue", "slower", "--ladder", "duel", "--heartbeat-seconds", "3601")


def test_strategy_and_settings_of_a_queue_of_teams() -> None:
    run("add_ladder", "squads", "--game", "pong", "--teams", "2", "--size", "3")
    given = ("language.use=must", "teams.roles=tank 1; healer 2", "language.after=30")
    sets = [word for one in given for word in ("--set", one)]
    run("add_queue", "squads", "--ladder", "squads", "--strategy", "buckets", *sets)
    queue = Queue.objects.get()
    assert queue.strategy == "buckets"
    # 30 seconds is what it would be anyway; the rest suits the scale of TrueSkill.
    assert queue.settings["language"] == {"use": "must"}
    assert queue.settings["teams"]["roles"] == "tank 1; healer 2"


def test_a_queue_begins_on_the_scale_of_its_ladder() -> None:
    run("add_ladder", "duel", "--game", "pong", "--system", "elo")
    run("add_ladder", "squads", "--game", "pong", "--teams", "2", "--size", "3")
    run("add_queue", "duel", "--ladder", "duel")
    run("add_queue", "squads", "--ladder", "squads", "--set", "exchange.points_per_second=5")
    duel, squads = Queue.objects.order_by("slug")
    assert (duel.gap_start, duel.gap_per_second, duel.settings) == (100.0, 5.0, {})
    assert (squads.gap_start, squads.gap_per_second) == (6.4, 0.11)
    assert squads.settings["teams"]["spread_start"] == 6.4
    assert "exchange" not in squads.settings  # as it was told


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--strategy", "luck"), "strategy = 'luck': must be one of filters, buckets, fcfs"),
        (("--set", "language"), "--set 'language': must be SECTION.NAME=VALUE"),
        (("--set", "weather.use=must"), "section 'weather' is unknown; known are exchange"),
        (("--set", "language.colour=1"), "language has no 'colour'; it has use, after, seconds"),
        (("--set", "language.use=maybe"), "language.use = 'maybe': must be one of off, must"),
        (("--set", "region.start=fast"), "region.start = 'fast': must be a number from 0"),
        (("--set", "chance.cap=0.1"), "chance.cap = 0.1: must not be below start, which is 0.15"),
        (("--set", "teams.roles=tank"), "teams.roles = 'tank': must be a word and a number"),
    ],
)
def test_settings_that_are_wrong_are_named(words: tuple[str, ...], complaint: str) -> None:
    run("add_ladder", "duel", "--game", "pong")
    with pytest.raises(CommandError, match=complaint):
        run("add_queue", "duel", "--ladder", "duel", *words)
    assert not Queue.objects.exists()


def test_roles_that_no_team_has_room_for_are_refused() -> None:
    run("add_ladder", "squads", "--game", "pong", "--size", "5")
    roles = ("--set", "teams.roles=tank 4; healer 4")
    with pytest.raises(CommandError, match=r"teams\.roles .* at most 5 players.* for 8"):
        run("add_queue", "squads", "--ladder", "squads", *roles)
    assert not Queue.objects.exists()
    run("add_queue", "squads", "--ladder", "squads", "--set", "teams.roles=tank 4; healer 1")
    assert Queue.objects.get().settings["teams"]["roles"] == "tank 4; healer 1"
