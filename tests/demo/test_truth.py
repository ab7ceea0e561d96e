"""What happens in simulated matches, and what simulated players say of it."""

import random
from collections import Counter

import pytest

from demo.maps import map_preferences
from demo.play.client import RateLimit
from demo.play.truth import MatchTruth, Persona, answer_to, word_of
from demo.strength import draw_chance, expected, score, together

STRONG = Persona("sim-1", strength=1900.0, activity=1.0, manners=0.9)
WEAK = Persona("sim-2", strength=1500.0, activity=1.0, manners=0.9)
ROWDY = Persona("sim-3", strength=1500.0, activity=1.0, manners=0.0)


def truths(first: Persona, second: Persona, count: int = 400) -> list[MatchTruth]:
    return [MatchTruth.of(number, [[first], [second]], seed=1) for number in range(count)]


def test_both_sides_see_the_same_match() -> None:
    for truth in truths(STRONG, WEAK):
        assert answer_to(truth.outcome_for(STRONG.id)) == truth.outcome_for(WEAK.id)
    teams = [[STRONG], [WEAK]]
    assert MatchTruth.of(7, teams, seed=1) == MatchTruth.of(7, teams, seed=1)
    assert MatchTruth.of(7, teams, seed=1) != MatchTruth.of(7, teams, seed=2)


def test_the_stronger_wins_as_often_as_the_difference_says() -> None:
    played = [truth for truth in truths(STRONG, WEAK, 4000) if truth.played]
    mean = sum((1 + truth.ranks[1] - truth.ranks[0]) / 2 for truth in played) / len(played)
    assert mean == pytest.approx(expected(400.0), abs=0.02)


def test_a_side_counts_for_each_player_of_the_first_team() -> None:
    team, others = [WEAK, ROWDY], [Persona(f"sim-{n}", 1500.0, 1.0, 1.0) for n in (4, 5)]
    matches = [MatchTruth.of(n, [team, others], seed=1, side=300.0) for n in range(1000)]
    won = sum(truth.outcome_for(WEAK.id) == "won" for truth in matches if truth.played)
    assert won / 1000 == pytest.approx(expected(together([300.0, 300.0])), abs=0.05)


def test_some_like_and_some_refuse_a_map_and_always_the_same() -> None:
    maps = ["A", "B", "C", "D"]
    wishes = [map_preferences(f"sim-{number}", maps) for number in range(300)]
    assert wishes == [map_preferences(f"sim-{number}", maps[::-1]) for number in range(300)]
    assert 50 < wishes.count({}) < 200
    asked = [wish["maps"] for wish in wishes if wish]
    for kind, most in (("like", 2), ("veto", 1)):
        lists = [one[kind] for one in asked if kind in one]
        assert {len(names) for names in lists} == set(range(1, most + 1))
        assert {name for names in lists for name in names} == set(maps)
    assert not any(set(one.get("like", [])) & set(one.get("veto", [])) for one in asked)
    assert map_preferences("sim-1", maps[:2]) == {}


def test_of_four_one_wins_and_the_strongest_most_often() -> None:
    four = [STRONG, WEAK, ROWDY, Persona("sim-4", 1500.0, 1.0, 1.0)]
    teams = [[one] for one in four]
    played = [truth for n in range(1000) if (truth := MatchTruth.of(n, teams, seed=1)).played]
    firsts = Counter(truth.teams[truth.ranks.index(0)][0] for truth in played)
    assert firsts.most_common(1)[0][0] == STRONG.id
    for truth in played:
        words = Counter(truth.outcome_for(one.id) for one in four)
        assert words in ({"won": 1, "lost": 3}, *({"drawn": n, "lost": 4 - n} for n in (2, 3, 4)))


@pytest.mark.parametrize("word", ["won", "lost", "drawn"])
def test_everybody_agrees_with_the_word_of_a_person(word: str) -> None:
    person = Persona.of_a("ada")
    four = [[STRONG], [person], [WEAK], [ROWDY]]
    for number in range(50):
        truth = MatchTruth.of(number, four, seed=1)
        words = Counter(truth.agree(one.id, "ada", word) for one in (STRONG, WEAK, ROWDY))
        assert (
            words
            == {
                "won": {"lost": 3},
                "lost": {"won": 1, "lost": 2},
                "drawn": {"drawn": 1, "lost": 2},
            }[word]
        )
    two = MatchTruth.of(1, [[STRONG, person], [WEAK, ROWDY]], seed=1)
    assert two.agree(STRONG.id, "ada", word) == word
    assert {two.agree(one.id, "ada", word) for one in (WEAK, ROWDY)} <= {answer_to(word), "lost"}


def test_scores_follow_luck() -> None:
    shares = Counter(score(0.0, luck / 1000) for luck in range(1000))
    assert shares[0.5] == pytest.approx(1000 * draw_chance(0.0), abs=2)
    assert shares[1.0] == pytest.approx(shares[0.0], abs=2)
    assert {score(900.0, luck / 1000) for luck in range(900)} == {1.0}


def test_matches_last_20_to_60_seconds_unless_someone_leaves() -> None:
    everything = truths(WEAK, ROWDY, 2000)
    left = [truth for truth in everything if truth.leaver]
    assert left
    assert all(truth.outcome_for(truth.leaver or "") in {"lost", "not_played"} for truth in left)
    assert all(20 <= v.seconds <= 60 for v in everything if not v.leaver)
    assert all(4 <= v.seconds < 60 for v in left)
    assert Counter(v.leaver for v in left)[ROWDY.id] > 5 * Counter(v.leaver for v in left)[WEAK.id]


def test_nearly_everybody_tells_the_truth() -> None:
    luck = random.Random(4)
    polite = Counter(word_of(STRONG, "lost", luck) for _ in range(2000))
    rude = Counter(word_of(ROWDY, "lost", luck) for _ in range(2000))
    assert polite["lost"] > 1900
    assert rude["won"] > polite["won"]  # a dispute, sometimes
    assert rude[None] > 0  # and some forget
    assert {word_of(ROWDY, "not_played", luck) for _ in range(200)} <= {"not_played", None}


def test_an_opponents_word_is_answered_with_what_agrees() -> None:
    words = ("won", "lost", "drawn", "not_played")
    assert [answer_to(word) for word in words] == ["lost", "won", "drawn", "not_played"]


def test_the_pace_holds_for_any_crowd() -> None:
    pace = RateLimit(10.0, burst=3)
    turns = [pace.delay(0.0) for _ in range(20)]
    assert turns[:3] == [0.0, 0.0, 0.0]
    assert turns[3:] == pytest.approx([0.1 * place for place in range(1, 18)])
    # after a rest the burst is there again, and no more than that
    assert [pace.delay(100.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert pace.delay(100.0) == pytest.approx(0.1)


def test_among_many_everybody_takes_a_place_that_people_have_left() -> None:
    truth = MatchTruth(30.0, True, (("ann",), ("bot",), ("bob",), ("cy",)), (2, 0, 3, 1), None)
    assert [truth.place_beside(one, {}, []) for one in ("ann", "bot", "bob", "cy")] == [
        3,
        1,
        4,
        2,
    ]
    beside = [truth.place_beside(one, {"ann": 1}, []) for one in ("bot", "bob", "cy")]
    assert beside == [2, 4, 3]
    left = [truth.place_beside(one, {}, ["ann"]) for one in ("bot", "bob", "cy")]
    assert left == [1, 3, 2]
    assert truth.place_beside("bot", {"ann": 2, "cy": 1}, ["bob"]) == 3
