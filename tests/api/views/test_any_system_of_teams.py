"""Free-for-alls and teams in Elo and Glicko-2: sent as a game's server does, read from API and page."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import numpy as np
import pytest
from django.test import Client

from foundation import clock
from ratings.models import Ladder, RatingChange
from ratings.systems import Contests, create
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import create_track
from tests.api.views.test_teams import post, result
from tests.api.world import World

pytestmark = pytest.mark.django_db
NAMES = ["Nora", "Otto", "Petra", "Quinn", "Rita", "Sven", "Tara", "Uwe"]


def make_ladder(world: World, system: str, days: float | None, **rules: Any) -> Ladder:
    ladder = Ladder.objects.create(game=world.game, slug="open", name="Open", **rules)
    create_track(ladder=ladder, system=system, parameters={}, period_days=days, shown=True)
    return ladder


def send(world: World, *matches: tuple[list[list[str]], list[int]]) -> list[int]:
    """Matches: the teams, and the place of each from 0. Their ids."""
    sent = [
        result(world, number, ladder="open", teams=teams, ranks=ranks)
        for number, (teams, ranks) in enumerate(matches)
    ]
    told = post(world, "results", {"results": sent})["results"]
    assert [one["status"] for one in told] == ["created"] * len(matches)
    return [one["match"] for one in told]


def alone(*names: str) -> tuple[list[list[str]], list[int]]:
    """Everyone for themselves, the best first."""
    return [[name] for name in names], list(range(len(names)))


def changes_of(world: World, match: int) -> dict[str, dict[str, Any]]:
    """What the API says that a match was worth, by name."""
    told = world.get(f"matches/{match}", "server-all")
    names = {
        one["player"]["id"]: one["player"]["name"]
        for team in told["teams"]
        for one in team["members"]
    }
    return {names[change["player"]]: change for change in told["changes"]}


def page_of(match: int) -> str:
    text = Client().get(f"/matches/{match}/").content.decode()
    return " ".join(
        unescape(re.sub(r"<[^>]+>", " ", text)).replace("\u2068", "").replace("\u2069", "").split()
    )


def test_elo_rates_a_server_of_three_to_eight(world: World) -> None:
    """Three newcomers, K 50: +25, 0, -25; then eight of them, and the page says why."""
    ladder = make_ladder(world, "elo", None, team_count=8, fewest_teams=3)
    first, second = send(world, alone(*NAMES[:3]), alone(*reversed(NAMES)))
    with clock.at(world.site.now):
        rate_due_tracks()
    points = {name: one["points"] for name, one in changes_of(world, first).items()}
    assert points == {"Nora": 25.0, "Otto": 0.0, "Petra": -25.0}
    system, known = create("elo"), create("elo").initial(8)
    for places in ([0, 1, 2], [7, 6, 5, 4, 3, 2, 1, 0]):
        n = len(places)
        columns = np.zeros(n, dtype=np.int64), np.arange(n), np.array(places), np.arange(n)
        known = system.rate(known, Contests(*columns), all_count=True)
    track = ladder.tracks.get()
    found = dict(track.ratings.values_list("player__external_id", "value"))
    assert found == pytest.approx(dict(zip(NAMES, known.value.tolist(), strict=True)), abs=1e-9)
    assert set(track.ratings.values_list("player__external_id", "games")) == {
        *((name, 2) for name in NAMES[:3]),
        *((name, 1) for name in NAMES[3:]),
    }
    text = page_of(first)
    assert (
        "Against the others, Nora was expected to score 0.50 on average, and scored 1.00 by finishing 1st of 3. "
        "That is 0.50 more than expected and, with K = 50.0, earns 25.0 points. Everyone is compared with each of the "
        "others, and all of that together counts as one game. This is the K for new players."
    ) in text
    # In the second match newcomers moved first. Nora is last of all: by the ratings before she was expected to score
    # more than one half, and the newcomers who beat her stand higher by then.
    text, told = page_of(second), changes_of(world, second)["Nora"]
    forecast = 1 / 7 * sum(1 / (1 + 10 ** (-d / 400)) for d in (25, 50, 25, 25, 25, 25, 25))
    assert f"while the ratings before the match said {forecast:.2f}" in text
    assert told["points"] == pytest.approx(known.value[0] - 1525, abs=1e-9)


def test_elo_rates_teams_of_unequal_size(world: World) -> None:
    make_ladder(world, "elo", None, team_size=5, smallest_team=1)
    teams = [NAMES[:3], NAMES[3:5]]
    match, single = send(world, (teams, [0, 1]), ([NAMES[:1], NAMES[3:4]], [0, 1]))
    with clock.at(world.site.now):
        rate_due_tracks()
    points = {name: one["points"] for name, one in changes_of(world, match).items()}
    assert points == {**dict.fromkeys(NAMES[:3], 25.0), **dict.fromkeys(NAMES[3:5], -25.0)}
    text = page_of(match)
    assert "Nora's team was expected to score 0.50 and won." in text
    assert "A team plays with the mean of its members' ratings" in text
    assert "Nora was expected to score 0.57 and won." in page_of(single)


def test_glicko2_rates_a_period_and_each_match_is_told(world: World) -> None:
    ladder = make_ladder(world, "glicko2", 7, team_count=8, fewest_teams=2)
    orders = [NAMES, [*NAMES[4:], *NAMES[:4]], NAMES[:3], NAMES[1:3]]
    matches = send(world, *(alone(*order) for order in orders))
    with clock.at(world.site.now + timedelta(days=15)):
        rate_due_tracks()
    system = create("glicko2")
    contest = np.repeat(np.arange(4), [len(order) for order in orders])
    team = np.concatenate([np.arange(len(order)) for order in orders])
    player = np.array([NAMES.index(name) for order in orders for name in order])
    after, changes = system.rate_explained(
        system.initial(8), Contests(contest, team, player, team), all_count=True
    )
    track = ladder.tracks.get()
    assert after.deviation is not None
    assert after.volatility is not None
    for column in ("value", "deviation", "volatility", "games"):
        found = dict(track.ratings.values_list("player__external_id", column))
        wanted = dict(zip(NAMES, getattr(after, column).tolist(), strict=True))
        assert found == pytest.approx(wanted, abs=1e-9), column
    entry = RatingChange.objects.get(track=track, player__external_id="Nora")
    mine = changes.player == 0
    assert entry.games == 3
    assert entry.actual == pytest.approx(changes.actual[mine].sum())
    assert entry.expected == pytest.approx(changes.expected[mine].sum())
    # Each match alone, by the API: together they are what the period did.
    told = [changes_of(world, match) for match in matches]
    for name in NAMES:
        row = changes.player == NAMES.index(name)
        parts = [one[name]["points"] for one in told if name in one]
        assert parts == pytest.approx(changes.contribution[row].tolist(), abs=1e-6)
        value = after.value[NAMES.index(name)]
        assert sum(parts) == pytest.approx(value - 1500, abs=1e-6)
    text = page_of(matches[1])
    assert (
        "Against the others, Nora was expected to score 0.50 on average, and scored 0.43 by finishing 5th of 8."
        in text
    )
    assert "Everyone is compared with each of the others" in text
    assert "the less certain those of the opponents, the smaller." in text
    assert "Nora played 3 games in this rating period" in text
    assert "7 opponents" in text
    assert "2 opponents" in text
    # Of two on a ladder of up to eight the page names the other.
    assert "Otto was expected to score 0.50 and won." in page_of(matches[3])
