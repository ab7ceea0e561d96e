"""No page costs more the more games a player has in one rating period, closed or open."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import connection

from leaderboards.matches.detail import MOST_BESIDE
from ratings.models import Match
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db

FEW, MANY = 150, 900
DAYS = 1000.0


@dataclass
class Cost:
    """Of a page: queries, and rows of matches, participants and the ledger that they touched."""

    queries: int = 0
    rows: int = 0


@contextmanager
def costing() -> Iterator[Cost]:
    """Count what is read, by the server's own plans: a page must not walk through rows either."""
    cost = Cost()

    def execute(run: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        cost.queries += 1
        if sql.lstrip().startswith("SELECT"):
            with connection.connection.cursor() as cursor:
                cursor.execute(
                    f"EXPLAIN (ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF) {sql}", parameters
                )
                (told,) = cursor.fetchone()
            plan = told if isinstance(told, list) else json.loads(told)
            cost.rows += _read(plan[0]["Plan"])
        return run(sql, parameters, many, context)

    with connection.execute_wrapper(execute):
        yield cost


def _read(plan: dict[str, Any]) -> int:
    """Rows that the scans of a plan touched, those that they threw away too."""
    own = 0
    if "Scan" in plan["Node Type"]:
        each = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        own = round(each * plan["Actual Loops"])
    return own + sum(_read(part) for part in plan.get("Plans", ()))


def busy(games: int, *, is_open: bool) -> Site:
    """Anna meets everybody in turn, all in one period; a second site has another number of games."""
    site = make_site(players=6, rounds=1, days=DAYS, rated=False, slug=f"busy{games}")
    site.play(
        *(
            Played(20 + number * 0.01, 0, 1 + number % 5, float(number % 3 > 0))
            for number in range(games)
        )
    )
    site = replace(site, now=START + (30 if is_open else 1110) * DAY)
    site.rate(day=30 if is_open else 1100)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ratings_match, ratings_participant, ratings_ratingchange")
        # Small tables are read whole; large ones, of which this is about, by an index.
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
    return site


def costs(site: Site) -> dict[str, Cost]:
    """Of each page that tells of Anna's games."""
    matches = Match.objects.filter(ladder=site.arena.ladder).order_by("pk")
    middle = matches[matches.count() // 2]
    pages = {
        "player": f"/players/{site.anna.pk}/",
        "match": f"/matches/{middle.pk}/",
        "game": f"/games/{site.arena.game.slug}/",
        "home": "/",
        "api": f"/api/v1/matches/{middle.pk}",
    }
    found = {}
    for name, address in pages.items():
        site.text(address)
        with costing() as cost:
            site.text(address)
        found[name] = cost
    return found


@pytest.mark.full
@pytest.mark.parametrize("is_open", [False, True])
def test_no_page_reads_more_for_more_games_of_a_period(is_open: bool) -> None:
    few = costs(busy(FEW, is_open=is_open))
    many = costs(busy(MANY, is_open=is_open))
    for name, cost in many.items():
        assert cost.queries <= few[name].queries + 2, name
        assert cost.rows <= 1.5 * few[name].rows + 100, (name, cost, few[name])


def test_a_match_names_the_games_beside_it_and_counts_the_others() -> None:
    site = busy(MANY, is_open=False)
    match = site.matches[-1]
    games = Match.objects.filter(ladder=site.arena.ladder, pk__gte=match.pk).order_by("pk")
    text = site.text(f"/matches/{games[400].pk}/")
    listed = text[text.index("Games of the rating period") :]
    listed = listed[: listed.index("</table>")]
    assert listed.count('<th scope="row"><a') == 2 * MOST_BESIDE + 1
    assert "other games" in listed
