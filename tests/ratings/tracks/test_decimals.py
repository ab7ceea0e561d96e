"""In how many decimals ratings are shown: as many as mean something on the scale of their track."""

from typing import Any

import pytest

from accounts.models import User
from ratings.models import RatingTrack
from ratings.runs.replay import replay_with
from ratings.systems import create, names
from ratings.tracks.parameters import change_parameters, create_track
from ratings.wording import points_in_words
from tests.ratings.arena import make_arena

SMALL: dict[str, Any] = {"start": 25.0, "deviation_start": 25 / 3, "beta": 25 / 6}
LARGE: dict[str, Any] = {"start": 1500.0, "deviation_start": 500.0, "beta": 250.0}


@pytest.mark.parametrize(
    ("spread", "places"),
    [(2000.0, 0), (350.0, 0), (10.0, 0), (9.9, 1), (25 / 3, 1), (1.0, 1)],
)
def test_two_digits_of_the_deviation(spread: float, places: int) -> None:
    system = create("trueskill", deviation_start=spread, provisional_deviation=spread / 2)
    assert system.decimals == places


def test_every_system_has_a_scale() -> None:
    assert {name: create(name).decimals for name in names()} == {
        **dict.fromkeys(names(), 0),
        "trueskill": 1,
    }
    assert create("elo", class_interval=5.0).decimals == 1


@pytest.mark.django_db
def test_a_track_begins_with_what_its_parameters_say() -> None:
    arena = make_arena()
    assert arena.track("elo").decimals == 0
    assert arena.track("trueskill").decimals == 1
    assert arena.track("trueskill", **LARGE).decimals == 0


@pytest.mark.django_db
def test_it_follows_a_change_from_now_on_and_one_as_if_always() -> None:
    arena, olga = make_arena(), User.objects.create_user("olga")
    track = arena.track("trueskill", **LARGE)
    replay = replay_with(track=track, parameters=SMALL, by=olga, note="")
    assert replay.decimals == 1
    assert not RatingTrack.objects.get(pk=track.pk).decimals
    change_parameters(track=track, parameters=SMALL, actor=olga, note="")
    found = dict(RatingTrack.objects.values_list("pk", "decimals"))
    assert found == {track.pk: 1, replay.pk: 1}


@pytest.mark.django_db
def test_operators_see_one_more() -> None:
    arena = make_arena()
    small = arena.track("trueskill")
    elo = create_track(
        ladder=arena.ladder, system="elo", parameters={}, period_days=None, shown=False
    )
    assert points_in_words(small, 25.0, 25 / 3) == "25.00 ± 8.33"
    assert points_in_words(elo, 1512.345, None) == "1512.3"
