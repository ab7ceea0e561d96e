"""`manage.py import_matches` and `add_track`: options, refusals, what they print, and the ratings that follow."""

import io
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from events import outbox
from leaderboards.models import Board
from ratings.models import (
    Game,
    ImportedFile,
    Ladder,
    Match,
    Rating,
    RatingChange,
    RatingPeriod,
    RatingTrack,
)
from tests.ratings.match_files import FileRow, counts, file_of

pytestmark = pytest.mark.django_db

GAMES = (
    FileRow("2020-01-01", "Ada", "Bo", "1"),
    FileRow("2020-02-11", "Bo", "Cy", "0.5"),
    FileRow("2020-02-12", "Cy", "Ada", "0"),
)
PATIENCE = 300.0
CREATE = ("--ladder=world", "--create", "--game=football")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(file_of(GAMES))
    return path


def run(command: str, *arguments: object) -> str:
    """Run a command and return what it printed."""
    out = io.StringIO()
    call_command(command, *(str(argument) for argument in arguments), stdout=out)
    return out.getvalue()


def refusal(command: str, *arguments: object) -> str:
    """Run a command that must fail, and return the reason it gives."""
    with pytest.raises(CommandError) as caught:
        run(command, *arguments)
    assert caught.value.returncode == 1
    return str(caught.value)


def everything_rated() -> list[list[Any]]:
    """Return all rows of matches, ratings, periods, ledger and tracks, to compare bit by bit."""
    models: tuple[Any, ...] = (
        Match,
        Rating,
        RatingPeriod,
        RatingChange,
        RatingTrack,
        Ladder,
        ImportedFile,
    )
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_makes_the_ladder_takes_the_file_and_rates_it(games: Path) -> None:
    printed = run("import_matches", games, *CREATE)
    ladder = Ladder.objects.get(slug="world")
    track = ladder.tracks.get()
    assert (ladder.name, ladder.game.slug, ladder.game.name) == ("World", "football", "Football")
    assert (track.system, track.period_days, track.shown) == ("glicko", 30.0, True)
    assert (track.rated_seq, RatingPeriod.objects.count()) == (3, 2)
    ratings = dict(Rating.objects.values_list("player__name", "value"))
    assert ratings["Ada"] > 1500.0 > max(ratings["Bo"], ratings["Cy"])
    words = [line.split() for line in printed.splitlines()]
    assert ["New", "matches", "3"] in words
    assert ["New", "players", "3"] in words
    assert ["Periods", "closed", "by", "this", "command", str(track.closed_periods)] in words
    assert f"Leaderboard: {settings.PUBLIC_URL}{ladder.get_absolute_url()}" in printed


def test_each_file_and_its_taking_back_are_in_the_audit_log_as_done_by_a_command(
    games: Path,
) -> None:
    run("import_matches", games, *CREATE, "--dry-run")
    assert not AuditEntry.objects.exists()
    for _ in range(2):  # the second time nothing is taken in
        run("import_matches", games, *CREATE)
    file = ImportedFile.objects.get()
    own = AuditEntry.objects.filter(target_type="ratings.importedfile", target_id=str(file.pk))
    entry = own.get()
    assert (entry.action, entry.actor, entry.through) == ("importedfile.added", None, "")
    told = {"name": "games.csv", "ladder": "world", "rows": 3, "matches": 3, "players": 3}
    assert entry.after == told
    run("take_back_import", file.pk, "--note=wrong ladder")
    entry = own.latest("pk")
    assert (entry.action, entry.actor, entry.note) == (
        "importedfile.taken_back",
        None,
        "wrong ladder",
    )


@pytest.mark.django_db(transaction=True)
def test_standings_follow_at_once(games: Path) -> None:
    run("import_matches", games, *CREATE)
    # Any transaction on the server, of other tests too, may hold an event back for a moment.
    deadline = time.monotonic() + PATIENCE
    while not Board.objects.exists() and time.monotonic() < deadline:
        outbox.deliver()
        time.sleep(0.05)
    board = Board.objects.get(track__ladder__slug="world")
    assert board.revision == RatingTrack.objects.get().revision > 0


def test_again_changes_nothing(games: Path) -> None:
    run("import_matches", games, *CREATE)
    before = everything_rated()
    printed = run("import_matches", games, *CREATE)
    assert everything_rated() == before
    assert "This exact file was already imported: nothing to add." in printed


def test_a_grown_file_is_rated_on(games: Path) -> None:
    run("import_matches", games, *CREATE)
    changes = RatingChange.objects.count()
    games.write_text(file_of([*GAMES, FileRow("2020-03-30", "Ada", "Bo", "0")]))
    run("import_matches", games, "--ladder=world")
    # The periods of 2020 are closed: the new match counts in the one that is open now.
    assert counts() == (4, 8, 3, 2)
    assert RatingChange.objects.count() == changes
    track, ladder = RatingTrack.objects.get(), Ladder.objects.get()
    assert (track.rated_seq, ladder.last_seq) == (3, 4)


def test_options_shape_what_is_made(games: Path) -> None:
    run(
        "import_matches",
        games,
        *CREATE,
        "--name=World of football",
        "--system=glicko",
        "--period=12h",
        "--param=deviation_min=40",
        "--param=days_to_forget=10000",
        "--param=inactive_after_days=365",
        "--param=established_after=5",
        "--param=lists_provisional=true",
        "--quiet",
    )
    ladder, track = Ladder.objects.get(), RatingTrack.objects.get()
    assert ladder.name == "World of football"
    assert (ladder.days_to_forget, ladder.inactive_after_days) == (10_000.0, 365.0)
    assert ladder.lists_provisional
    assert track.period_days == 0.5
    parameters = track.versions.get().parameters
    assert parameters["deviation_min"] == 40.0
    assert (parameters["days_to_forget"], parameters["established_after"]) == (10_000.0, 5)


def test_elo_rates_each_match_at_once_unless_told(games: Path) -> None:
    run("import_matches", games, *CREATE, "--system=elo", "--param=k_new=24")
    assert RatingTrack.objects.get().period_days is None
    assert RatingChange.objects.filter(kind="match").count() == 6


def test_the_same_options_again_agree_with_the_ladder(games: Path) -> None:
    options = (*CREATE, "--system=glicko", "--period=30d", "--param=days_to_forget=1000")
    run("import_matches", games, *options)
    before = everything_rated()
    run("import_matches", games, *options)
    assert everything_rated() == before


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--system=elo", "system = 'elo': the ladder has 'glicko' already"),
        ("--period=7d", "period_days = 7.0: the ladder has 30.0 already"),
        ("--game=chess", "game = 'chess': the ladder has 'football' already"),
        ("--param=deviation_min=45", "deviation_min = 45.0: the ladder has 30.0 already"),
        ("--param=days_to_forget=99", "days_to_forget = 99.0: the ladder has 10000.0 already"),
    ],
)
def test_options_that_contradict_the_ladder_are_refused(
    games: Path, option: str, expected: str
) -> None:
    run("import_matches", games, *CREATE)
    before = everything_rated()
    assert refusal("import_matches", games, *CREATE, option).startswith(expected)
    assert everything_rated() == before


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "ladder 'world': does not exist; create it with --create --game …"),
        (("--system=elo",), "--system: only together with --create"),
        (("--param=start=1",), "--param: only together with --create"),
        (("--create",), "ladder 'world': does not exist; name its game with --game"),
        (("--create", "--game=a b"), "game 'a b': Enter a valid “slug”"),
        (("--create", f"--game={'x' * 51}"), "must have at most 50 characters"),
        (("--create", "--game=g", "--system=chess"), "rating system 'chess': must be one of"),
        (("--create", "--game=g", "--period=30"), "period '30': must be from 1s to 36525d"),
        (("--create", "--game=g", "--period=0s"), "period '0s': must be from 1s to 36525d"),
        (("--create", "--game=g", "--period=99999d"), "period '99999d': must be from 1s"),
        (("--create", "--game=g", "--period=none"), "period 'none': glicko needs rating periods"),
        (("--create", "--game=g", "--param=k"), "parameter 'k': must be name=value"),
        (("--create", "--game=g", "--param=k=1"), "parameter 'k': must be one of"),
        (("--create", "--game=g", "--param=start=x"), "start = 'x': must be a number from 0 to"),
        (("--create", "--game=g", "--param=days_to_forget=0"), "days_to_forget = '0': "),
        (("--create", "--game=g", "--param=lists_provisional=maybe"), "must be true or false"),
        (("--create", "--game=g", "--param=deviation_min=400"), "deviation_min"),
    ],
)
def test_impossible_options_are_refused(
    games: Path, options: tuple[str, ...], expected: str
) -> None:
    assert expected in refusal("import_matches", games, "--ladder=world", *options)
    assert not Game.objects.exists()
    assert not Ladder.objects.exists()


def test_a_rejected_file_names_lines_and_leaves_nothing(games: Path) -> None:
    games.write_text(file_of([*GAMES, FileRow("soon", "Ada", "Bo", "3")]))
    reason = refusal("import_matches", games, *CREATE).splitlines()
    assert reason[0] == f"{games} was not imported; nothing was changed."
    assert reason[1].startswith("  line 5, date = 'soon': must be an ISO date or time")
    assert reason[2] == "  line 5, score_a = '3': must be 1, 0.5 or 0"
    assert counts() == (0, 0, 0, 0)
    assert not Game.objects.exists()


def test_of_many_faults_it_says_that_there_may_be_more(games: Path) -> None:
    games.write_text(file_of(GAMES[0]._replace(score="3") for _ in range(21)))
    reason = refusal("import_matches", games, *CREATE).splitlines()
    assert len(reason) == 22
    assert reason[-1] == "  There may be more; these were the first 20."


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "none.csv"
    assert refusal("import_matches", missing, *CREATE) == (
        f"file {str(missing)!r}: No such file or directory"
    )
    assert refusal("import_matches", tmp_path, *CREATE) == f"file {str(tmp_path)!r}: Is a directory"


def test_a_path_may_hold_spaces_and_any_script(tmp_path: Path) -> None:
    path = tmp_path / "Länderspiele 国际 2020.csv"
    path.write_text(file_of(GAMES))
    run("import_matches", path, *CREATE)
    assert ImportedFile.objects.get().name == path.name


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(file_of(GAMES).encode()))
    monkeypatch.setattr("sys.stdin", given)
    run("import_matches", "-", *CREATE)
    assert Match.objects.count() == 3
    assert ImportedFile.objects.get().name == "standard input"


def test_says_how_many_rows_are_out_of_order(games: Path) -> None:
    games.write_text(file_of([GAMES[1], GAMES[0], GAMES[2]]))
    assert "1 row is dated before the row above it." in run("import_matches", games, *CREATE)


def test_says_how_many_rows_come_late(games: Path) -> None:
    run("import_matches", games, *CREATE)
    games.write_text(file_of([*GAMES, FileRow("2020-02-13", "Ada", "Bo", "0")]))
    printed = run("import_matches", games, "--ladder=world")
    assert "1 match is dated before a time that was counted already." in printed


def test_a_ladder_without_track_is_told_of(games: Path) -> None:
    game = Game.objects.create(slug="football", name="Football")
    Ladder.objects.create(game=game, slug="world", name="World")
    assert "no rating track" in run("import_matches", games, "--ladder=world")
    assert Match.objects.count() == 3
    run("import_matches", games, *CREATE)
    assert RatingTrack.objects.get().rated_seq == 3


def test_quiet_prints_nothing(games: Path) -> None:
    assert run("import_matches", games, *CREATE, "--quiet") == ""


def test_a_further_track_rates_the_history_in_the_shadow(games: Path) -> None:
    run("import_matches", games, *CREATE)
    shown = everything_rated()
    printed = run("add_track", "--ladder=world", "--system=elo", "--param=k_new=40")
    track = RatingTrack.objects.get(system="elo")
    assert (track.shown, track.period_days, track.rated_seq) == (False, None, 3)
    assert printed == f"Track {track.pk}: 3 matches rated, 0 periods closed.\n"
    assert RatingChange.objects.filter(track=track).count() == 6
    ours = [row for row in everything_rated()[3] if row["track_id"] != track.pk]
    assert ours == shown[3]


def test_a_further_track_goes_along_with_imports(games: Path) -> None:
    run("import_matches", games, *CREATE, "--system=elo")
    run("add_track", "--ladder=world", "--system=elo", "--param=k_new=40", "--quiet")
    games.write_text(file_of([*GAMES, FileRow("2020-03-30", "Ada", "Bo", "0")]))
    run("import_matches", games, "--ladder=world")
    assert set(RatingTrack.objects.values_list("rated_seq", flat=True)) == {4}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--ladder=none", "--system=elo"), "There is no ladder “none”."),
        (("--ladder=world", "--system=chess"), "rating system 'chess': must be one of"),
        (("--ladder=world", "--system=glicko", "--period=none"), "glicko needs rating periods"),
        (("--ladder=world", "--system=elo", "--param=k_new=-1"), "k_new = '-1'"),
        (
            ("--ladder=world", "--system=elo", "--param=days_to_forget=9"),
            "parameter 'days_to_forget': belongs to the ladder",
        ),
    ],
)
def test_an_impossible_track_is_refused(
    games: Path, options: tuple[str, ...], expected: str
) -> None:
    run("import_matches", games, *CREATE)
    assert expected in refusal("add_track", *options)
    assert RatingTrack.objects.count() == 1
