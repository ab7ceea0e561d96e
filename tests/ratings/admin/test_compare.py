"""The page that compares a ladder's tracks: who may see it, figures, queries, and ladders with little to show."""

import math
import re

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from ratings.ledger.predictions import read_predictions
from ratings.models import Ladder, RatingChange, RatingTrack
from ratings.tracks.comparison import compare, find_comparison, live_tracks
from tests.leaderboards.contests import Entry, make_contest_site
from tests.ratings.arena import Arena, Played, make_arena, random_history

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]

HTMX = {"HX-Request": "true"}


def address(ladder: Ladder, **given: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in given.items())
    return f"{reverse('admin:ratings_ladder_compare', args=[ladder.pk])}?{query}"


def text_of(client: Client, ladder: Ladder, **given: object) -> str:
    answer = client.get(address(ladder, now=1, **given))
    assert answer.status_code == 200
    return answer.content.decode()


def rated_arena(matches: int = 60) -> tuple[Arena, RatingTrack, RatingTrack]:
    """An Elo track that is shown, and a Glicko one in the shadow."""
    arena = make_arena(6, pool_minimum=100)  # a pool so small that every game counts
    elo = arena.track(shown=True)
    glicko = arena.track("glicko", days=5, provisional_deviation=250.0)
    arena.play(*random_history(matches, 6, days=30))
    for track in (elo, glicko):
        arena.rate(track, day=60)
    return arena, elo, glicko


def cells(text: str, label: str) -> list[str]:
    """The figures of one row of the table, as they are read out."""
    row = text[text.index(f'<th scope="row">{label} ') :]
    row = row[: row.index("</tr>")]
    found = re.findall(r'<td class="figure">(.*?)</td>', row, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in found]


def test_it_requires_staff() -> None:
    arena = make_arena()
    assert Client().get(address(arena.ladder)).status_code == 302


@pytest.mark.parametrize("codename", ["view_ratingtrack", "change_ratingtrack", None])
def test_it_requires_the_permission_to_see_tracks(codename: str | None) -> None:
    arena = make_arena()
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_ladder"))
    if codename is not None:
        clerk.user_permissions.add(Permission.objects.get(codename=codename))
    client = Client()
    client.force_login(clerk)
    assert client.get(address(arena.ladder)).status_code == (403 if codename is None else 200)
    ladder = client.get(reverse("admin:ratings_ladder_change", args=[arena.ladder.pk]))
    assert ladder.context["can_compare"] is (codename is not None)


def test_a_ladder_that_is_not_there(client: Client) -> None:
    assert client.get("/admin/ratings/ladder/123456789/compare/").status_code == 404


def test_the_ladder_and_the_list_of_tracks_lead_to_it(client: Client) -> None:
    arena = make_arena()
    track = arena.track(shown=True)
    link = f'href="{reverse("admin:ratings_ladder_compare", args=[arena.ladder.pk])}"'
    for page in (
        reverse("admin:ratings_ladder_change", args=[arena.ladder.pk]),
        reverse("admin:ratings_ratingtrack_change", args=[track.pk]),
        reverse("admin:ratings_ratingtrack_changelist"),
    ):
        assert link in client.get(page).content.decode()


def test_the_figures_are_those_computed_by_hand(client: Client) -> None:
    """Two players who begin equal; K of new players is 50, of provisional ones 40."""
    arena = make_arena(2, established_after=2, pool_minimum=100)
    elo = arena.track(shown=True)
    arena.play(Played(1, 0, 1, 1.0), Played(2, 0, 1, 0.5), Played(3, 0, 1, 0.0))
    arena.rate(elo)
    # 1500 : 1500, K 50: +25. Then 1525 : 1475 is expected to give 0.571463.
    second = 1 / (1 + 10 ** (-50 / 400))
    after_second = 25 + 40 * (0.5 - second)
    third = 1 / (1 + 10 ** (-2 * after_second / 400))
    losses = [math.log(2), -(math.log(second) + math.log(1 - second)) / 2, -math.log(1 - third)]
    squares = [0.25, (second - 0.5) ** 2, third**2]
    text = text_of(client, arena.ladder, **{"from": 0.0})
    # Of the two decided games the first was a toss, in the second the favourite lost.
    assert cells(text, "Accuracy") == ["Elo 25.0%"]
    assert cells(text, "Log loss") == [f"Elo {sum(losses) / 3:.4f}"]
    assert cells(text, "Brier score") == [f"Elo {sum(squares) / 3:.4f}"]
    # After the first game nobody was ever farther than 50 points from where the rating ended; at the start neither.
    assert cells(text, "Games to settle") == ["Elo 0 2 players"]
    # Both were established before the third game alone, and stood as far apart as `after_second` says.
    moved = 32 * third
    swing = cells(text, "Swing of established ratings")
    assert swing == [f"Elo {100 * moved / after_second:.1f}% {moved:.1f} points a game"]


def test_the_share_left_out_is_left_out(client: Client) -> None:
    arena, elo, glicko = rated_arena()
    for share in (0.0, 0.25, 0.5, 0.75):
        found = compare(live_tracks(arena.ladder), share)
        assert found.matches == 60 - int(60 * share)
        for one, track in zip(found.figures, (elo, glicko), strict=True):
            tail = read_predictions(track).later(share)
            assert one.report.games == len(tail)
            losses = [
                -(w * math.log(p) + (1 - w) * math.log(1 - p))
                for p, w in zip(tail.predicted, tail.actual, strict=True)
            ]
            assert one.report.log_loss == pytest.approx(sum(losses) / len(losses), rel=1e-12)
        text = text_of(client, arena.ladder, **{"from": share})
        assert f"{found.figures[0].report.log_loss:.4f}" in text


def test_swing_is_that_of_the_ledger() -> None:
    arena, elo, glicko = rated_arena()
    found = compare(live_tracks(arena.ladder), 0.5)
    first = 31  # of 60 matches the later half begins here
    instant = RatingChange.objects.filter(track=elo, status_before=2, match__ladder_seq__gte=first)
    periods = RatingChange.objects.filter(
        track=glicko, status_before=2, period__first_seq__gte=first
    )
    for one, rows in zip(found.figures, (instant, periods), strict=True):
        moved = [abs(row.value_after - row.value_before) for row in rows]
        games = [row.games for row in rows]
        assert len(moved) > 5
        assert one.swing.per_game == pytest.approx(sum(moved) / sum(games), rel=1e-12)
        assert one.swing.per_change == pytest.approx(sum(moved) / len(moved), rel=1e-12)


def test_tracks_are_judged_by_the_matches_that_all_have_rated() -> None:
    arena, elo, _glicko = rated_arena()
    arena.play(*(Played(61 + n / 10, n % 5, 5, 1.0) for n in range(20)))
    arena.rate(elo, day=64)  # the period of the other track is still open
    found = compare(live_tracks(arena.ladder), 0.0)
    assert found.matches == 60
    assert [one.report.games for one in found.figures] == [60, 60]


def test_the_best_of_each_row_is_marked(client: Client) -> None:
    arena, _elo, _glicko = rated_arena()
    text = text_of(client, arena.ladder)
    by_track = [
        one.report.log_loss or 0.0 for one in compare(live_tracks(arena.ladder), 0.5).figures
    ]
    best = ["best" in cell for cell in cells(text, "Log loss")]
    assert best == [value == min(by_track) for value in by_track]
    assert "is marked" in text
    behind = max(by_track) - min(by_track)
    assert [f"+{behind:.4f} ± " in cell for cell in cells(text, "Log loss")] == [
        not it for it in best
    ]


def test_one_track_has_nothing_to_be_compared_with(client: Client) -> None:
    arena = make_arena()
    arena.rate(arena.track(shown=True))
    assert "No track has rated a match yet." in text_of(client, arena.ladder)
    arena.play(*random_history(20, 4, days=9))
    arena.rate(RatingTrack.objects.get())
    text = text_of(client, arena.ladder)
    assert "There is one track only" in text
    assert "mark-good" not in text
    assert text.count('<figure class="calibration">') == 1


def test_a_ladder_without_tracks(client: Client) -> None:
    assert "This ladder has no ratings yet." in text_of(client, make_arena().ladder)


def test_a_track_without_rated_matches_is_left_out(client: Client) -> None:
    arena, _elo, _glicko = rated_arena()
    arena.track("elo")
    text = text_of(client, arena.ladder)
    assert "1 track has rated no match and is left out; its page says" in text
    assert len(cells(text, "Accuracy")) == 2


def test_the_page_comes_at_once_and_asks_for_the_figures(client: Client) -> None:
    arena, _elo, _glicko = rated_arena()
    page = client.get(address(arena.ladder, **{"from": 0.25})).content.decode()
    assert "being computed" in page
    asked = re.search(r'hx-get="([^"]+)" hx-trigger="load"', page)
    assert asked is not None
    part = client.get(asked[1], headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div id="compared">')
    assert len(cells(part, "Log loss")) == 2
    assert (
        "being computed" not in client.get(address(arena.ladder, **{"from": 0.25})).content.decode()
    )


def test_what_is_kept_is_forgotten_once_a_track_rates_more() -> None:
    arena, elo, _glicko = rated_arena()
    before = compare(live_tracks(arena.ladder), 0.5)
    assert find_comparison(live_tracks(arena.ladder), 0.5) == before
    arena.play(Played(61, 0, 1, 1.0))
    arena.rate(elo, day=62)
    assert find_comparison(live_tracks(arena.ladder), 0.5) is None


@pytest.mark.parametrize("given", ["", "0.3", "nan", "-1", "half"])
def test_a_share_that_is_not_offered_is_the_usual_one(client: Client, given: str) -> None:
    arena, _elo, _glicko = rated_arena()
    page = client.get(address(arena.ladder, **{"from": given}))
    assert 'aria-current="page">the second half</a>' in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_matches(client: Client) -> None:
    arena, elo, glicko = rated_arena()
    counts = []
    for more in (0, 200):
        arena.play(*(Played(70 + n / 10, n % 5, 5, 1.0) for n in range(more)))
        for track in (elo, glicko):
            arena.rate(track, day=120)
        with CaptureQueriesContext(connection) as queries:
            text_of(client, arena.ladder)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 20


def test_the_chart_has_its_figures_as_a_table(client: Client) -> None:
    arena, elo, _glicko = rated_arena()
    text = text_of(client, arena.ladder)
    assert text.count("<title id=") == 2
    assert text.count("<desc id=") == 2
    figures = compare(live_tracks(arena.ladder), 0.5).figures[0]
    assert figures.track_id == elo.pk
    first = text[text.index('<figure class="calibration">') :]
    first = first[: first.index("</figure>")]
    assert first.count("<circle") == len(figures.report.calibration)
    for one in figures.report.calibration:
        assert f'<td class="figure">{one.mean_actual:.3f}</td>' in first


def test_matches_of_many_teams_are_counted_once(client: Client) -> None:
    everyone = [Entry([who], who, score=9.0 - who, minutes=10.0) for who in range(4)]
    site = make_contest_site("trueskill", *([everyone] * 12))
    found = compare(live_tracks(site.arena.ladder), 0.5)
    assert found.matches == 6
    assert found.figures[0].report.games == 24
    assert "Judged by 6 matches" in text_of(client, site.arena.ladder)
