"""Ratings by map and by character on a player's page and in the API, and how such tracks are made."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from leaderboards.players.profile import ratings_of_player
from ratings.models import Facet, Match, Mode, Participant, Rating, RatingTrack, Status
from ratings.tracks.facet_values import is_first_of_its_kind
from tests.leaderboards.site import Site, count_queries, make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db


def make_apart(kind: str = Facet.CHARACTER, **rules: Any) -> tuple[Site, RatingTrack]:
    """A site whose Anna plays the Mage and then the Monk; the others play the Thief. Maps likewise."""
    site = make_site(system="elo", days=None, **rules)
    half = len(site.matches) // 2
    early = [match.pk for match in site.matches[:half]]
    Match.objects.update(map="Temple")
    Match.objects.filter(pk__in=early).update(map="Gorge")
    Participant.objects.update(character="Thief")
    Participant.objects.filter(player=site.anna).update(character="<Monk>")
    Participant.objects.filter(player=site.anna, match__in=early).update(character="Mage")
    call_command(
        "add_track", "--ladder=go", "--system=elo", "--period=none", f"--apart={kind}", "--quiet"
    )
    return site, RatingTrack.objects.get(facet=kind)


def page_of(site: Site) -> str:
    return f"/players/{site.anna.pk}/"


def test_a_player_s_page_shows_them_and_their_mean() -> None:
    site, track = make_apart(established_after=3)
    mage, monk = Rating.objects.filter(track=track, player=site.anna).order_by("-facet")
    assert (mage.facet, monk.facet, mage.games, monk.games) == ("Mage", "<Monk>", 3, 3)
    text = site.text(page_of(site))
    assert "By character" in text
    assert "&lt;Monk&gt;" in text
    mean = (mage.value * 3 + monk.value * 3) / 6
    row = text[text.index("Mean, weighted by games") :]
    assert f'<span class="rating-value">{mean:.0f}</span>' in row[: row.index("</tr>")]
    assert "rating-provisional" not in row[: row.index("</tr>")]
    for rating in (mage, monk):
        assert f'<span class="rating-value">{rating.value:.0f}</span>' in row


def test_the_marks_are_those_of_each_rating() -> None:
    site, track = make_apart(established_after=4)
    with clock.at(site.now):
        (shown,) = ratings_of_player(site.anna, site.now)
    (facet,) = shown.facets
    assert shown.status == Status.ESTABLISHED
    assert [one.belief.status for one in facet.ratings] == [Status.PROVISIONAL] * 2
    assert facet.is_provisional
    Rating.objects.filter(track=track, facet="Mage").update(counted=4, games=4, wins=4)
    with clock.at(site.now):
        (facet,) = ratings_of_player(site.anna, site.now)[0].facets
    assert [one.name for one in facet.ratings] == ["Mage", "<Monk>"]
    assert (facet.status, facet.overall.games) == (Status.ESTABLISHED, 7)


def test_the_command_shows_the_first_track_of_a_kind() -> None:
    site = make_site(rated=False, shown=False)
    for kind in ("--apart=character", "--apart=character", "--period=7d", "--period=7d"):
        call_command("add_track", "--ladder=go", "--system=glicko", kind, "--quiet")
    tracks = site.arena.ladder.tracks.exclude(pk=site.track.pk).order_by("pk")
    assert list(tracks.values_list("shown", flat=True)) == [True, False, True, False]


def test_the_page_asks_for_no_more_queries_and_follows_them() -> None:
    site = make_site(system="elo", days=None)
    before = count_queries(site, page_of(site))
    part = f"{page_of(site)}?part=ratings"
    headers = {"HX-Request": "true"}
    without = site.text(part, headers)
    Participant.objects.update(character="Thief")
    call_command(
        "add_track", "--ladder=go", "--system=elo", "--period=none", "--apart=character", "--quiet"
    )
    assert count_queries(site, page_of(site)) == before
    seen = without.split("seen=")[1].split('"')[0]
    assert "By character" in site.text(f"{part}&seen={seen}", headers)


@pytest.mark.parametrize("kind", [Facet.MAP, Facet.CHARACTER])
def test_the_api_tells_them(kind: str) -> None:
    site, track = make_apart(kind)
    with clock.at(site.now):
        told = Client().get(f"/api/v1/players/{site.anna.pk}/ratings").json()
    (one,) = told["results"]
    (facet,) = one["apart"]
    rows = Rating.objects.filter(track=track, player=site.anna).order_by("-games", "facet")
    assert (facet["by"], facet["system"], facet["games"]) == (kind, "elo", 6)
    assert [row["name"] for row in facet["ratings"]] == [row.facet for row in rows]
    assert [row["rating"] for row in facet["ratings"]] == [row.value for row in rows]
    assert facet["mean"] == pytest.approx(sum(row.value * row.games for row in rows) / 6)


@pytest.mark.parametrize(
    ("shown", "apart", "sentence"),
    [
        (
            ("glicko", 7.0),
            ("elo", "none"),
            "2 matches are counted here that the rating above doesn't count yet.",
        ),
        (
            ("elo", None),
            ("glicko", "7d"),
            "2 matches that the rating above counts are not counted here yet.",
        ),
    ],
)
def test_a_table_that_counts_other_matches_than_the_rating_says_so(
    shown: tuple[str, float | None], apart: tuple[str, str], sentence: str
) -> None:
    """One is rated after each match, the other at the end of its period."""
    site = make_site(system=shown[0], days=shown[1])
    kind = f"--system={apart[0]}", f"--period={apart[1]}"
    with clock.at(site.now):
        call_command("add_track", "--ladder=go", *kind, "--apart=map", "--quiet")
    track, last = RatingTrack.objects.get(facet=Facet.MAP), site.matches[-1].played_at
    day = (last - START) / DAY
    site.arena.rate(track, day=day + 7.5)
    assert "yet." not in site.text(page_of(site))
    site.play(
        Played(day + 7.6, 3, 2, 1.0), Played(day + 7.7, 0, 1, 1.0), Played(day + 7.7, 0, 2, 1.0)
    )
    site.rate(day=day + 7.8)
    site.arena.rate(track, day=day + 7.8)
    assert sentence in site.text(page_of(site))
    site.rate(day=day + 30)
    site.arena.rate(track, day=day + 30)
    assert "yet." not in site.text(page_of(site))


def test_the_board_and_the_search_know_players_as_a_whole_only() -> None:
    site, _track = make_apart()
    for address in (site.address, "/search/?q=anna", "/api/v1/ladders/go/leaderboard", "/"):
        assert "Mage" not in site.text(address)
    assert site.text("/search/?q=anna").count("rating-value") == 1


def test_shadows_and_normal_ladders_show_none() -> None:
    site, track = make_apart()
    track.shown = False
    track.save()
    assert "By character" not in site.text(page_of(site))
    track.shown = True
    track.save()
    assert "By character" in site.text(page_of(site))
    site.arena.ladder.mode = Mode.NORMAL
    site.arena.ladder.save()
    assert "By character" not in site.text(page_of(site))


def test_the_first_of_a_kind_is_shown_and_the_next_runs_in_the_shadow() -> None:
    site, track = make_apart()
    ladder = site.arena.ladder
    assert track.shown
    assert is_first_of_its_kind(ladder, Facet.MAP)
    call_command("add_track", "--ladder=go", "--system=glicko", "--apart=character", "--quiet")
    assert not RatingTrack.objects.get(system="glicko").shown
    with pytest.raises(CommandError, match="weather"):
        call_command("add_track", "--ladder=go", "--system=elo", "--apart=weather")


def test_an_operator_adds_one_on_the_ladder_s_page(client: Client) -> None:
    site = make_site(system="elo", days=None)
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "secret"))
    address = reverse("admin:ratings_ladder_add_track", args=[site.arena.ladder.pk])
    form = client.get(f"{address}?system=elo").context["form"]
    given = {name: form.initial.get(name, "") for name in form.fields}
    answer = client.post(f"{address}?system=elo", {**given, "facet": "map"})
    assert answer.status_code == 302
    track = RatingTrack.objects.get(facet="map")
    assert (track.shown, str(track)) == (True, "Go · elo · each map")
    site.arena.rate(track)
    assert Rating.objects.filter(track=track).exists()
    page = client.get(reverse("admin:ratings_player_change", args=[site.anna.pk])).text
    assert "Go · elo · each map" in page
