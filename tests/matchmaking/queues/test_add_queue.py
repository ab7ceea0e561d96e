"""Ladders and queues made from the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from api.models import ServerKey
from foundation.archiving import Archivable
from matchmaking.models import Queue
from ratings.archiving import archive
from ratings.models import Game, Ladder, Mode, RatingTrack

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
    with pytest.raises(CommandError, match="2 teams of 3, not 4 teams of 1; they do not change"):
        run("add_ladder", "squads", "--game", "pong", "--teams", "4")
    with pytest.raises(CommandError, match="rates one against one"):
        run("add_ladder", "more", "--game", "pong", "--size", "2", "--system", "frags")
    with pytest.raises(CommandError, match="must be a whole number from 2 to 100"):
        run("add_ladder", "more", "--game", "pong", "--teams", "1")


def test_the_same_again_changes_nothing() -> None:
    for words in ("was added.", "already exists."):
        assert run("add_ladder", "duel", "--game", "pong").endswith(words)
        assert run("add_queue", "fast", "--ladder", "duel").endswith(words)
    assert Ladder.objects.count() == Queue.objects.count() == 1


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Game, "game 'pong': is archived; restore it first"),
        (Ladder, "ladder 'duel': is archived; restore it first"),
    ],
)
def test_nothing_is_added_to_what_is_archived(thing: type[Archivable], words: str) -> None:
    run("add_ladder", "duel", "--game", "pong")
    archive(thing._default_manager.get(), by=None)
    for command in (
        ("add_queue", "fast", "--ladder", "duel"),
        ("add_track", "--ladder", "duel", "--system", "elo"),
    ):
        with pytest.raises(CommandError, match=words):
            run(*command)
    with pytest.raises(CommandError, match="'duel': is archived"):
        run("add_ladder", "duel", "--game", "pong")
    assert not Queue.objects.exists()
    assert RatingTrack.objects.count() == 1


def test_an_archived_game_gets_neither_ladders_nor_keys() -> None:
    run("add_ladder", "duel", "--game", "pong")
    archive(Game.objects.get(), by=None)
    for command in (
        ("add_ladder", "more", "--game", "pong"),
        ("add_server_key", "pong", "--name", "server"),
    ):
        with pytest.raises(CommandError, match="game 'pong': is archived; restore it first"):
            run(*command)
    assert Ladder.objects.count() == 1
    assert not ServerKey.objects.exists()


def test_an_archived_queue_is_not_taken_for_one_that_is_there() -> None:
    run("add_ladder", "duel", "--game", "pong")
    run("add_queue", "fast", "--ladder", "duel")
    archive(Queue.objects.get(), by=None)
    with pytest.raises(CommandError, match="queue 'fast': is archived; restore it first"):
        run("add_queue", "fast", "--ladder", "duel")


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


def recorded() -> list[tuple[str, str]]:
    entries = AuditEntry.objects.filter(actor=None).order_by("pk")
    return [(entry.action, entry.target_id) for entry in entries]


def test_what_the_command_line_makes_is_on_record() -> None:
    run("add_ladder", "duel", "--game", "pong", "--system", "elo", "--mode", "normal")
    run("add_queue", "fast", "--ladder", "duel", "--gap-start", "50")
    ladder, queue = Ladder.objects.get(), Queue.objects.get()
    track = ladder.tracks.get()
    assert recorded() == [
        ("game.added", str(ladder.game_id)),
        ("ladder.added", str(ladder.pk)),
        ("track.created", str(track.pk)),
        ("queue.added", str(queue.pk)),
    ]
    after = {entry.action: entry.after or {} for entry in AuditEntry.objects.all()}
    assert (after["ladder.added"]["slug"], after["ladder.added"]["mode"]) == ("duel", "normal")
    assert (after["queue.added"]["slug"], after["queue.added"]["gap_start"]) == ("fast", 50.0)
    run("add_ladder", "duel", "--game", "pong", "--mode", "normal")
    run("add_queue", "fast", "--ladder", "duel")
    assert len(recorded()) == 4


def test_the_gaps_of_a_queue() -> None:
    run("add_ladder", "duel", "--game", "pong")
    gaps = ("--gap-start", "50", "--gap-per-second", "2.5", "--gap-cap", "400")
    run("add_queue", "narrow", "--ladder", "duel", *gaps)
    queue = Queue.objects.get()
    assert (queue.gap_start, queue.gap_per_second, queue.gap_cap) == (50.0, 2.5, 400.0)
    with pytest.raises(CommandError, match="must not be below the gap at the start"):
        run("add_queue", "more", "--ladder", "duel", "--gap-start", "50", "--gap-cap", "40")


@pytest.mark.parametrize("points", ["-1", "nan", "inf", "1e6", "wide"])
@pytest.mark.parametrize("option", ["--gap-start", "--gap-per-second", "--gap-cap"])
def test_a_gap_that_is_none_is_refused_by_name_and_range(option: str, points: str) -> None:
    run("add_ladder", "duel", "--game", "pong")
    with pytest.raises(CommandError, match=f"{option}: {points} is not a number from 0 to 100000"):
        run("add_queue", "more", "--ladder", "duel", f"{option}={points}")
    assert not Queue.objects.exists()


def test_a_time_out_of_its_range_is_named() -> None:
    run("add_ladder", "duel", "--game", "pong")
    with pytest.raises(CommandError, match=r"^accept_seconds = 1: .* greater than or equal to 3"):
        run("add_queue", "more", "--ladder", "duel", "--accept-seconds", "1")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--accept-seconds", "300"), "accept_seconds = 300: the queue has 20 already"),
        (("--gap-start", "5"), "gap_start = 5.0: the queue has 100.0 already"),
        (("--strategy", "fcfs"), "strategy = 'fcfs': the queue has 'filters' already"),
        (("--set", "language.use=must"), "language.use = 'must': the queue has 'prefer' already"),
    ],
)
def test_a_queue_that_is_there_is_not_what_it_is_not(
    words: tuple[str, ...], complaint: str
) -> None:
    run("add_ladder", "duel", "--game", "pong")
    made = ("add_queue", "fast", "--ladder", "duel", "--set", "language.use=prefer")
    assert run(*made).endswith("was added.")
    assert run(*made).endswith("already exists.")
    with pytest.raises(CommandError, match=complaint):
        run("add_queue", "fast", "--ladder", "duel", *words)
