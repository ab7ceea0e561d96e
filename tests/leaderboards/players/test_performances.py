"""How well players played lately, on their pages and in the API."""

import math
from typing import Any

import pytest
from django.test import Client

from foundation import clock
from leaderboards.players.performance import FEWEST, LATEST
from leaderboards.players.profile import ratings_of_player
from ratings.models import Mode, RatingChange
from ratings.systems import Performance
from ratings.systems.performance import Undefined
from tests.leaderboards.site import Site, count_queries, make_site
from tests.ratings.arena import Played

pytestmark = pytest.mark.django_db


def address_of(site: Site, number: int = 0) -> str:
    return f"/players/{site.arena.players[number].pk}/"


def performance_of(site: Site, number: int = 0) -> Performance | None:
    with clock.at(site.now):
        (shown,) = ratings_of_player(site.arena.players[number], site.now)
    return shown.performance


def asked(site: Site, number: int = 0) -> Any:
    """The rating as the API tells it."""
    player = site.arena.players[number].pk
    with clock.at(site.now):
        answer = Client().get(f"/api/v1/players/{player}/ratings")
    return answer.json()["results"][0]


def test_it_is_of_the_latest_games_by_the_opponents_ratings_before_them() -> None:
    site = make_site(rounds=11, system="elo", days=None)  # 33 games of each
    rows = RatingChange.objects.filter(player=site.arena.players[1]).order_by("-id")[:LATEST]
    matches = [row.match_id for row in rows]
    others = RatingChange.objects.filter(match__in=matches).exclude(player=site.arena.players[1])
    mean = sum(row.value_before for row in others) / LATEST
    share = sum(row.actual or 0.0 for row in rows) / LATEST
    expected = mean + 400 * math.log10(share / (1 - share))
    found = performance_of(site, 1)
    assert found is not None
    assert (found.games, found.share) == (LATEST, share)
    assert found.rating == pytest.approx(expected, abs=1e-9)
    text = site.text(address_of(site, 1))
    assert f"{expected:.0f} <span" in text
    assert f"in {LATEST} games" in text
    told = asked(site, 1)
    assert (told["performance"], told["performance_games"]) == (found.rating, LATEST)


@pytest.mark.parametrize(
    ("number", "undefined", "words"),
    [(0, Undefined.ALL_WON, "won every game"), (3, Undefined.ALL_LOST, "lost every game")],
)
def test_all_or_nothing_is_no_figure(number: int, undefined: Undefined, words: str) -> None:
    site = make_site(rounds=4, system="elo", days=None)
    found = performance_of(site, number)
    assert found is not None
    assert (found.rating, found.undefined) == (None, undefined)
    assert words in site.text(address_of(site, number))
    told = asked(site, number)
    assert (told["performance"], told["performance_games"]) == (None, 12)


def test_there_is_none_before_enough_games() -> None:
    site = make_site(players=2, rounds=FEWEST - 1, system="elo", days=None)
    assert performance_of(site) is None
    assert "Performance" not in site.text(address_of(site))
    site.play(Played(20.0, 0, 1, 0.5))
    site.rate(day=21)
    found = performance_of(site)
    assert found is not None
    assert found.games == FEWEST


def test_few_games_are_said_to_be_few_until_there_are_enough() -> None:
    site = make_site(players=2, rounds=LATEST - 1, system="elo", days=None)
    site.play(Played(29.0, 0, 1, 0.5))
    assert "few games" in site.text(address_of(site))
    site.rate(day=30)
    found = performance_of(site)
    assert found is not None
    assert (found.games, found.has_few_games) == (LATEST, False)
    assert "few games" not in site.text(address_of(site))


@pytest.mark.parametrize(
    ("system", "days"), [("glicko", 7.0), ("elo", 7.0), ("elo_normal", None), ("frags", None)]
)
def test_other_ladders_have_none(system: str, days: float | None) -> None:
    site = make_site(rounds=8, system=system, days=days)
    assert "Performance" not in site.text(address_of(site, 1))


def test_normal_mode_shows_none() -> None:
    site = make_site(rounds=8, system="elo", days=None, mode=Mode.NORMAL)
    assert "Performance" not in site.text(address_of(site, 1))
    with clock.at(site.now):
        assert ratings_of_player(site.arena.players[1], site.now) == []


def test_a_ladder_more_takes_no_query_for_it() -> None:
    """Of two ladders the games are read together: each brings its rank and counts only."""
    site = make_site(rounds=8, system="elo", days=None)
    one = count_queries(site, address_of(site, 1))
    ladder = site.arena.ladder
    ladder.pk, ladder.slug, ladder.name, ladder.last_seq = None, "rapid", "Rapid", 0
    ladder.counted_until, ladder._state.adding = None, True
    ladder.save()
    second = Site(site.arena, site.arena.track("elo", shown=True), [], site.now)
    second.play(*(Played(n / 2, 1, 0, float(n % 2)) for n in range(FEWEST)))
    second.rate(day=30)
    with clock.at(site.now):
        shown = ratings_of_player(site.arena.players[1], site.now)
    games = {it.ladder.slug: it.performance.games for it in shown if it.performance}
    assert games == {"go": 24, "rapid": FEWEST}
    assert count_queries(site, address_of(site, 1)) <= one + 5
