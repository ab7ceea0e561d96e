"""Finding players."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client

from foundation import clock
from leaderboards.boards import refresh
from leaderboards.players.search import SearchCursor, find_players
from ratings.models import Mode
from ratings.players.enrol import enrol
from tests.leaderboards.site import (
    HIDDEN,
    HTMX,
    Site,
    add_players,
    count_queries,
    make_site,
    tells_hidden,
)
from tests.ratings.arena import DAY, START
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


@shared
def six() -> Site:
    return make_site(players=6, rounds=1)


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("an", ["Anna", "Ánnika"]),
        ("ÄN N", ["Anna", "Ánnika"]),
        ("anni", ["Ánnika"]),
        ("bjorn", ["Björn"]),
        ("0tto", ["Otto"]),
        ("nna", []),
        ("%", []),
        ("_", []),
    ],
)
def test_it_works(six: Site, query: str, names: list[str], headers: dict[str, str]) -> None:
    text = six.text(f"/search/?q={query.replace('%', '%25')}", headers)
    found = re.findall(r'<a href="/players/\d+/"><bdi>([^<]+)</bdi></a>', text)
    assert found == names
    if not names:
        assert "No player matches" in text


def names_found(site: Site, query: str) -> list[str]:
    text = site.text(f"/search/?{urlencode({'q': query})}")
    return [unescape(name) for name in re.findall(r'<a href="/players/\d+/"><bdi>([^<]+)<', text)]


def test_words_inside_names_are_found_and_the_best_comes_first(site: Site) -> None:
    for name in (
        "Farthings",
        "Tom Farthing",
        "Ann O'Farthing",
        "farthing",
        "Farthing",
        "p10",
        "p1",
        "P1",
    ):
        enrol(game=site.arena.game, external_id=f"id {name}", name=name)
    found = ["Farthing", "farthing", "Farthings", "Tom Farthing", "Ann O'Farthing"]
    assert sorted(names_found(site, "Farthing")) == sorted(found)
    assert names_found(site, "Farthing")[:3] == found[:3]
    assert names_found(site, "farthing tom") == ["Tom Farthing"]
    assert names_found(site, "ann farth") == ["Ann O'Farthing"]
    assert names_found(site, "p1") == ["p1", "P1", "p10"]
    assert names_found(site, "P1")[0] == "P1"
    assert names_found(site, "arthing") == []


def test_signs_that_stand_for_others_in_patterns_are_found_as_themselves(site: Site) -> None:
    """U+4E36 looks like a backslash, U+07FA like an underscore: so they are in search keys."""
    for name in ("Quo\u4e36b", "Zed\u07fawow", "Zedxwow", "Tom Quo\u4e36b"):
        enrol(game=site.arena.game, external_id=f"id {name}", name=name)
    assert names_found(site, "quo\u4e36b") == ["Quo\u4e36b", "Tom Quo\u4e36b"]
    assert names_found(site, "quo\u4e36b tom") == ["Tom Quo\u4e36b"]
    assert names_found(site, "zed\u07faw") == ["Zed\u07fawow"]


def test_a_player_is_found_once_and_by_the_newest_name(site: Site) -> None:
    enrol(game=site.arena.game, external_id="x", name="Zed Zedson Zedzed")
    assert names_found(site, "zed") == ["Zed Zedson Zedzed"]
    enrol(game=site.arena.game, external_id="x", name="Quorn")
    assert names_found(site, "zed") == []
    assert names_found(site, "quo") == ["Quorn"]


def test_a_ladder_finds_words_inside_names_too(site: Site) -> None:
    anna = site.anna
    anna.call("Sir Farthing")
    anna.save()
    found = site.text(f"{site.address}?q=farthing").split("board-found")[1].split("</ul>")[0]
    assert "Sir Farthing" in found


def test_results_are_read_page_by_page_over_all_stages(site: Site) -> None:
    for number in range(9):
        for name in ("Zed", f"Zedd {number}", f"Old Zed {number}", f"z{number} zed"):
            enrol(game=site.arena.game, external_id=f"{name} {number}", name=name)
    seen: list[int] = []
    after = None
    while True:
        found = find_players("zed", after=after, size=4)
        seen += [player.pk for player in found.players]
        if found.next is None:
            break
        after = SearchCursor.parse(str(found.next))
    assert len(seen) == len(set(seen)) == 36
    assert seen == [player.pk for player in find_players("zed", size=100).players]


def test_without_a_query_it_asks_for_one() -> None:
    text = Client().get("/search/").content.decode()
    assert "Type a name, or a word of one" in text


def test_with_htmx_only_the_results_come(site: Site) -> None:
    part = site.text("/search/?q=a", HTMX)
    assert part.lstrip().startswith('<div id="results"')
    assert part.split('<p id="announcement"')[0].strip() in site.text("/search/?q=a")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_results_are_read_page_by_page(headers: dict[str, str], site: Site) -> None:
    add_players(site, 50)
    address, seen = "/search/?q=newcomer", []
    while True:
        text = site.text(address, headers)
        seen += re.findall(r'<a href="/players/\d+/"><bdi>([^<]+)</bdi></a>', text)
        found = re.search(r'rel="next" href="([^"]+)"', text)
        if found is None:
            break
        address = found[1].replace("&amp;", "&")
    assert len(seen) == 50
    assert set(seen) == {f"Newcomer {number}" for number in range(50)}


def test_a_place_that_means_nothing_is_refused() -> None:
    for place in ("nonsense", "1-%00", "0-1-%00", "9-1-a", "0-x-a", "0-1"):
        assert Client().get(f"/search/?q=a&after={place}").status_code == 400


def test_a_nul_is_passed_over(site: Site) -> None:
    assert f'href="/players/{site.anna.pk}/"' in site.text("/search/?q=an%00na")
    for address in ("/search/?q=%00", f"{site.address}?q=%00"):
        assert site.get(address).status_code == 200


def test_it_shows_public_ratings_only() -> None:
    shown = make_site().text("/search/?q=anna")
    found = re.search(
        r'Go <span class="rating"><span class="rating-value">1\d\d\d<[^,]+?</td>', shown
    )
    assert found is not None
    assert re.search(r"</span>(, |</td>)", found[0])  # a comma follows right after a rating


def test_provisional_ratings_are_marked() -> None:
    site = make_site(established_after=1000)
    assert "rating-provisional" in site.text("/search/?q=anna")
    found = site.text(f"{site.address}?q=anna").split("board-found")[1].split("</ul>")[0]
    assert "rating-provisional" in found


def test_ratings_that_have_grown_vague_are_marked() -> None:
    site = make_site(own={"provisional_deviation": 345.0}, days_to_forget=30)
    assert "rating-provisional" not in site.text("/search/?q=anna")
    with clock.at(START + 100 * DAY):
        refresh.flip_due()
    assert "rating-provisional" in site.text("/search/?q=anna")


@pytest.mark.parametrize("rules", [{"mode": Mode.NORMAL}, {"shown": False}])
def test_it_hides_what_is_not_public(rules: dict[str, object]) -> None:
    site = make_site(own=HIDDEN, **rules)  # type: ignore[arg-type]
    text = site.text("/search/?q=anna")
    assert not tells_hidden(text)
    assert "not rated yet" in text


def test_what_was_typed_is_shown_as_text() -> None:
    text = Client().get("/search/?q=<script>alert(1)</script>").content.decode()
    assert "<script>alert" not in text


def test_the_number_of_queries_is_constant(site: Site) -> None:
    few = count_queries(site, "/search/?q=a")
    add_players(site, 19)
    assert count_queries(site, "/search/?q=n") <= few
    assert count_queries(site, "/search/?q=a") <= 5


def test_it_speaks_german() -> None:
    answer = Client().get("/search/?q=a", headers={"Accept-Language": "de"})
    assert '<html lang="de"' in answer.content.decode()


def test_search_forms_of_a_page_are_told_apart(site: Site) -> None:
    """Screen readers list landmarks by name."""
    for address in ("/", "/search/?q=a", site.address):
        forms = re.findall(r"<form[^>]*role=.search.[^>]*>", site.text(address))
        names = [re.findall(r'aria-label="([^"]+)"', form) for form in forms]
        assert len(names) == 2, address
        assert all(names), address
        assert names[0] != names[1], address


@pytest.mark.parametrize("language", ["en", "de"])
def test_languages_are_called_by_what_their_buttons_show(language: str) -> None:
    """Who speaks to the browser says what stands there."""
    text = make_site().text("/", headers={"accept-language": language})
    buttons = re.findall(r'<button name="language"[^>]*aria-label="([^"]+)"[^>]*>([^<]+)<', text)
    assert len(buttons) == 2
    assert [name for name, shown in buttons if not name.startswith(f"{shown} ")] == []
