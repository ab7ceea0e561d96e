"""Pages show ratings in as many decimals as their track's scale asks for."""

import re

import pytest

from foundation.templatetags.components import points
from tests.leaderboards.site import make_site

pytestmark = pytest.mark.django_db
LARGE = {"start": 1500.0, "deviation_start": 500.0, "beta": 250.0, "provisional_deviation": 400.0}


@pytest.mark.parametrize(
    ("own", "form", "more"),
    [
        ({"provisional_deviation": 7.0}, r"-?\d{1,2}\.\d", r"\d+\.\d\d"),
        (LARGE, r"-?\d{1,4}", r"\d+\.\d"),
    ],
)
def test_decimals_follow_the_scale(own: dict[str, float], form: str, more: str) -> None:
    """The table of the history has one more."""
    site = make_site(system="trueskill", days=None, own=own)
    (match, *_rest), player = site.matches, f"/players/{site.anna.pk}/"
    for address in (site.address, player, "/", f"/matches/{match.pk}/"):
        ratings = re.findall(r'rating-value">([^<]+)<', site.text(address))
        assert ratings, address
        assert [one for one in ratings if not re.fullmatch(form, one)] == [], address
    _page, history = site.text(player).split('class="chart-data"')
    figures = re.findall(r'class="num">(\d[^<]*)<', history.split("</table>")[0])
    assert figures
    assert [one for one in figures if not re.fullmatch(more, one)] == []


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (10.0, 0, "▲+10.0"),
        (29.96, 0, "▲+30.0"),
        (100.0, 1, "▲+100.00"),
        (-10.0, 0, "▼−10.0"),
        (0.04, 0, "●0"),
        (-0.04, 0, "●0"),
        (-0.06, 0, "▼−0.1"),
    ],
)
def test_a_change_is_nothing_only_where_its_decimals_say_so(
    value: float, places: int, shown: str
) -> None:
    mark = points(value, decimals=places)
    assert re.sub(r"<[^>]*>", "", mark).strip() == shown
