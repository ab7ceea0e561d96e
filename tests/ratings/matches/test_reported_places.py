"""Matches of more than two sides: each says which place it took."""

from itertools import permutations

import pytest

from ratings.matches.deadlines import settle_due
from ratings.matches.refusals import MatchDecidedError, WrongResultError
from ratings.matches.report import leave, report
from ratings.matches.result import place_of
from ratings.matches.start import start_match
from ratings.matches.verdict import Said, Verdict, judge
from ratings.models import Match, MatchState, Outcome, Participant, Report
from tests.ratings.arena import make_arena

GONE, NOTHING, CANCELLED = "gone", "", "not played"
TIED_FIRST, TIED_SECOND = -1, -2
Word = int | str


def said(*words: Word) -> list[Said]:
    """One player a side."""
    return [_said(team, word) for team, word in enumerate(words)]


def _said(team: int, word: Word) -> Said:
    if isinstance(word, int) and word < 0:
        return Said(team, Outcome.DRAWN, place=-word)
    if isinstance(word, int):
        return Said(team, Outcome.WON if word == 1 else Outcome.LOST, place=word)
    return {
        GONE: Said(team, Outcome.LOST, left_early=True),
        NOTHING: Said(team),
        CANCELLED: Said(team, Outcome.NOT_PLAYED),
    }[word]


@pytest.mark.parametrize(
    ("words", "ranks"),
    [
        ((1, 2, 3), (0, 1, 2)),
        ((3, 1, 4, 2), (2, 0, 3, 1)),
        ((TIED_FIRST, TIED_FIRST, 3), (0, 0, 1)),
        ((TIED_SECOND, TIED_SECOND, 1, 4), (1, 1, 0, 2)),
        ((TIED_FIRST, TIED_FIRST, TIED_FIRST), (0, 0, 0)),
        ((1, 2, GONE), (0, 1, 2)),
        ((1, GONE, 2, GONE), (0, 2, 1, 2)),
    ],
)
def test_places_that_agree_are_the_result(words: tuple[Word, ...], ranks: tuple[int, ...]) -> None:
    assert judge(said(*words)) == Verdict(MatchState.CONFIRMED, ranks)


@pytest.mark.parametrize(
    "words",
    [
        (1, 1, 2),
        (1, 1, 3, 4),
        (1, TIED_FIRST, 3),
        (TIED_FIRST, 2, 3),
        (2, 3, 4),
        (1, 2, 4),
        (1, 2, 2, 3),
        (1, 3, GONE),
        (1, 2, CANCELLED),
    ],
)
def test_places_that_contradict_each_other_are_a_dispute(words: tuple[Word, ...]) -> None:
    assert judge(said(*words)).state == MatchState.DISPUTED


def test_every_order_is_understood() -> None:
    for places in permutations((1, 2, 3, 4)):
        verdict = judge(said(*places))
        assert [place_of(verdict.ranks, team) for team in range(4)] == list(places)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ((1, 2, NOTHING), Verdict(MatchState.CONFIRMED, (0, 1, 2))),
        ((NOTHING, 3, 1), Verdict(MatchState.CONFIRMED, (1, 2, 0))),
        ((1, 2, NOTHING, NOTHING), Verdict(MatchState.CONFIRMED, (0, 1, 2, 2))),
        ((1, NOTHING, NOTHING, GONE), Verdict(MatchState.CONFIRMED, (0, 1, 1, 2))),
        ((3, NOTHING, NOTHING, NOTHING), Verdict(MatchState.DISPUTED)),
        ((1, 1, NOTHING, NOTHING), Verdict(MatchState.DISPUTED)),
        ((TIED_FIRST, NOTHING, 3), Verdict(MatchState.CONFIRMED, (0, 0, 1))),
    ],
)
def test_the_silent_share_the_place_that_is_left(words: tuple[Word, ...], verdict: Verdict) -> None:
    assert judge(said(*words)).state == MatchState.REPORTED
    assert judge(said(*words), is_final=True) == verdict


def test_a_team_speaks_with_one_voice() -> None:
    pair = [_said(0, 1), _said(0, 2)]
    others = [_said(1, 2), _said(2, 3)]
    assert judge([*pair, *others]).state == MatchState.DISPUTED
    assert judge([pair[0], Said(0), *others]) == Verdict(MatchState.CONFIRMED, (0, 1, 2))
    assert judge([_said(0, GONE), Said(0), *others]).state == MatchState.REPORTED
    three = [_said(0, 1), _said(0, 2), _said(0, 1)]  # more than half of it
    assert judge([*three, *others]) == Verdict(MatchState.CONFIRMED, (0, 1, 2))


def four() -> tuple[Match, list[int]]:
    """A match of four, each for themselves."""
    arena = make_arena(4, team_count=4)
    ids = [player.pk for player in arena.players]
    return start_match(ladder=arena.ladder, teams=[[pk] for pk in ids]), ids


def say(match: Match, players: list[int], *places: int) -> Match:
    """Each of the players says a place; the match as it is then."""
    for player, place in zip(players, places, strict=True):
        match = report(match_id=match.pk, player_id=player, place=place)
    return match


def ranks_of(match: Match) -> list[int | None]:
    seats = Participant.objects.filter(match=match).order_by("team")
    return list(seats.values_list("rank", flat=True))


@pytest.mark.django_db
class TestReporting:
    """Through the door that pages and API use."""

    def test_everybody_says_a_place(self) -> None:
        match, players = four()
        match = say(match, players, 4, 2, 1, 3)
        assert match.state == MatchState.CONFIRMED
        assert ranks_of(match) == [3, 1, 0, 2]
        words = Report.objects.order_by("pk").values_list("outcome", "place")
        assert list(words) == [("lost", 4), ("lost", 2), ("won", 1), ("lost", 3)]
        assert report(match_id=match.pk, player_id=players[0], place=4).state == match.state
        with pytest.raises(MatchDecidedError):
            report(match_id=match.pk, player_id=players[0], place=3)

    def test_another_place_is_taken_until_the_match_is_decided(self) -> None:
        match, players = four()
        match = say(match, players[:3], 1, 1, 3)
        match = say(match, players[1:], 2, 3, 4)
        assert match.state == MatchState.CONFIRMED
        assert ranks_of(match) == [0, 1, 2, 3]

    def test_a_contradiction_is_over_when_the_places_agree(self) -> None:
        match, players = four()
        match = say(match, players, 1, 1, 2, 3)
        assert match.state == MatchState.DISPUTED
        match = say(match, players[1:], 2, 3, 4)
        assert match.state == MatchState.CONFIRMED

    def test_whoever_leaves_comes_last(self) -> None:
        match, players = four()
        leave(match_id=match.pk, player_id=players[2])
        match = say(match, [players[0], players[1], players[3]], 3, 1, 2)
        assert ranks_of(match) == [2, 0, 3, 1]
        left = Participant.objects.get(match=match, left_early=True)
        assert left.player_id == players[2]

    def test_having_won_is_the_first_place_and_silence_shares_the_rest(self) -> None:
        match, players = four()
        report(match_id=match.pk, player_id=players[0], outcome=Outcome.WON)
        assert Report.objects.get().place == 1
        Match.objects.update(due_at=match.played_at)
        assert settle_due() == 1
        assert ranks_of(match) == [0, 1, 1, 1]

    @pytest.mark.parametrize(
        "word",
        [
            {"outcome": Outcome.LOST},
            {"outcome": Outcome.DRAWN},
            {"place": 0},
            {"place": 5},
            {"outcome": Outcome.WON, "place": 1},
            {"outcome": Outcome.NOT_PLAYED, "place": 1},
            {},
        ],
    )
    def test_what_says_no_place_is_refused(self, word: dict[str, object]) -> None:
        match, players = four()
        with pytest.raises(WrongResultError):
            report(match_id=match.pk, player_id=players[0], **word)  # type: ignore[arg-type]
        assert not Report.objects.exists()

    def test_two_sides_have_no_places(self) -> None:
        arena = make_arena(2)
        first, second = (player.pk for player in arena.players)
        match = start_match(ladder=arena.ladder, teams=[[first], [second]])
        with pytest.raises(WrongResultError, match="two sides"):
            report(match_id=match.pk, player_id=first, place=1)
