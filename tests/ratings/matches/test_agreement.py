"""What the words of players amount to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.matches.result import outcome_of
from ratings.matches.verdict import Said, Verdict, judge
from ratings.models import OPEN, MatchState, Outcome

W, D, L, N = Outcome.WON, Outcome.DRAWN, Outcome.LOST, Outcome.NOT_PLAYED
OPPOSITE = {W: L, D: D, L: W, N: N}
OUTCOMES = st.sampled_from([W, D, L, N])
SAYINGS = st.lists(
    st.lists(st.tuples(st.sampled_from(["", W, D, L, N]), st.booleans()), min_size=1, max_size=3),
    min_size=2,
    max_size=4,
)


def each(*words: str) -> list[Said]:
    """Teams of one."""
    return [Said(team, word) for team, word in enumerate(words)]


@given(OUTCOMES, OUTCOMES)
def test_two_players_agree_when_their_words_mirror_each_other(
    first: Outcome, second: Outcome
) -> None:
    verdict = judge(each(first, second))
    if second != OPPOSITE[first]:
        assert verdict == Verdict(MatchState.DISPUTED)
    elif first == N:
        assert verdict == Verdict(MatchState.ABORTED)
    else:
        assert verdict.state == MatchState.CONFIRMED
        assert [outcome_of(verdict.ranks, team) for team in (0, 1)] == [first, second]


@pytest.mark.parametrize("left_early", [False, True])
def test_who_says_that_he_lost_is_believed_at_once(left_early: bool) -> None:
    verdict = judge([Said(0), Said(1, L, left_early)])
    assert verdict == Verdict(MatchState.CONFIRMED, (0, 1))


def test_a_team_is_given_up_by_more_than_half_of_it() -> None:
    beaten = Said(0, L)
    assert judge([beaten, Said(0), Said(1), Said(1)]).state == MatchState.REPORTED
    assert judge([beaten, beaten, Said(1), Said(1)]) == Verdict(MatchState.CONFIRMED, (1, 0))
    assert judge([beaten, Said(0, W), Said(1), Said(1)]) == Verdict(MatchState.DISPUTED)


def test_among_more_than_two_teams_nobody_can_concede_alone() -> None:
    assert judge(each(L, "", "")).state == MatchState.REPORTED


@given(OUTCOMES.filter(lambda word: word != L), st.sampled_from([0, 1]))
def test_of_two_the_word_of_one_stands_as_if_the_other_had_agreed(word: Outcome, team: int) -> None:
    words = ["", ""]
    words[team] = word
    assert judge(each(*words)).state == MatchState.REPORTED
    stands = judge(each(*words), is_final=True)
    words[1 - team] = OPPOSITE[word]
    assert stands == judge(each(*words))


def test_silence() -> None:
    assert judge(each("", "")).state == MatchState.PLAYING
    assert judge(each("", ""), is_final=True).state == MatchState.ABANDONED


@pytest.mark.parametrize(
    ("words", "ranks"),
    [
        ((W, L, L), (0, 1, 1)),
        ((L, D, D), (1, 0, 0)),
        ((D, D, D), (0, 0, 0)),
        ((W, "", ""), (0, 1, 1)),
        (("", L, L), (0, 1, 1)),
        ((L, D, ""), (1, 0, 0)),
        ((D, D, ""), (0, 0, 1)),
    ],
)
def test_of_three_teams_some_win_and_the_others_lose(
    words: tuple[str, ...], ranks: tuple[int, ...]
) -> None:
    assert judge(each(*words), is_final=True) == Verdict(MatchState.CONFIRMED, ranks)


@pytest.mark.parametrize(
    "words",
    [(W, W, L), (L, L, L), (W, D, L), (D, L, L), (N, N, W), ("", L, ""), ("", D, ""), (N, L, "")],
)
def test_three_teams_that_do_not_fit_are_a_dispute(words: tuple[str, ...]) -> None:
    assert judge(each(*words), is_final=True) == Verdict(MatchState.DISPUTED)


def test_three_teams_of_which_nobody_played() -> None:
    assert judge(each(N, "", ""), is_final=True) == Verdict(MatchState.ABORTED)


def test_one_word_a_team_is_enough() -> None:
    words = [Said(0, W), Said(0), Said(1), Said(1, L)]
    assert judge(words) == Verdict(MatchState.CONFIRMED, (0, 1))


def test_a_team_that_contradicts_itself_is_a_dispute_at_once() -> None:
    assert judge([Said(0, W), Said(0, L), Said(1)]) == Verdict(MatchState.DISPUTED)


def test_one_of_a_team_keeps_no_match_from_counting() -> None:
    lost, won = Said(0, L), Said(1, W)
    liar, slip = Said(0, W), Said(1, L)
    beaten = Verdict(MatchState.CONFIRMED, (1, 0))
    assert judge([liar, lost, lost, Said(0), won, Said(1), Said(1), Said(1)]).state == "disputed"
    assert judge([liar, lost, lost, lost, won, Said(1), Said(1), Said(1)]) == beaten
    assert judge([liar, lost, lost, lost, slip, won, won, won]) == beaten
    assert judge([Said(0, N), lost, lost, lost, *[Said(1)] * 4]) == beaten  # conceded


def test_a_team_without_a_majority_hears_that_of_the_match() -> None:
    lost, won, liar = Said(0, L), Said(1, W), Said(0, W)
    assert judge([liar, lost, won, won]) == Verdict(MatchState.CONFIRMED, (1, 0))
    assert judge([liar, lost, won, Said(1)]) == Verdict(MatchState.DISPUTED)
    assert judge([liar, lost, won, Said(1, L)]) == Verdict(MatchState.DISPUTED)
    assert judge([liar, liar, won, won]) == Verdict(MatchState.DISPUTED)
    gone = Said(1, L, left_early=True)  # does not know how it ended
    assert judge([liar, lost, won, gone]) == Verdict(MatchState.DISPUTED)


def test_who_leaves_does_not_speak_for_those_who_play_on() -> None:
    left = Said(0, L, left_early=True)
    assert judge([left, Said(0), Said(1), Said(1)]).state == MatchState.PLAYING
    assert judge([left, Said(0), Said(1, L), Said(1)]).state == MatchState.REPORTED
    assert judge([left, Said(0, W), Said(1, L), Said(1)]) == Verdict(MatchState.CONFIRMED, (0, 1))


def test_when_all_of_a_team_have_left_it_has_lost() -> None:
    gone = [Said(0, L, left_early=True), Said(0, L, left_early=True)]
    assert judge([*gone, Said(1, W), Said(1)]) == Verdict(MatchState.CONFIRMED, (1, 0))


@given(SAYINGS)
def test_every_match_comes_to_an_end(sayings: list[list[tuple[str, bool]]]) -> None:
    seats = [Said(team, *said) for team, members in enumerate(sayings) for said in members]
    now, at_last = judge(seats), judge(seats, is_final=True)
    assert at_last.state not in OPEN
    if now.state not in OPEN:
        assert now == at_last
    for verdict in (now, at_last):
        assert bool(verdict.ranks) == (verdict.state == MatchState.CONFIRMED)
    if at_last.ranks:
        assert len(at_last.ranks) == len(sayings)
        against = [
            seat
            for seat in seats
            if seat.outcome not in {"", outcome_of(at_last.ranks, seat.team)}
            and not seat.left_early
        ]
        assert 2 * len(against) < len(seats)
