"""Every wish, from joining to the offer: who would meet without it does not."""

from typing import Any

import pytest

from matchmaking.models import Avoided, Conduct, Offer, Queue
from matchmaking.refusals import WrongPreferencesError
from ratings.models import Game
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db

Preferences = dict[str, Any]


def three(
    settings: dict[str, Any], first: Preferences, second: Preferences, third: Preferences
) -> Hall:
    """Players 0 and 1 have the same rating, player 2 another."""
    hall = make_hall(3, gap_start=200, settings=settings)
    hall.rate({0: 1500, 1: 1500, 2: 1600})
    for number, preferences in enumerate((first, second, third)):
        hall.join(number, preferences=preferences)
    return hall


def test_a_character_holds_no_refused_word() -> None:
    """Everybody reads it on the page of the match."""
    hall = make_hall()
    Game.objects.filter(pk=hall.ladder.game_id).update(refused_words="badword")
    with pytest.raises(WrongPreferencesError) as refusal:
        hall.join(0, character="B-a-d w0rd BADWORD")
    assert "holds a word that this game refuses" in str(refusal.value)
    hall.join(0, character="Mage")


@pytest.mark.parametrize(
    ("settings", "first", "second", "third"),
    [
        pytest.param(
            {"language": {"use": "must"}},
            {"languages": ["de"]},
            {"languages": ["fr"]},
            {"languages": ["de", "fr"]},
            id="language",
        ),
        pytest.param(
            {"region": {"use": "must"}},
            {"regions": ["eu"]},
            {"regions": ["us"]},
            {"regions": ["eu"]},
            id="region",
        ),
        pytest.param(
            {"region": {"use": "must", "start": 80, "per_second": 0}},
            {"regions": {"eu": 20, "us": 150}},
            {"regions": {"eu": 120, "us": 30}},
            {"regions": {"eu": 60}},
            id="latency",
        ),
        pytest.param(
            {"style": {"use": "must"}},
            {"styles": ["attack"], "styles_wanted": ["defence"]},
            {"styles": ["attack"]},
            {"styles": ["defence"]},
            id="style",
        ),
        pytest.param(
            {"rules": {"use": "must"}},
            {"rules": ["no items"]},
            {"rules": ["items"]},
            {},
            id="rules",
        ),
        pytest.param(
            {"maps": {"names": "Canyon; Moor"}},
            {"maps": {"veto": ["Canyon"]}},
            {"maps": {"veto": ["Moor"]}},
            {},
            id="maps",
        ),
    ],
)
def test_players_who_do_not_fit_do_not_meet(
    settings: dict[str, Any], first: Preferences, second: Preferences, third: Preferences
) -> None:
    hall = three(settings, first, second, third)
    hall.sweep()
    assert len(hall.pairs()) == 1
    assert frozenset({0, 1}) not in hall.pairs()
    assert Offer.objects.count() == 1


@pytest.mark.parametrize("use", ["off", "must"])
def test_the_same_wishes_where_the_queue_does_not_look_at_them(use: str) -> None:
    hall = three({"language": {"use": use}}, {"languages": ["de"]}, {"languages": ["fr"]}, {})
    hall.sweep()
    assert (frozenset({0, 1}) in hall.pairs()) == (use == "off")


def test_an_avoided_player_is_not_met() -> None:
    hall = three({}, {}, {}, {})
    Avoided.objects.create(player=hall.players[1], avoided=hall.players[0])
    hall.sweep()
    assert hall.pairs() != {frozenset({0, 1})}
    assert len(hall.pairs()) == 1


def test_the_last_opponent_is_not_met_again_at_once() -> None:
    hall = make_hall(2)
    hall.put_into_match(0, against=1).participants.update(playing=False)
    hall.join(0, 1)
    assert hall.sweep().offers == 0
    hall.wait(20)
    assert hall.sweep().offers == 1  # by default the condition is dropped by then


def test_bad_conduct_meets_bad_conduct_first() -> None:
    hall = three({}, {}, {}, {})
    for number in (0, 2):
        Conduct.objects.create(player=hall.players[number], score=5.0, as_of=hall.now)
    hall.sweep()
    assert hall.pairs() == {frozenset({0, 2})}


def test_roles_fill_the_places_of_a_team() -> None:
    hall = make_hall(4, team_size=2, settings={"teams": {"roles": "tank 1; healer 1"}})
    hall.join(0, 1, 2, roles=["tank"])
    hall.join(3, roles=["healer"])
    assert hall.sweep().offers == 0
    hall.cancel(2)
    hall.join(2, roles=["healer", "tank"])
    assert hall.sweep().offers == 1
    assert all(len(team & {0, 1}) == 1 for team in hall.teams(Offer.objects.get()))


def test_a_new_pool_is_mixed_whatever_the_ratings() -> None:
    hall = make_hall(2, gap_start=10, gap_per_second=0, settings={"bootstrap": {"until": 5}})
    hall.rate({0: 1000, 1: 2000})
    hall.join(0, 1)
    assert hall.sweep().offers == 1


@pytest.mark.parametrize("strategy", ["fcfs", "buckets"])
def test_other_strategies_find_their_matches(strategy: str) -> None:
    hall = make_hall(2, strategy=strategy, gap_start=10, gap_per_second=0)
    Queue.objects.update(settings={"buckets": {"levels": "skill: 5; anyone"}})
    hall.rate({0: 1000, 1: 2000})
    hall.join(0, 1)
    assert hall.sweep().offers == (1 if strategy == "fcfs" else 0)
    hall.wait(5)
    hall.sweep()
    assert Offer.objects.get().record["strategy"] == strategy
