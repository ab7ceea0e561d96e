"""Matches of teams and of everybody against everybody in lists: places, and who played together."""

import html
import re

import pytest

from foundation.templatetags.display import ordinal
from tests.leaderboards.contests import Entry, make_contest_site
from tests.leaderboards.site import Site

FOUR = [Entry([0], 1), Entry([1], 0), Entry([2], 3), Entry([3], 2)]
SHARED = [Entry([0], 1), Entry([1], 0), Entry([2], 1), Entry([3], 1)]


def words(site: Site, address: str, **headers: str) -> str:
    text = re.sub(r"<[^>]+>", " ", site.text(address, headers))
    return re.sub(r"\s+", " ", html.unescape(text)).replace(" ,", ",")


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (113, "113th")],
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text


@pytest.mark.django_db
class TestLines:
    """On the pages of players, and in the latest matches."""

    def test_a_player_reads_which_place_it_was(self) -> None:
        site = make_contest_site("trueskill", FOUR)
        anna = f"/players/{site.anna.pk}/"
        assert "2nd of 4" in words(site, anna)
        assert "0 : 1" not in words(site, anna)
        assert "2. von 4" in words(site, anna, **{"Accept-Language": "de"})

    def test_the_change_of_a_team_is_said_to_be_the_mean_of_its_members(self) -> None:
        teams = make_contest_site("trueskill", [Entry([0, 1], 0), Entry([2, 3], 1)])
        assert words(teams, "/").count(" on average ") == 1
        german = words(teams, "/", **{"Accept-Language": "de"})
        assert german.count(" im Mittel ") == 1

    def test_the_change_of_a_player_is_no_mean(self) -> None:
        assert " on average " not in words(make_contest_site("trueskill", FOUR), "/")

    def test_a_place_that_several_took_says_so(self) -> None:
        site = make_contest_site("trueskill", SHARED)
        anna = f"/players/{site.anna.pk}/"
        assert "tied for 2nd of 4" in words(site, anna)
        assert "geteilter 2. von 4" in words(site, anna, **{"Accept-Language": "de"})

    def test_the_latest_matches_are_in_the_order_of_places(self) -> None:
        site = make_contest_site("trueskill", FOUR)
        text = words(site, f"/games/{site.arena.game.slug}/")
        assert "1st Björn – 2nd Anna – 3rd Dmitri – 4th Çelik" in text
        assert "4 sides" in text

    def test_a_player_reads_who_the_partners_were(self) -> None:
        site = make_contest_site("trueskill", [Entry([0, 1], 0), Entry([2, 3], 1)])
        text = words(site, f"/players/{site.anna.pk}/")
        assert "with Björn against Çelik, Dmitri" in text
        german = words(site, f"/players/{site.anna.pk}/", **{"Accept-Language": "de"})
        assert "mit Björn gegen Çelik, Dmitri" in german

    def test_duels_name_the_opponent_alone(self) -> None:
        site = make_contest_site("trueskill", [Entry([0], 0), Entry([1], 1)])
        assert "against" not in words(site, f"/players/{site.anna.pk}/")
