"""Taking in files: what is in the database afterwards, again, and when the file has grown or changed."""

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.site.delete_person import delete_player
from events.models import Event
from foundation import clock
from ratings.importing import (
    FileRejectedError,
    Foreseen,
    NewLadder,
    OptionError,
    foresee,
    import_matches,
)
from ratings.importing.problems import LIMIT
from ratings.models import Game, ImportedFile, Ladder, Match, MatchState, Participant, Player
from tests.ratings.match_files import CREATE, FileRow, counts, file_of, sequence, take_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

GAMES = (
    FileRow("2020-01-01", "Ada", "Bo", "1"),
    FileRow("2020-01-02", "Bo", "Cy", "0.5"),
    FileRow("2020-01-03", "Cy", "Ada", "0"),
)


def look(content: str) -> Foreseen:
    """Say what importing would do."""
    return foresee(io.BytesIO(content.encode()), ladder="world", create=CREATE)


def test_takes_in_a_small_file() -> None:
    report = take_in(file_of(GAMES))
    assert (report.rows, report.new_matches, report.new_players) == (3, 3, 3)
    assert (report.backwards, report.late, report.known_file) == (0, 0, False)
    assert sequence() == [
        ("2020-01-01", "Ada", "Bo", 1.0),
        ("2020-01-02", "Bo", "Cy", 0.5),
        ("2020-01-03", "Cy", "Ada", 0.0),
    ]
    ladder = Ladder.objects.get()
    assert (ladder.last_seq, ladder.counted_until) == (3, datetime(2020, 1, 3, tzinfo=UTC))


def test_a_match_has_all_that_rating_needs() -> None:
    take_in(file_of(GAMES[:1]))
    match = Match.objects.get()
    assert match.state == MatchState.CONFIRMED
    assert match.played_at == match.counts_at == datetime(2020, 1, 1, tzinfo=UTC)
    assert match.confirmed_at is not None
    assert (match.ladder_seq, match.source) == (1, ImportedFile.objects.get())
    assert match.external_id.startswith(f"import-{match.ladder_id}-")
    sides = match.participants.order_by("team").values_list("player__name", "team", "rank")
    assert list(sides) == [("Ada", 0, 0), ("Bo", 1, 1)]


def test_both_sides_of_a_draw_are_best() -> None:
    take_in(file_of([FileRow("2020-01-01", "Ada", "Bo", "0.5")]))
    assert list(Participant.objects.values_list("rank", flat=True)) == [0, 0]


def test_a_player_is_named_as_in_the_file() -> None:
    take_in(file_of([FileRow("2020-01-01", "Curaçao", "São Tomé", "1")]))
    player = Player.objects.get(external_id="Curaçao")
    assert (player.name, player.skeleton) == ("Curaçao", "curacao")


def test_further_columns_stay_with_the_match() -> None:
    header = "date,player_a,player_b,score_a,neutral,Ort"
    take_in(file_of([(*GAMES[0], "1", "Köln")], header=header))
    assert Match.objects.get().extra == {"Ort": "Köln"}
    assert Match.objects.get().is_neutral


def test_the_file_is_on_record() -> None:
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    assert (file.name, file.rows, file.new_matches) == ("games.csv", 3, 3)
    event = Event.objects.get(kind="matches.imported")
    assert event.payload == {"ladder": Ladder.objects.get().pk, "file": file.pk, "matches": 3}


def test_the_same_file_again_changes_nothing() -> None:
    take_in(file_of(GAMES))
    before = counts(), list(Match.objects.values()), list(Ladder.objects.values())
    report = take_in(file_of(GAMES))
    assert (report.known_file, report.rows, report.new_matches) == (True, 3, 0)
    assert (counts(), list(Match.objects.values()), list(Ladder.objects.values())) == before


def test_the_same_matches_in_another_spelling_are_known() -> None:
    take_in(file_of(GAMES))
    report = take_in(file_of([(row.date + "T00:00Z", row.a, row.b, row.score) for row in GAMES]))
    assert (report.known_file, report.new_matches, Match.objects.count()) == (False, 0, 3)


def test_a_grown_file_adds_what_is_new_at_the_end() -> None:
    take_in(file_of(GAMES))
    grown = [
        FileRow("2019-12-31", "Di", "Ada", "1"),
        *GAMES,
        FileRow("2020-01-04", "Ada", "Bo", "0"),
    ]
    report = take_in(file_of(grown))
    assert (report.new_matches, report.new_players, report.backwards) == (2, 1, 0)
    assert sequence()[3:] == [("2019-12-31", "Di", "Ada", 1.0), ("2020-01-04", "Ada", "Bo", 0.0)]
    assert counts() == (5, 10, 4, 2)


def test_a_late_row_counts_when_it_comes() -> None:
    take_in(file_of(GAMES))
    report = take_in(file_of([*GAMES, FileRow("2019-12-31", "Ada", "Di", "1")]))
    assert (report.late, report.backwards) == (1, 1)
    assert Match.objects.latest("ladder_seq").counts_at == datetime(2020, 1, 3, tzinfo=UTC)


def test_rows_out_of_order_keep_the_order_of_the_file() -> None:
    days = ("2020-01-03", "2020-01-01", "2020-01-05", "2020-01-04")
    report = take_in(file_of([FileRow(day, "Ada", "Bo", "1") for day in days]))
    assert report.backwards == 2
    assert [row[0] for row in sequence()] == list(days)
    counted = Match.objects.order_by("ladder_seq").values_list("counts_at", flat=True)
    assert [moment.day for moment in counted if moment] == [3, 3, 5, 5]


def test_equal_rows_are_matches_of_their_own() -> None:
    twice = [FileRow("2020-01-01", "Ada", "Bo", "1"), FileRow("2020-01-01", "Ada", "Bo", "0")]
    take_in(file_of(twice))
    report = take_in(file_of([*twice, FileRow("2020-01-01", "Ada", "Bo", "0.5")]))
    assert report.new_matches == 1
    assert [row[3] for row in sequence()] == [1.0, 0.0, 0.5]


def test_a_changed_score_is_refused_with_its_line() -> None:
    take_in(file_of(GAMES))
    changed = [
        GAMES[0],
        GAMES[1]._replace(score="1"),
        *GAMES[2:],
        FileRow("2020-02-01", "a", "b", "1"),
    ]
    before = counts()
    with pytest.raises(FileRejectedError) as caught:
        take_in(file_of(changed))
    (fault,) = caught.value.problems
    assert (fault.line, fault.column, fault.value) == (3, "score_a", "1")
    assert fault.expected.startswith("the match is known with 0.5;")
    assert counts() == before


def test_of_many_changed_scores_the_first_are_named() -> None:
    rows = [FileRow(f"2020-01-{day:02}", "Ada", "Bo", "1") for day in range(1, 31)]
    take_in(file_of(rows))
    with pytest.raises(FileRejectedError) as caught:
        take_in(file_of(row._replace(score="0") for row in rows))
    assert [fault.line for fault in caught.value.problems] == list(range(2, 2 + LIMIT))
    assert caught.value.there_may_be_more


def test_a_faulty_file_leaves_nothing_not_even_the_ladder() -> None:
    with pytest.raises(FileRejectedError):
        take_in(file_of([*GAMES, FileRow("2020-01-04", "Ada", "Ada", "1")]))
    assert counts() == (0, 0, 0, 0)
    assert not Ladder.objects.exists()
    assert not Game.objects.exists()


@pytest.mark.parametrize("by", [take_in, look])
def test_ids_that_only_the_site_gives_are_refused_by_their_lines(by: Callable[[str], Any]) -> None:
    rows = [
        FileRow("2020-01-01", "Ada", "evenmatch:account-7", "1"),
        FileRow("2020-01-02", "Ada", "Bo", "1"),
        FileRow("2020-01-03", "Evenmatch: x", "deleted-5", "0"),
    ]
    with pytest.raises(FileRejectedError) as caught:
        by(file_of(rows))
    told = [(fault.line, str(fault)) for fault in caught.value.problems]
    assert [line for line, _words in told] == [2, 4, 4]
    assert "“evenmatch:account-7” cannot be the id of a player whom a game brings" in told[0][1]
    assert "“Evenmatch: x” is, or looks like, an id that this site gives" in told[1][1]
    assert "“deleted-5”" in told[2][1]
    assert all(words.endswith(" Use another id in the file.") for _line, words in told)
    assert counts() == (0, 0, 0, 0)


@pytest.mark.parametrize("by", [take_in, look])
def test_ids_that_no_address_can_name_are_refused_by_their_lines(by: Callable[[str], Any]) -> None:
    rows = [
        FileRow("2020-01-01", "Ada", "clan/tokens", "1"),
        FileRow("2020-01-02", "..", "Bo", "1"),
    ]
    with pytest.raises(FileRejectedError) as caught:
        by(file_of(rows))
    assert [fault.line for fault in caught.value.problems] == [2, 3]
    assert "“clan/tokens” cannot be the id of a new player" in str(caught.value.problems[0])
    assert counts() == (0, 0, 0, 0)


@pytest.mark.parametrize("by", [take_in, look])
def test_an_id_that_the_site_has_given_is_known_and_a_deleted_player_plays_no_more(
    by: Callable[[str], Any],
) -> None:
    """As in results of a game's server."""
    take_in(file_of(GAMES))
    game = Game.objects.get()
    Player.objects.create(game=game, external_id="evenmatch:account-7", name="Eve", skeleton="eve")
    by(file_of([FileRow("2020-01-04", "Ada", "evenmatch:account-7", "1")]))
    delete_player(gone := Player.objects.get(external_id="Bo"), by=None)
    with pytest.raises(FileRejectedError, match=f"line 2: “deleted-{gone.pk}” is a player who was"):
        by(file_of([FileRow("2020-01-05", "Ada", f"deleted-{gone.pk}", "1")]))


def test_a_date_after_now_is_refused() -> None:
    with clock.at(datetime(2020, 1, 2, 12, tzinfo=UTC)), pytest.raises(FileRejectedError) as caught:
        take_in(file_of(GAMES))
    assert [(fault.line, fault.column) for fault in caught.value.problems] == [(4, "date")]


def test_ladders_of_one_game_share_players_and_not_matches() -> None:
    take_in(file_of(GAMES))
    report = take_in(file_of(GAMES), ladder="cup")
    assert (report.new_matches, report.new_players) == (3, 0)
    assert sequence("cup") == sequence("world")


def test_another_short_name_of_the_ladder_doubles_nothing() -> None:
    take_in(file_of(GAMES))
    Ladder.objects.update(slug="earth")
    report = take_in(file_of([*GAMES, FileRow("2020-01-04", "Ada", "Bo", "1")]), ladder="earth")
    assert report.new_matches == 1


def test_a_result_confirmed_before_is_ahead_of_the_file() -> None:
    take_in(file_of(GAMES[:1]))
    ladder = Ladder.objects.get()
    waiting = Match.objects.create(
        ladder=ladder,
        game=ladder.game,
        external_id="live-1",
        state=MatchState.CONFIRMED,
        played_at=clock.now() - timedelta(hours=1),
        confirmed_at=clock.now(),
    )
    report = take_in(file_of(GAMES))
    waiting.refresh_from_db()
    assert waiting.ladder_seq == 2
    assert report.late == 2
    assert list(Match.objects.order_by("pk").values_list("ladder_seq", flat=True)) == [1, 2, 3, 4]


def test_a_header_alone_is_a_file_without_matches() -> None:
    assert take_in(file_of([])).rows == 0
    assert counts() == (0, 0, 0, 1)


def test_a_missing_ladder_is_refused_before_the_file_is_read() -> None:
    with pytest.raises(
        OptionError, match="ladder 'world': does not exist; create it with --create"
    ):
        take_in("no match file at all", create=None)
    with pytest.raises(OptionError, match="ladder 'world': does not exist; name its game"):
        take_in("no match file at all", create=NewLadder())


def test_a_ladder_of_teams_is_refused() -> None:
    game = Game.objects.create(slug="football", name="Football")
    Ladder.objects.create(game=game, slug="world", name="World", team_size=5)
    with pytest.raises(OptionError, match="'world': has 2 teams of 5; CSV is one against one"):
        take_in(file_of(GAMES), create=CREATE)


def test_hears_of_its_progress() -> None:
    content = file_of(GAMES).encode()
    heard: list[tuple[int, int]] = []
    import_matches(
        io.BytesIO(content),
        name="games.csv",
        ladder="world",
        create=CREATE,
        on_progress=lambda rows, size: heard.append((rows, size)),
    )
    assert heard == [(3, len(content))]
