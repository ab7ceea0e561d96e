"""The template components: what they say, and that the content security policy can hold."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.template.defaultfilters import floatformat
from django.template.loader import get_template, render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe

from foundation.templatetags.components import (
    badge,
    points,
    rank_movement,
    rating,
    register,
    win_draw_loss,
)
from foundation.templatetags.display import figure, plain_figure

TEMPLATES = Path(settings.PROJECT) / "templates"
INLINE = re.compile(
    r"\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", re.IGNORECASE
)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request of an earlier test may have left another language active."""
    with translation.override("en"):
        yield


def words(html: str) -> str:
    """What the component shows to the eye and to screen readers, without markup."""
    return " ".join(re.sub(r"<[^>]+>", "", html).replace("&#8239;", "").split())


@pytest.fixture(scope="module")
def sources() -> dict[Path, str]:
    """Every template."""
    return {path: path.read_text() for path in sorted(TEMPLATES.rglob("*.html"))}


def test_no_template_needs_inline_style_or_script(sources: dict[Path, str]) -> None:
    assert sources
    assert {path: found for path, it in sources.items() if (found := INLINE.findall(it))} == {}


def test_every_included_template_exists(sources: dict[Path, str]) -> None:
    named = {
        name
        for source in sources.values()
        for name in re.findall(r"{% (?:include|extends) [\"']([^\"']+)[\"']", source)
    }
    assert named
    for name in named:
        assert get_template(name)


def test_lines_have_at_most_120_columns(sources: dict[Path, str]) -> None:
    """But for a command that is shown, and a score without white space in it."""
    long = [
        path.name
        for path, source in sources.items()
        for line in source.splitlines()
        if len(line) > 120
    ]
    assert long == ["_first_steps.html", "_match_table.html"]


def test_the_finder_of_inline_code_finds_it() -> None:
    for bad in ('<p style="x">', "<style>", '<a onclick="x">', "<script>x</script>"):
        assert INLINE.search(bad), bad


def test_every_component_is_documented(sources: dict[Path, str]) -> None:
    listed = (TEMPLATES / "components/README.md").read_text()
    partials = [path for path in sources if path.is_relative_to(TEMPLATES / "components")]
    assert partials
    for path in partials:
        assert sources[path].startswith("{% comment %}"), path
        assert f"`{path.stem}`" in listed
    for name in register.tags:
        assert f"`{name}`" in listed


@pytest.mark.parametrize("kind", ["new", "provisional", "established", "inactive"])
def test_a_badge_of_another_word_does_not_explain_a_rating(kind: str) -> None:
    assert "title=" in badge(kind)
    assert "title=" not in badge(kind, "leader")


@pytest.mark.parametrize("kind", ["plain", "new"])
def test_words_that_are_safe_lend_nothing_to_the_same_words_that_are_not(kind: str) -> None:
    text = f"<i>{kind}</i>"
    assert text in badge(kind, mark_safe(text))  # noqa: S308
    assert text not in badge(kind, text)


def test_rating_says_its_uncertainty() -> None:
    assert words(rating(1623.6, 43.2)) == "1624 ±plus or minus 43"
    assert words(rating(1623.6)) == "1624"
    assert "provisional" in words(rating(1500.0, provisional=True))


@pytest.mark.parametrize(
    ("value", "said"),
    [(8.61, "▲+8.6"), (-3.2, "▼−3.2"), (0.0, "●0"), (-0.04, "●0"), (None, "–change unknown")],
)
def test_points_have_sign_and_icon(value: float | None, said: str) -> None:
    assert words(points(value)) == said


@pytest.mark.parametrize(
    ("places", "said"),
    [(3, "↑up by 3"), (-1200, "↓down by 1,200"), (0, "–same place"), (None, "new")],
)
def test_rank_movement_in_words(places: int | None, said: str) -> None:
    assert words(rank_movement(places)) == said


def test_record_draws_its_bar_with_plain_numbers_in_every_language() -> None:
    with translation.override("de"):
        html = win_draw_loss(1200, 30, 70)
    assert "1.200" in html
    assert 'viewBox="0 0 1300 1"' in html
    assert '<rect class="record-losses" x="1230" width="70"' in html


def test_record_without_games_has_no_bar() -> None:
    assert "<svg" not in win_draw_loss(0, 0, 0)


@pytest.mark.parametrize("language", ["en", "de"])
def test_components_are_kept_by_language(language: str) -> None:
    shown = [
        badge("new"),
        points(None),
        rank_movement(1200),
        rating(1.0, 2.0),
        win_draw_loss(1, 2, 3),
    ]
    with translation.override(language):
        again = [
            badge("new"),
            points(None),
            rank_movement(1200),
            rating(1.0, 2.0),
            win_draw_loss(1, 2, 3),
        ]
    assert [one == two for one, two in zip(shown, again, strict=True)] == [language == "en"] * 5


@pytest.mark.parametrize("decimals", [0, 1, 3])
@pytest.mark.parametrize("language", ["en", "de"])
def test_figures_are_those_of_floatformat(language: str, decimals: int) -> None:
    values = [0.0, -0.0, -0.04, 0.05, 0.5, 1.5, 2.5, -2.5, 1623.65, -9999.9996, 1e-9, 123456.0, 7]
    with translation.override(language):
        for value in values:
            assert figure(value, decimals) == floatformat(value, decimals)
            assert plain_figure(value, decimals) == floatformat(value, f"{decimals}u")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (999_999_999_999_999.0, "999999999999999"),
        (1e15, "1.0e15"),
        (-1.26e28, "-1.3e28"),
        (1e300, "1.0e300"),
        (1.7e308, "1.7e308"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_huge_figures_are_short(value: float, said: str) -> None:
    assert plain_figure(value) == said
    assert f">{said}<" in rating(value)
    with translation.override("de"):
        assert figure(value) == said.replace(".", ",")


def test_a_change_as_large_as_a_number_goes_is_shown() -> None:
    assert words(points(1e300)) == "▲+1.0e300"
    assert words(points(-1e300)) == "▼−1.0e300"


def test_tags_take_the_decimals_of_their_page() -> None:
    shown = Template("{% rating 1623.64 43.26 %} {% points 8.617 %} {% rating 7.25 decimals=1 %}")
    html = shown.render(Context({"rating_decimals": 2}))
    assert words(html) == "1623.64 ±plus or minus 43.26 ▲+8.617 7.3"


def test_expected_bar_keeps_the_decimal_point_in_geometry() -> None:
    with translation.override("de"):
        html = render_to_string(
            "components/rating/expected_score.html",
            {"expected": 0.6412, "second_expected": 0.3588, "first": "Ann", "second": "Bo"},
        )
    assert "0,64" in html
    assert 'width="0.6412"' in html


def test_names_are_escaped() -> None:
    html = render_to_string("components/frame/page_heading.html", {"title": "<b>Eve</b>"})
    assert "&lt;b&gt;Eve" in html


@pytest.mark.parametrize("name", ["400.html", "403_csrf.html", "500.html"])
def test_pages_for_disasters_need_neither_request_nor_database(name: str) -> None:
    html = render_to_string(name)
    assert "<h1>" in html
    assert name[:3] in html
