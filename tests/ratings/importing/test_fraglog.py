"""Frag logs: what a line may hold, and what is said of one that cannot be read."""

import pytest

from ratings.importing.frag_log import FragLogError, count_frags, play_log, read_counts, read_log
from ratings.systems.frags import Competitor, Deathmatch, Frag, FragsParameters, Side


def one(text: str) -> Frag:
    (line,) = read_log([text])
    assert line.frag is not None
    return line.frag


class TestLines:
    def test_a_frag(self) -> None:
        text = '{"at": 5, "killer": " Ann ", "victim": "Ben", "weapon": "rail", "x": [1]}'
        assert one(text) == Frag(Side("Ann"), Side("Ben"))

    def test_everything_a_game_may_tell(self) -> None:
        text = (
            '{"killer": "Ann", "killer_team": "red", "killer_clan": "Wolves", "killer_role": "medic",'
            ' "victim": "Ben", "victim_team": "blue", "event": "capture"}'
        )
        assert one(text) == Frag(
            Side("Ann", "red", "Wolves", "medic"), Side("Ben", "blue"), "capture"
        )

    def test_one_side_only(self) -> None:
        assert one('{"killer": null, "victim": "Ben"}') == Frag(None, Side("Ben"))
        assert one('{"killer": "Ann", "event": "capture"}') == Frag(Side("Ann"), None, "capture")

    def test_leaving(self) -> None:
        (line,) = read_log(['{"killer": "Ann", "event": "leave"}'])
        assert (line.frag, line.left) == (None, Side("Ann"))

    def test_empty_lines_are_counted_but_not_read(self) -> None:
        lines = list(read_log(["\n", '{"victim": "Ben"}\n', "  \n"]))
        assert [line.number for line in lines] == [2]

    @pytest.mark.parametrize(
        ("moment", "seconds"),
        [
            ("12.5", 12.5),
            ('"1970-01-02"', 86_400),
            ('"1970-01-01T01:00:00"', 3_600),
            ('"1970-01-01T01:00:00Z"', 3_600),
            ('"1970-01-01T01:00:00+01:00"', 0),
            ("null", None),
        ],
    )
    def test_moments(self, moment: str, seconds: float | None) -> None:
        (line,) = read_log([f'{{"at": {moment}, "victim": "Ben"}}'])
        assert line.at == seconds

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("Ann frags Ben", "line 1: must be a JSON object, such as"),
            ('["Ann", "Ben"]', "line 1: must be a JSON object, such as"),
            ("[" * 100_000, "line 1: must be a JSON object"),
            ("{}", "line 1: killer and victim are missing"),
            ('{"event": "leave"}', "line 1: killer is missing: must name who leaves"),
            ('{"killer": 7, "victim": "Ben"}', "line 1: killer is 7: must be a name"),
            ('{"killer": "Ann", "victim": " "}', 'line 1: victim is " ": must be a name'),
            ('{"victim": "Ben", "at": "noon"}', 'line 1: at is "noon": must be a moment'),
            ('{"victim": "Ben", "at": true}', "line 1: at is true: must be a moment"),
            ('{"victim": "Ben", "at": NaN}', "line 1: at is NaN: must be a moment"),
        ],
    )
    def test_what_is_wrong_is_said(self, text: str, message: str) -> None:
        with pytest.raises(FragLogError, match=f"^{message}"):
            list(read_log([text]))


class TestPlaying:
    DAY = 86_400.0

    def play(self, *moments: object, decay: float = 5.0) -> float:
        stream = Deathmatch(FragsParameters(start=100, decay=decay))
        log = [f'{{"at": {moment}, "killer": "A", "victim": "B"}}' for moment in moments]
        assert play_log(stream, read_log(log), every=self.DAY) == len(log)
        both = [stream.rating(Competitor(name)) for name in "AB"]
        return sum(both)

    def test_points_are_taken_after_each_interval(self) -> None:
        assert self.play(0, self.DAY - 1) == 200
        assert self.play(0, self.DAY) == 190
        assert self.play(0, 3 * self.DAY) == 170
        assert self.play(self.DAY / 2, self.DAY, 2.5 * self.DAY) == 180

    def test_a_line_dated_before_another_takes_nothing(self) -> None:
        assert self.play(0, 2 * self.DAY, 0, 2 * self.DAY) == pytest.approx(180)

    def test_decay_needs_moments(self) -> None:
        with pytest.raises(FragLogError, match="line 2: at is missing"):
            self.play(0, "null")

    def test_an_unknown_event_is_refused_with_its_line(self) -> None:
        log = ['{"victim": "B"}', '{"killer": "A", "event": "dance"}']
        with pytest.raises(
            FragLogError, match="line 2: event 'dance': must be one of capture, frag"
        ):
            play_log(Deathmatch(), read_log(log))

    def test_who_left_is_no_opponent(self) -> None:
        log = [
            '{"killer": "A", "killer_team": "red", "victim": "B", "victim_team": "blue"}',
            '{"killer": "B", "event": "leave"}',
            '{"killer": "A", "event": "capture"}',
        ]
        stream = Deathmatch()
        assert play_log(stream, read_log(log)) == 2
        assert stream.skipped == 1


class TestCounts:
    def test_a_log(self) -> None:
        log = [
            '{"killer": "Ann", "victim": "Ben"}',
            '{"killer": "Ann", "victim": "Ben"}',
            '{"victim": "Ben"}',
            '{"killer": "Ann", "event": "capture"}',
            '{"killer": "Ann", "killer_team": "x", "victim": "Ben", "victim_team": "x"}',
            '{"killer": "Ann", "event": "leave"}',
        ]
        counts = count_frags(read_log(log))
        assert counts.frags == {("Ann", "Ben"): 2, ("Ben", "Ben"): 1}
        assert counts.left_out == 2
        names, matrix = counts.matrix()
        assert names == ["Ann", "Ben"]
        assert matrix.suicides.tolist() == [0, 1]

    def test_a_table(self) -> None:
        counts = read_counts(["frags,killer,note,victim\n", "3,Ann,x, Ben\n", "2,Ann,,Ben\n"])
        assert counts.frags == {("Ann", "Ben"): 5}

    def test_an_empty_table_has_nobody(self) -> None:
        names, matrix = read_counts(["killer,victim,frags"]).matrix()
        assert (names, matrix.players) == ([], 0)

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            ([], "line 1: .* missing: killer, victim, frags"),
            (["killer,victim\n"], "line 1: the first line must name .* missing: frags"),
            (["killer,victim,frags\n", "Ann,,3\n"], "line 2: must name a killer and a victim"),
            (["killer,victim,frags\n", "Ann\n"], "line 2: must name a killer and a victim"),
            (["killer,victim,frags\n", "Ann,Ben,-3\n"], "line 2: frags is '-3': must be a whole"),
            (["killer,victim,frags\n", "Ann,Ben,1.5\n"], "line 2: frags is '1.5'"),
            (["killer,victim,frags\n", "Ann,Ben\n"], "line 2: frags is ''"),
        ],
    )
    def test_what_is_wrong_is_said(self, lines: list[str], message: str) -> None:
        with pytest.raises(FragLogError, match=f"^{message}"):
            read_counts(lines)
