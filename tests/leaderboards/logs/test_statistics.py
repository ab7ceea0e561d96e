"""Figures of servers, and the static ranking of their players: on pages and in the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from foundation import clock
from foundation.kept_pages import forget_pages
from leaderboards.logs import frag_ranking
from leaderboards.logs.frag_ranking import FragRanking, rank_frags
from leaderboards.logs.player_statistics import on_servers
from leaderboards.logs.selection import Selection, select_matches
from leaderboards.logs.statistics import Statistics, statistics_of
from ratings.archiving import archive
from ratings.logs.counting import count_logs
from ratings.merging.merge import merge
from ratings.models import Game, GameServer, Ladder, Match, Mode, Player
from tests.leaderboards.logs.test_servers import text
from tests.ratings.logs.telling import event, frag, make_server, match_of, rate, tell

pytestmark = pytest.mark.django_db
FIGURES, RANKING = "/games/arena/statistics/", "/games/arena/static-ranking/"


def played(server: GameServer, name: str, *pairs: tuple[str, str], **more: Any) -> None:
    """A match of these frags, over."""
    frags = (frag(number, *pair, name, **more) for number, pair in enumerate(pairs, 2))
    begin, end = event(1, "begin", name, map="Canyon"), event(len(pairs) + 2, "end", name)
    tell(server, begin, *frags, end)


def count() -> None:
    rate()
    count_logs()


def select(**given: Any) -> Selection:
    found = select_matches(Game.objects.get(slug="arena"), **given)
    assert found is not None
    return found


def figures(order: str = "frags", **given: Any) -> Statistics:
    return statistics_of(select(**given), now=clock.now(), order=order)


def ranking(**given: Any) -> FragRanking:
    return rank_frags(select(), now=clock.now(), **given)


def of_players(found: Statistics) -> list[tuple[str, int, int, int]]:
    return [
        (it.player.external_id, it.counts.matches, it.counts.frags, it.counts.deaths)
        for it in found.best
    ]


def ask(address: str, status: int = 200) -> Any:
    answer = Client().get(f"/api/v1/{address}")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_all_servers_together_and_each_by_itself() -> None:
    first, second = make_server(), make_server("dm2")
    played(first, "m1", *[("ann", "ben")] * 3, ("ben", "ann"), weapon="rail")
    played(second, "m2", ("ann", "cat"), ("cat", "ann"), ("cat", "ann"))
    tell(second, frag(1, "ann", "cat", "m3"))  # goes on
    count()
    assert of_players(figures()) == [("ann", 2, 4, 3), ("cat", 1, 2, 1), ("ben", 1, 1, 3)]
    assert of_players(figures(server="dm1")) == [("ann", 1, 3, 1), ("ben", 1, 1, 3)]
    found = figures()
    assert (found.total.matches, found.total.frags, found.players) == (2, 7, 3)
    assert [(it.name, it.frags) for it in found.weapons] == [("rail", 4)]
    assert [(it.name, it.matches, it.frags) for it in found.maps] == [("Canyon", 2, 7)]
    shown = text(FIGURES)
    assert "Frags 7" in shown
    assert "1 ann 4" in shown
    assert "cat" not in text(f"{FIGURES}?server=dm1")
    of_first = ask("games/arena/statistics?server=dm1")
    assert [row["counts"]["frags"] for row in of_first["results"]] == [3, 1]
    assert of_first["results"][0]["counts"]["ratio"] == 3.0


def test_figures_follow_the_time_of_play() -> None:
    server, now = make_server(), clock.now()
    with clock.at(now - timedelta(minutes=30)):
        tell(server, event(1, "join", player="ann"), event(2, "join", player="ben"))
    with clock.at(now):
        tell(server, *(frag(n, "ann", "ben") for n in range(3, 63)), event(63, "end"))
    count()
    best = figures().best[0].counts
    assert best.minutes == pytest.approx(30.0, abs=0.1)
    assert best.per_hour == pytest.approx(120.0, rel=0.01)
    with clock.at(now + timedelta(days=8)):
        assert figures(days=7).players == 0
        assert figures(days=30).players == 2


def test_who_has_hardly_played_is_no_best_by_shares() -> None:
    server = make_server()
    played(server, "m1", ("lucky", "ben"))
    played(server, "m2", *[("ann", "ben")] * 20, *[("ben", "ann")] * 10)
    count()
    assert [name for name, *_ in of_players(figures("ratio"))] == ["ann", "ben", "lucky"]
    assert "1 ann" in text(f"{FIGURES}?order=ratio")


def test_what_is_annulled_or_hidden_is_not_counted() -> None:
    server = make_server()
    played(server, "m1", ("ann", "ben"))
    played(server, "m2", ("cat", "ben"))
    count()
    Match.objects.filter(pk=match_of("m1").pk).update(state="annulled")
    assert [name for name, *_ in of_players(figures())] == ["cat", "ben"]
    assert [row.player.external_id for row in ranking().groups[0].rows] == ["cat", "ben"]
    Ladder.objects.update(mode=Mode.NORMAL)
    for address in (FIGURES, RANKING):
        assert "cat" not in text(address)
        assert "Nothing counted yet" in text(address)
    for address in ("statistics", "static-ranking"):
        assert ask(f"games/arena/{address}")["players"] == 0
    ben = Player.objects.get(external_id="ben")
    assert ask(f"players/{ben.pk}/statistics") == {"results": []}


def test_whoever_is_merged_counts_for_the_other() -> None:
    server = make_server()
    played(server, "m1", *[("ann", "ben")] * 2, ("ben", "ann"), weapon="rail")
    played(server, "m2", ("ann2", "ben"), weapon="rail")
    count()
    ann, other = (Player.objects.get(external_id=name) for name in ("ann", "ann2"))
    merge(player=other, into=ann, by=None, note="")
    count()
    found = on_servers(ann, server.ladder)
    assert found is not None
    assert found.victim is not None
    assert found.victim.frags == 3
    assert [(it.name, it.frags) for it in found.weapons] == [("rail", 3)]
    rows = ranking().groups[0].rows
    assert [(it.player.external_id, it.frags) for it in rows] == [("ann", 3), ("ben", 1)]


def test_the_static_ranking_is_that_of_the_published_example() -> None:
    """1-2 6:2, 1-3 3:1, 2-3 5:5, each pair alike: 1/3, -1/6, -1/6."""
    server = make_server()
    played(server, "m1", *[("p1", "p2")] * 6, *[("p2", "p1")] * 2, *[("p1", "p3")] * 3)
    played(server, "m2", ("p3", "p1"), *[("p2", "p3")] * 5, *[("p3", "p2")] * 5)
    count()
    (group,) = ranking(by_frags=False).groups
    values = {it.player.external_id: it.value for it in group.rows}
    assert values == pytest.approx({"p1": 1 / 3, "p2": -1 / 6, "p3": -1 / 6})
    assert [it.place for it in group.rows] == [1, 2, 2]
    said = ask("games/arena/static-ranking?pairs=alike")
    assert said["groups"][0]["results"][0]["strength"] == pytest.approx(1 / 3)
    shown = text(f"{RANKING}?pairs=alike")
    assert "1 p1 +0.333" in shown
    assert "cannot be compared" not in shown


def test_groups_that_never_met_are_said_not_to_be_comparable() -> None:
    server = make_server()
    played(server, "m1", ("ann", "ben"), ("ben", "cat"))
    played(server, "m2", ("dan", "eve"))
    count()
    found = ranking()
    assert [(group.number, group.players) for group in found.groups] == [(1, 3), (2, 2)]
    shown = text(RANKING)
    assert "There are 2 groups" in shown
    assert "cannot be compared" in shown
    assert "Group 2" in shown
    assert "2 Gruppen" in text(RANKING, language="de")
    (only,) = ranking(most=3).groups
    assert ranking(most=3).left_out == 2
    assert len(only.rows) == 3


def test_a_core_is_of_those_who_have_met_often_enough() -> None:
    server = make_server()
    pairs = [("ann", "ben"), ("ben", "cat"), ("cat", "ann")]
    played(server, "m1", *pairs * 5, ("visitor", "ann"))
    count()
    found = ranking(core=5)
    assert (found.players, found.outside_core) == (3, 1)
    assert "1 player is left out" in text(f"{RANKING}?core=5")
    assert "Nobody is in such a core" in text(f"{RANKING}?core=50")
    assert ask("games/arena/static-ranking?core=5")["outside_core"] == 1


def test_it_is_made_of_the_latest_matches_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server()
    played(server, "m1", ("old", "ben"))
    played(server, "m2", ("ann", "ben"))
    count()
    monkeypatch.setattr(frag_ranking, "MOST_MATCHES", 1)
    found = ranking()
    assert (found.matches, found.is_cut, found.players) == (1, True, 2)
    assert "There are older ones" in text(RANKING)


@pytest.mark.parametrize(
    "query", ["order=x", "days=5", "core=3", "pairs=x", "server=none", "server=dm9"]
)
def test_what_cannot_be_asked_for(query: str) -> None:
    make_server()
    page = RANKING if query.startswith(("core", "pairs")) else FIGURES
    assert "This request doesn't work" in text(f"{page}?{query}", 400)
    name = page.split("/")[-2]
    assert ask(f"games/arena/{name}?{query}", 400)["code"] == "invalid_parameter"


def test_of_an_archived_game_they_are_gone() -> None:
    server = make_server()
    archive(server.game, by=None)
    for name in ("statistics", "static-ranking"):
        assert "archived" in text(f"/games/arena/{name}/", 410)
        assert ask(f"games/arena/{name}", 410)["code"] == "archived"


def test_the_number_of_queries_is_constant() -> None:
    server, counts = make_server(), []
    for more in range(2):
        for number in range(1 + 6 * more):
            names = [f"p{it}" for it in range(2 + 5 * more)]
            pairs = [(one, names[it - 1]) for it, one in enumerate(names)]
            played(make_server(f"dm{number}"), f"m{more}{number}", *pairs)
        count()
        player = Player.objects.get(external_id="p0")
        for address in (FIGURES, RANKING, f"/players/{player.pk}/"):
            forget_pages()
            with CaptureQueriesContext(connection) as queries:
                assert Client().get(address).status_code == 200
            counts.append(len(queries))
    assert server.slug == "dm1"
    assert counts[:3] == counts[3:]
    assert max(counts[:2]) <= 16
