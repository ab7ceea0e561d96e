"""The pages of game servers, and what the pages of games, ladders and players tell of them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from foundation.kept_pages import forget_pages
from leaderboards.logs.player_statistics import on_servers
from leaderboards.logs.servers import most_active
from ratings.archiving import archive
from ratings.logs.counting import count_logs
from ratings.logs.servers import obtain_server
from ratings.models import Ladder, Match, Mode, Player
from ratings.tracks.parameters import create_track
from tests.leaderboards.logs.test_told_match import words
from tests.ratings.logs.telling import event, frag, make_server, match_of, rate, tell, track
from tests.shown import as_shown

pytestmark = pytest.mark.django_db
ALL, ONE = "/games/arena/servers/", "/games/arena/servers/dm1/"


def text(address: str, status: int = 200, *, language: str = "en") -> str:
    """What a page says to everybody."""
    forget_pages()
    answer = Client().get(address, headers={"Accept-Language": language})
    assert answer.status_code == status, address
    return words(as_shown(answer.content.decode()))


def test_a_server_says_what_is_played_who_is_there_and_who_has_left() -> None:
    server = make_server()
    tell(
        server,
        event(1, "begin", map="q3dm17"),
        frag(2, "ann", "ben"),
        event(3, "join", player="cat"),
        event(4, "leave", player="ben"),
    )
    rate()
    shown = text(ONE)
    assert "DM1 Live" in shown
    assert "q3dm17" in shown
    assert "ann, cat Left: ben" in shown
    assert "Nobody is playing." not in shown
    card = text("/games/arena/")
    assert (
        "All servers Statistics Static ranking DM1 Live q3dm17 · 3 players Live Last event just now"
        in card
    )
    assert "q3dm17 · 3 players" in text(ALL)
    tell(server, event(5, "end"))
    rate()
    shown = text(ONE)
    assert "Nobody is playing." in shown
    assert "1st ann" in shown
    assert "Nobody is playing." in text("/games/arena/")


def test_who_plays_most_is_counted_over_its_matches_alone() -> None:
    first, second = make_server(), make_server("dm2")
    for name in ("m1", "m2"):
        tell(first, frag(1, "ann", "ben", name), frag(2, "ann", "ben", name), event(3, "end", name))
    tell(first, frag(1, "cat", "ann", "m3"), event(2, "end", "m3"))
    tell(second, frag(1, "dan", "ben", "m4"), event(2, "end", "m4"))
    rate()
    found = most_active(first, [first.ladder], {first.ladder_id: track()})
    counted = [(it.player.external_id, it.matches, it.frags, it.deaths) for it in found]
    assert counted == [("ann", 3, 4, 1), ("ben", 2, 0, 4), ("cat", 1, 1, 0)]


@pytest.mark.parametrize("hidden", ["server", "ladder"])
def test_what_is_archived_is_gone(hidden: str) -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"))
    archive(server if hidden == "server" else server.ladder, by=None)
    assert "archived" in text(ONE, 410)
    assert "DM1" not in text(ALL)
    assert "DM1" not in text("/games/arena/")


def test_servers_of_normal_mode_are_shown_nowhere() -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"), frag(1, "ann", "ben", "m2"), event(2, "end", "m2"))
    rate()
    Ladder.objects.update(mode=Mode.NORMAL)
    text(ONE, 404)
    for address in (
        ALL,
        "/games/arena/",
        f"/players/{match_of().participants.all()[0].player_id}/",
    ):
        shown = text(address)
        assert "DM1" not in shown
        assert "Nemesis" not in shown


def test_matches_that_a_server_told_on_a_hidden_ladder_are_left_out() -> None:
    """It has moved to a ranked ladder since: from who met whom before the hidden ratings could be reckoned."""
    server = make_server()
    tell(server, frag(1, "ann", "ben"), frag(1, "eve", "ben", "m2"), event(2, "end", "m2"))
    rate()
    Ladder.objects.update(mode=Mode.NORMAL)
    other = Ladder.objects.create(
        game=server.game, slug="open", name="Open", rated_by="events", pool_minimum=0
    )
    create_track(ladder=other, system="frags", parameters={}, period_days=None, shown=True)
    obtain_server(other, "dm1", name="DM1")
    assert "ann" not in text(ONE)
    assert "eve" not in text(ONE)
    assert "Nobody is playing." in text("/games/arena/")
    tell(server, frag(1, "cat", "dan", "m3"))
    assert "cat, dan" in text(ONE)


def test_a_ladder_says_by_what_it_is_rated_and_counts_matches() -> None:
    server = make_server()
    for number in range(1, 4):
        tell(server, frag(number, "ann", "ben"))
        rate()
    assert "0 matches" in text("/ladders/live/")
    tell(server, event(4, "end"))
    rate()
    shown = text("/ladders/live/")
    assert "Rated by what game servers tell, frag by frag" in shown
    assert "1 match" in shown
    assert "with every frag, within seconds" in shown
    assert "1 match" in text("/games/arena/")


def test_favourite_victim_and_nemesis() -> None:
    server = make_server()
    tell(
        server,
        event(1, "begin", map="q3dm17"),
        event(2, "join", player="ann", team="red"),
        event(3, "join", player="eve", team="red"),
        *(frag(number, "ann", "eve") for number in range(4, 10)),  # mates
        frag(10, "ann", "ben", weapon="rail"),
        frag(11, "ann", "ben"),
        frag(12, "ann", "cat"),
        frag(13, "cat", "ann"),
        event(14, "end"),
    )
    last = frag(1, "cat", "ann", "m2"), frag(2, "ben", "ann", "m2"), event(3, "end", "m2")
    tell(make_server("dm2"), *last)
    rate()
    ann = Player.objects.get(external_id="ann")
    assert on_servers(ann, server.ladder) is None
    count_logs()
    found = on_servers(ann, server.ladder)
    assert found is not None
    assert found.victim is not None
    assert found.nemesis is not None
    assert (found.victim.player.external_id, found.victim.frags) == ("ben", 2)
    assert (found.nemesis.player.external_id, found.nemesis.frags) == ("cat", 2)
    of_servers = [(it.server.slug, it.counts.frags, it.counts.deaths) for it in found.servers]
    assert of_servers == [("dm1", 3, 1), ("dm2", 0, 2)]
    assert (found.total.matches, found.total.frags, found.total.deaths) == (2, 3, 3)
    assert [(it.name, it.frags) for it in found.weapons] == [("rail", 1)]
    assert [(it.name, it.matches, it.frags) for it in found.maps] == [("q3dm17", 1, 3)]
    shown = text(f"/players/{ann.pk}/")
    assert "Favourite victim ben fragged 2 times Nemesis cat fragged this player 2 times" in shown
    assert "Weapons by frags rail 1 Maps by matches q3dm17 1" in shown
    Match.objects.filter(pk=match_of("m2").pk).update(state="annulled")
    found = on_servers(ann, server.ladder)
    assert found is not None
    assert (found.total.matches, found.total.deaths) == (1, 1)
    assert found.nemesis is not None
    assert found.nemesis.frags == 1


def test_lists_name_the_best_of_many() -> None:
    server = make_server()
    names = [f"p{number}" for number in range(9)]
    tell(server, *(frag(number + 1, name, "loser") for number, name in enumerate(names)))
    tell(server, frag(10, "p0", "loser"), event(11, "end"))
    rate()
    shown = text("/games/arena/")
    assert "1st p0" in shown
    assert "and 7 more" in shown
    assert "10 sides" in shown


def test_the_number_of_queries_is_constant() -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"), frag(1, "ann", "ben", "n1"), event(2, "end", "n1"))
    rate()
    counts = []
    for more in range(2):
        if more:
            for number in range(2, 9):
                name = f"n{number}"
                pairs = [(f"p{it}", f"p{(it + number) % 8}") for it in range(8)]
                tell(server, *(frag(n, *pair, name) for n, pair in enumerate(pairs, 1)))
                if number > 4:
                    tell(server, event(9, "end", name))
            for number in range(3, 9):
                make_server(f"dm{number}")
            rate()
        for address in (ALL, ONE):
            forget_pages()
            with CaptureQueriesContext(connection) as queries:
                Client().get(address)
            counts.append(len(queries))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 20
