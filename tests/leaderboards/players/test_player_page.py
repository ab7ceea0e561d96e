"""The page of a player."""

import html
import re
from dataclasses import replace
from datetime import timedelta
from operator import attrgetter

import pytest
from django.test import Client

from foundation import clock
from leaderboards.charts import rating_chart
from leaderboards.players import profile
from leaderboards.players.profile import history_of, ratings_of_player, with_peaks
from ratings.models import Match, Mode, Rating, RatingChange, Status
from tests.leaderboards.site import HIDDEN, HTMX, Site, count_queries, make_site, tells_hidden
from tests.ratings.arena import DAY, START, Played
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


def address_of(site: Site, number: int = 0) -> str:
    return f"/players/{site.arena.players[number].pk}/"


def test_it_works(site: Site) -> None:
    text = site.text(address_of(site))
    rating = Rating.objects.get(player=site.anna)
    assert "<h1><bdi>Anna</bdi></h1>" in text
    assert f'<span class="rating-value">{rating.value:.0f}</span>' in text
    assert re.search(r"of 4 ?</span>", text)
    assert "With 95% certainty between" in text
    assert text.count("result-mark result-win") == 6
    assert 'class="chart-band"' in text
    assert 'class="chart-line"' in text


def test_the_ends_of_a_range_follow_from_what_is_shown(site: Site) -> None:
    """1510 ± 61 reaches from 1388 to 1632, also where it is 1509.6 ± 60.6, which ends at 1388.4 and 1630.8."""
    period = site.now - timedelta(seconds=1)
    Rating.objects.filter(player=site.anna).update(value=1509.6, deviation=60.6, as_of=period)
    text = site.text(address_of(site))
    value, deviation = (
        int(re.search(rf'rating-{name}"[^>]*>(?:<.*?</span>)*(\d+)<', text)[1])  # type: ignore[index]
        for name in ("value", "deviation")
    )
    found = re.search(r"With 95% certainty between (\d+) and (\d+)", text)
    assert found is not None
    assert (value, deviation) == (1510, 61)
    assert [int(end) for end in found.groups()] == [value - 2 * deviation, value + 2 * deviation]


def test_each_change_of_a_period_is_shown_and_they_add_up(site: Site) -> None:
    text = site.text(address_of(site))
    shown = [float(points) for points in re.findall(r"</span>\+([\d.]+)</span>", text)]
    changes = RatingChange.objects.filter(player=site.anna)
    total = sum(change.value_after - change.value_before for change in changes)
    assert len(shown) == 6
    assert sum(shown) == pytest.approx(total, abs=0.05 * 6)


def test_an_instant_track_shows_the_ledger() -> None:
    site = make_site(system="elo", days=None)
    text = site.text(address_of(site))
    change = RatingChange.objects.filter(player=site.anna).latest("id")
    assert f"+{change.value_after - change.value_before:.1f}</span>" in text
    assert 'class="chart-band"' not in text
    assert "With 95% certainty" not in text


def test_a_provisional_rating_says_how_many_games_it_needs() -> None:
    site = make_site(established_after=30)
    text = site.text(address_of(site))
    assert "6 of 30 counted games until established" in text
    assert 'title="Too few counted games, or too uncertain yet"' in text
    assert "rating-provisional" in text
    assert "not ranked" in text


def test_opponents_carry_the_mark_they_had_then() -> None:
    site = make_site(established_after=3, system="elo", days=None)
    part = site.text(address_of(site), HTMX)
    marks = ["rating-provisional" in row for row in part.split("<tr>")[2:]]
    # the newest first: all had played three games by the second round
    assert marks == [False, False, False, True, True, True]


def test_an_inactive_player_is_marked() -> None:
    site = make_site(inactive_after_days=1)
    text = site.text(address_of(site))
    assert "badge-inactive" in text


def test_a_long_history_is_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest change stays; the peak is that of all changes, also of those left out."""
    site = make_site(players=2, rounds=0, rated=False, system="elo", days=None, established_after=2)
    # None of the first, the lowest and the highest is one of every so many.
    scores = [1.0] + 3 * [0.0] + 34 * [1.0] + 4 * [0.0]
    site.play(*(Played(n / 9, 0, 1, score) for n, score in enumerate(scores)))
    site.rate(day=7.5)
    with clock.at(site.now):
        (shown,) = with_peaks(ratings_of_player(site.anna, site.now))
        whole = history_of(shown, site.now).points
        monkeypatch.setattr(profile, "MOST_POINTS", 10)
        history = history_of(shown, site.now)
    thin = history.points
    played, value = [point for point in thin if point.played], attrgetter("value")
    assert len([point for point in whole if point.played]) == 42
    assert 5 <= len(played) <= 13
    assert history.changes == 42
    assert thin[-1] == whole[-1]
    every = [point for point in whole if point.played]
    assert {every[0], every[-1], max(every, key=value), min(every, key=value)} <= set(played)
    assert shown.peak is not None
    assert shown.peak.value == max(point.value for point in whole)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Chart and table show %d of 41 changes"),
        ("de", "Diagramm und Tabelle zeigen %d von 41"),
    ],
)
def test_a_page_says_that_its_table_is_thinned_out(
    monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    site = make_site(players=2, rounds=41, system="elo", days=None)
    german = {"Accept-Language": language}
    assert words[:15] not in site.text(address_of(site), german)
    monkeypatch.setattr(rating_chart, "MOST_POINTS", 24)
    monkeypatch.setattr(rating_chart, "_BUCKETS", 5)
    text = site.text(address_of(site), german)
    table = text.partition('class="chart-data"')[2].partition("</table>")[0]
    rows = table.count('<th scope="row">')
    assert 4 <= rows <= 24
    assert words % rows in text


@pytest.mark.parametrize("certain_below", [300.0, 150.0, 10.0])
@pytest.mark.parametrize("is_lucky", [False, True])
def test_a_peak_is_the_best_since_established(certain_below: float, is_lucky: bool) -> None:
    """From then on, however many games it took; and none before, however many were played.

    Nor where a long rest has made her uncertain: who is lucky is so at first and after it, and loses in between.
    """
    own = {"provisional_deviation": certain_below}
    site = make_site(rounds=1 if is_lucky else 6, established_after=7, own=own)
    if is_lucky:
        day = site_day(site)
        site.play(*(Played(day + n, 0, 1 + n % 3, 0.0) for n in range(40)))
        site.play(*(Played(day + 1500 + n / 9, 0, 1 + n % 3, 1.0) for n in range(6)))
        site.rate(day=day + 1510)
        site = replace(site, now=START + (day + 1510) * DAY)
    with clock.at(site.now):
        (shown,) = with_peaks(ratings_of_player(site.anna, site.now))
    changes = RatingChange.objects.filter(player=site.anna).order_by("id")
    games, certain, is_certain = 0, [], False
    for change in changes:
        games += change.games
        assert change.deviation_after is not None
        is_certain = games >= 7 and change.deviation_after <= certain_below
        if is_certain:
            certain.append(change.value_after)
    assert shown.rating.status == (Status.ESTABLISHED if is_certain else Status.PROVISIONAL)
    assert (shown.peak.value if shown.peak else None) == max(certain, default=None)


def test_its_parts_ask_again_and_are_told_that_nothing_is_new(site: Site) -> None:
    page = site.text(address_of(site))
    addresses = [html.unescape(a) for a in re.findall(r'data-live-calm hx-get="([^"]+)"', page)]
    assert len(addresses) == 2
    for address in addresses:
        assert site.get(address, HTMX).status_code == 204
    site.play(Played(site_day(site), 0, 1, 1.0))
    site.rate(day=site_day(site) + 8)
    ratings, matches = (site.get(address, HTMX).content.decode() for address in addresses)
    assert ratings.lstrip().startswith('<div class="player-live"')
    assert matches.lstrip().startswith('<div id="player-matches"')
    assert "announcement" not in matches


def site_day(site: Site) -> float:
    """Days from the start to the moment at which the site is looked at."""
    return (site.now - START) / DAY


def test_with_htmx_only_the_matches_come(site: Site) -> None:
    part = site.text(address_of(site), HTMX)
    assert part.lstrip().startswith('<div id="player-matches"')
    assert part.split('<p id="announcement"')[0].strip() in site.text(address_of(site))
    # how many changes there were, the changes and the peak are for the chart alone; beside it stands the profile
    assert count_queries(site, address_of(site), HTMX) == count_queries(site, address_of(site)) - 4


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_matches_are_read_page_by_page(headers: dict[str, str]) -> None:
    site = make_site(players=2, rounds=60)
    address, seen = address_of(site), []
    while True:
        text = site.text(address, headers)
        seen += [int(pk) for pk in re.findall(r'href="/matches/(\d+)/"', text)]
        found = re.search(r'rel="next" href="([^"#]+)', text)
        if found is None:
            break
        address = found[1].replace("&amp;", "&")
    assert seen == sorted(Match.objects.values_list("pk", flat=True), reverse=True)
    assert len(seen) == 60


def test_a_match_that_waits_says_so(site: Site) -> None:
    site.play(Played(20.0, 0, 1, 1.0))
    assert "not rated yet" in site.text(address_of(site))


def test_a_player_without_rating() -> None:
    site = make_site(rated=False)
    text = site.text(address_of(site))
    assert "Not rated yet" in text
    assert text.count("result-mark") == 6


def add_ladder(site: Site, slug: str) -> None:
    """Another ladder, on which Anna loses a match."""
    ladder = site.arena.ladder
    ladder.pk, ladder.slug, ladder.name, ladder.last_seq = None, slug, slug.title(), 0
    ladder.counted_until, ladder._state.adding = None, True
    ladder.save()
    second = Site(site.arena, site.arena.track("elo", shown=True), [], site.now)
    second.play(Played(1.0, 1, 0, 1.0))
    second.rate(day=30)


def test_every_card_has_the_peak_of_its_ladder() -> None:
    """Anna wins on one ladder and loses on the other: a peak of one would be none of the other."""
    site = make_site(system="elo", days=None, established_after=1)
    add_ladder(site, "rapid")
    shown = re.findall(r"<dt>Peak</dt><dd>(\d+)", site.text(address_of(site)))
    best = [
        max(rating.track.changes.filter(player=site.anna).values_list("value_after", flat=True))
        for rating in Rating.objects.filter(player=site.anna).select_related("track")
    ]
    assert len(set(shown)) == 2
    assert sorted(shown) == sorted(f"{value:.0f}" for value in best)


def test_several_ladders_get_tabs(site: Site) -> None:
    add_ladder(site, "rapid")
    text = site.text(address_of(site) + "?ladder=rapid")
    assert 'class="tabs' in text
    assert text.count("result-mark") == 1
    assert "result-loss" in text
    assert site.text(address_of(site) + "?ladder=go").count("result-mark") == 6


@pytest.mark.parametrize("query", ["before=x", "before=0", "ladder=nothing"])
def test_parameters_that_mean_nothing_are_refused(query: str, site: Site) -> None:
    assert site.get(f"{address_of(site)}?{query}").status_code == 400


def test_a_player_who_is_not_there() -> None:
    assert Client().get("/players/123456789/").status_code == 404
    assert Client().get(f"/players/{10**30}/").status_code == 404


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_hides_a_ladder_of_normal_mode(headers: dict[str, str]) -> None:
    site = make_site(mode=Mode.NORMAL, own=HIDDEN)
    text = site.text(address_of(site), headers)
    assert not tells_hidden(text)
    assert "chart" not in text.replace("chart.css", "")
    assert "result-mark" not in text
    assert site.get(address_of(site) + "?ladder=go").status_code == 400


def test_what_is_hidden_there_would_be_found() -> None:
    for language in ("en", "de"):
        site = make_site(own=HIDDEN, slug=language)
        assert tells_hidden(site.text(address_of(site), {"Accept-Language": language}))


def test_it_hides_a_track_that_is_not_shown() -> None:
    site = make_site(shown=False, own=HIDDEN)
    text = site.text(address_of(site))
    assert not tells_hidden(text)
    assert "rating-value" not in text


def test_the_number_of_queries_is_constant() -> None:
    site = make_site(players=3, rounds=3)
    few = [count_queries(site, address_of(site), headers) for headers in ({}, HTMX)]
    assert max(few) <= 20
    site.play(*(Played(20 + n / 3, n % 3, (n + 1) % 3, 1.0) for n in range(90)))
    site.rate(day=80)
    assert [count_queries(site, address_of(site), headers) for headers in ({}, HTMX)] == few


def test_the_number_of_queries_does_not_grow_with_that_of_ladders() -> None:
    site = make_site(players=2, rounds=1, system="elo", days=None)
    add_ladder(site, "rapid")
    address = address_of(site) + "?ladder=go"
    few = count_queries(site, address)
    add_ladder(site, "bullet")
    add_ladder(site, "blitz")
    assert count_queries(site, address) == few


def test_it_speaks_german(site: Site) -> None:
    text = site.text(address_of(site), {"Accept-Language": "de"})
    assert '<html lang="de"' in text
    # coordinates keep the decimal point, whatever the language
    line = re.search(r'class="chart-line" points="([^"]+)"', text)
    assert line is not None
    assert all(len(pair.split(",")) == 2 for pair in line[1].split())
