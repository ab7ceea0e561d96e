"""Each rating system says why in its own terms, and the numbers it names are those of the ledger."""

import re
from html import unescape

import pytest

from leaderboards.matches.lists import latest_lines
from leaderboards.matches.sentences import Participation, explain_change
from ratings.ledger.contributions import Contribution
from ratings.models import Match, Participant, RatingChange, RatingTrack
from tests.leaderboards.contests import Entry, make_contest_site, play_contests
from tests.leaderboards.site import NAMES, Site, count_queries
from tests.ratings.arena import Played

pytestmark = pytest.mark.django_db

WON = (Entry([0], 0, score=8, minutes=20), Entry([1], 1, score=4, minutes=15))
FREE_FOR_ALL = (
    Entry([0], 2, score=10, minutes=10),
    Entry([1], 0, score=30, minutes=20),
    Entry([2], 1, score=20, minutes=15),
    Entry([3], 3, score=2, minutes=10),
)
PAIRS = (Entry([0, 1], 0), Entry([2, 3], 1))


def page(site: Site, number: int = -1) -> str:
    return site.text(f"/matches/{site.matches[number].pk}/")


def told(site: Site, name: str, number: int = -1) -> str:
    """What the card of one player says, without its markup."""
    text = page(site, number)
    for card in text.split('<article class="card calculation')[1:]:
        if f"><bdi>{name}</bdi></a></h3>" in card:
            plain = re.sub(r"<[^>]+>", " ", card.split("</article>")[0])
            return " ".join(unescape(plain).split())
    raise AssertionError(f"no card of {name}")


def row_of(site: Site, name: str, number: int = -1) -> RatingChange:
    return RatingChange.objects.get(match=site.matches[number], player__name=name)


def moved(row: RatingChange, places: int = 1) -> str:
    return f"{abs(row.value_after - row.value_before):.{places}f}"


def test_elo_names_k_and_whose_it_is() -> None:
    site = make_contest_site("elo", WON, WON, established_after=2)
    new, second = told(site, "Anna", 0), told(site, "Anna", 1)
    assert "Anna was expected to score 0.50 and won." in new
    assert "That is 0.50 more than expected and, with K = 50.0, earns 25.0 points." in new
    assert "This is the K for new players." in new
    assert "This is the K for provisional players." in second
    assert f"costs {moved(row_of(site, 'Björn'))} points" in told(site, "Björn")


def test_elo_says_why_less_was_expected_than_the_ratings_before_said() -> None:
    """Provisional ratings move first, and established ones against what became of them."""
    newcomer = (Entry([0], 0), Entry([2], 1))
    site = make_contest_site("elo", WON, WON, WON, newcomer, established_after=2)
    text, row = told(site, "Anna"), row_of(site, "Anna")
    other = row_of(site, NAMES[2])
    assert row.expected is not None
    before = 1 / (1 + 10 ** ((other.value_before - row.value_before) / 400))
    assert f"{row.expected:.2f}" != f"{before:.2f}"
    assert f"was expected to score {row.expected:.2f} and won." in text
    assert "This is the K against an opponent whose rating is provisional." in text
    assert f"against its new value {row.expected:.2f} was to be expected" in text
    assert f"the ratings before the match said {before:.2f}." in text
    assert "moved first" not in told(site, NAMES[2])


def test_elo_normal_names_alpha_and_beta() -> None:
    site = make_contest_site("elo_normal", WON)
    assert "with α β √π = 24.8, earns 12.4 points" in told(site, "Anna")


@pytest.mark.parametrize("system", ["glicko", "glicko2"])
def test_glicko_names_both_deviations(system: str) -> None:
    site = make_contest_site(system, WON, days=7)
    text = told(site, "Anna")
    assert "and won." in text
    assert "± 350" in text
    assert ("The volatility stayed at 0.0600" in text) is (system == "glicko2")


def test_glicko_says_why_its_card_expects_another_score_than_the_bar() -> None:
    """A forecast counts with both uncertainties, the change with the opponent's alone."""
    newcomer = (Entry([0], 0), Entry([2], 1))
    site = make_contest_site("glicko", *([WON] * 9), newcomer, days=7)
    bar = re.findall(r'<div class="expected-labels"><span> ?<b>([\d.]+)</b>', page(site))[0]
    text = told(site, NAMES[2])
    said = re.search(r"was expected to score ([\d.]+) and lost", text)
    assert said
    forecast = f"{1 - float(bar):.2f}"
    assert said[1] != forecast
    assert f"with the uncertainty of both, the forecast was {forecast}." in text
    assert "the forecast was" not in told(site, "Anna", 0)  # two newcomers: one half either way


def test_a_surprise_too_small_for_two_decimals_has_more() -> None:
    change = Contribution(
        match_id=1,
        player_id=1,
        opponent_id=2,
        opponents=1,
        expected=0.0047,
        actual=0.0,
        weight=624.1,
        points=-2.93,
        forecast=0.02,
        opponent=None,
        entry=RatingChange(),
    )
    participation = Participation(Participant(), teams=2, team_size=1, place=2, share=1.0)
    words = explain_change(
        "Anna", change, participation, RatingTrack(system="glicko", decimals=0)
    ).sentences
    assert "Anna was expected to score 0.005 and lost. That is 0.005 less than expected" in words


def test_a_bar_names_certainty_only_where_a_system_knows_it() -> None:
    for system, days in (("elo", None), ("glicko", 7)):
        text = " ".join(page(make_contest_site(system, WON, slug=system, days=days)).split())
        assert "from both ratings and, where it is known, their certainty" in text


def test_glicko2_says_what_the_volatility_did() -> None:
    """Ten wins against an equal, after ten losses against the same."""
    site = make_contest_site(
        "glicko2",
        *([(Entry([0], 1), Entry([1], 0))] * 20),
        *([(Entry([0], 0), Entry([1], 1))] * 20),
        days=20,
    )
    row = RatingChange.objects.filter(player__name="Anna").latest("pk")
    assert row.volatility_before is not None
    assert row.volatility_after is not None
    assert row.volatility_after > row.volatility_before
    words = f"The volatility rose from {row.volatility_before:.4f} to {row.volatility_after:.4f}"
    assert words in told(site, "Anna")


def test_trueskill_names_the_uncertainty() -> None:
    site = make_contest_site("trueskill", WON)
    text = told(site, "Anna")
    assert "earns 4.40 points" in text  # 29.395832 - 25
    assert "The uncertainty of the skill went from ± 8.33 to ± 7.17." in text
    assert "team" not in text


def test_trueskill_explains_teams() -> None:
    site = make_contest_site("trueskill", PAIRS)
    text = told(site, "Björn")
    assert "Björn's team was expected to score 0.50 and won." in text
    assert "the least certain one moves most" in text
    assert page(site).count('<article class="card calculation') == 4
    assert page(site).count("calculation-second") == 2


def test_zonestats_names_minutes_and_points_per_hour() -> None:
    site = make_contest_site("zonestats", WON)
    text = told(site, "Anna")
    assert "Anna was expected to score 0.50 by points an hour and scored 1.00." in text
    assert "In 20 minutes that was 24 points an hour" in text
    assert f"earns {moved(row_of(site, 'Anna'))} points" in text


def test_zonestats_rates_points_per_hour_whatever_the_places() -> None:
    """Who comes last by points may be the fastest: neither "won" nor "lost" is what was rated."""
    late = (Entry([0], 0, score=8, minutes=20), Entry([1], 1, score=4, minutes=2))
    site = make_contest_site("zonestats", late)
    text = told(site, "Björn")
    assert "Björn was expected to score 0.50 by points an hour and scored 1.00." in text
    assert " won." not in text


def test_frags_name_the_share() -> None:
    site = make_contest_site("frags", WON)
    text = told(site, "Anna")
    assert "expected to score 0.50 of the frags and scored 0.67" in text
    assert f"earns {moved(row_of(site, 'Anna'))} points" in text
    assert "never falls below 0" in told(site, "Björn")


@pytest.mark.parametrize(
    ("points", "cost"), [(-0.06, " and costs the remaining 0.1 points"), (-0.04, ""), (0.0, "")]
)
def test_a_remainder_that_rounds_to_nothing_is_not_named(points: float, cost: str) -> None:
    change = Contribution(
        match_id=1,
        player_id=1,
        opponent_id=2,
        opponents=1,
        expected=0.3,
        actual=0.0,
        weight=10.0,
        points=points,
        forecast=0.3,
        opponent=None,
        entry=RatingChange(match_id=1, value_before=-points, value_after=0.0),
    )
    participation = Participation(Participant(), teams=2, team_size=1, place=2, share=1.0)
    words = explain_change(
        "Anna", change, participation, RatingTrack(system="frags", decimals=0)
    ).sentences
    assert words.endswith(
        f"That is 0.30 less than expected{cost}. A rating of this kind never falls below 0."
    )


@pytest.mark.parametrize("system", ["trueskill", "zonestats"])
def test_a_free_for_all_lists_all_by_place(system: str) -> None:
    site = make_contest_site(system, FREE_FOR_ALL)
    text = page(site)
    table = text[text.index('<table class="table table-fold places">') :]
    table = table[: table.index("</table>")]
    assert re.findall(r'/players/\d+/"><bdi>([^<]+)<', table) == [
        "Björn",
        "Çelik",
        "Anna",
        "Dmitri",
    ]
    assert re.findall(r'<td class="rank">(\d)</td>', table) == ["1", "2", "3", "4"]
    expected = [float(n) for n in re.findall(r'data-label="Expected">([\d.]+)</td>', table)]
    assert sum(expected) == pytest.approx(2.0, abs=0.021)  # of four equals each scores half
    row = row_of(site, "Anna")
    outcome = (
        f"Against the others, Anna was expected to score {row.expected:.2f} on average, "
        f"and scored {row.actual:.2f} by {{}}."
    ).format("points an hour" if system == "zonestats" else "finishing 3rd of 4")
    assert outcome in told(site, "Anna")
    assert ("Scoring more points an hour than somebody counts 1" in text) is (system == "zonestats")
    assert ("Finishing ahead of somebody counts 1" in text) is (system == "trueskill")
    assert ("was there for 50" in told(site, "Anna")) is (system == "trueskill")
    assert ("the change 75% of a full one" in told(site, "Anna")) is (system == "trueskill")
    assert ("was there for" in told(site, "Björn")) is False


def test_a_free_for_all_that_never_counts_has_no_column_of_what_was_expected() -> None:
    site = make_contest_site("trueskill", FREE_FOR_ALL)
    assert ">Expected</th>" in page(site)
    (match,) = play_contests(site.arena, FREE_FOR_ALL)
    Match.objects.filter(pk=match.pk).update(state="disputed", confirmed_at=None)
    assert "Expected" not in site.text(f"/matches/{match.pk}/")


def test_teams_that_tie_share_a_place() -> None:
    tied = (Entry([0], 0), Entry([1], 1), Entry([2], 1), Entry([3], 2))
    text = page(make_contest_site("trueskill", tied))
    assert re.findall(r'<td class="rank">(\d)</td>', text) == ["1", "2", "2", "4"]


def test_scores_have_a_column_where_there_are_any() -> None:
    scored = (Entry([0], 0, 7.0), Entry([1], 1, 5.5), Entry([2], 2), Entry([3], 3))
    silent = tuple(Entry(entry.players, entry.rank) for entry in scored)
    text = page(make_contest_site("trueskill", scored, slug="scored"))
    assert '<th scope="col" class="num">Score</th>' in text
    assert re.findall(r'<td class="num fold-end">([^<]+)</td>', text) == ["7", "5.5", "–", "–"]
    assert "Score</th>" not in page(make_contest_site("trueskill", silent, slug="silent"))


def test_the_formula_is_the_change() -> None:
    """On every card: weight × (actual − expected) = change, within what the shown digits allow."""
    for system, contest in (("trueskill", FREE_FOR_ALL), ("zonestats", FREE_FOR_ALL)):
        site = make_contest_site(system, contest, slug=system)
        for row in RatingChange.objects.filter(track=site.track):
            assert row.weight is not None
            assert row.actual is not None
            assert row.expected is not None
            gap = row.actual - row.expected
            assert row.weight * gap == pytest.approx(row.value_after - row.value_before, abs=1e-6)


def test_a_team_match_that_waits_shows_what_is_expected_of_each() -> None:
    site = make_contest_site("trueskill", FREE_FOR_ALL)
    (match,) = play_contests(site.arena, FREE_FOR_ALL)
    text = site.text(f"/matches/{match.pk}/")
    assert "Why the ratings changed" not in text
    shown = [float(n) for n in re.findall(r'data-label="Expected">([\d.]+)</td>', text)]
    assert sum(shown) == pytest.approx(2.0, abs=0.021)
    assert shown[0] == max(shown)


def test_ratings_of_teams_are_shown_in_their_own_decimals() -> None:
    text = page(make_contest_site("trueskill", PAIRS))
    assert '<span class="rating-value">25.0</span>' in text


def test_queries_do_not_grow_with_players_or_matches() -> None:
    site = make_contest_site("trueskill", PAIRS)
    few = count_queries(site, f"/matches/{site.matches[0].pk}/")
    more = play_contests(site.arena, *([PAIRS] * 20))
    site.rate(day=55)
    assert count_queries(site, f"/matches/{more[-1].pk}/") == few
    alone = make_contest_site("trueskill", FREE_FOR_ALL, slug="alone")
    assert count_queries(alone, f"/matches/{alone.matches[0].pk}/") == few


def test_lists_of_matches_show_teams_too() -> None:
    site = make_contest_site("trueskill", PAIRS, PAIRS)
    text = site.text(f"/players/{site.anna.pk}/")
    assert "Çelik" in text
    assert "delta-gain" in text


def test_lists_of_matches_show_what_happened_to_teams_on_average() -> None:
    newcomers = [Entry([0, 4], 0), Entry([2, 5], 1)]
    site = make_contest_site("trueskill", PAIRS, newcomers)
    (line,) = latest_lines([site.arena.ladder], 1)
    rows = RatingChange.objects.filter(match=line.summary.match)
    points = {row.player_id: row.value_after - row.value_before for row in rows}
    for entry in line.cells:
        first, second = (points[one.player_id] for one in entry.team.members)
        assert abs(second) > abs(first)
        assert entry.points == pytest.approx((first + second) / 2)


def test_period_tracks_without_single_games_show_what_was_believed_then() -> None:
    site = make_contest_site("elo", WON, days=7)
    site.play(Played(30.0, 0, 1, 1.0))
    site.rate(day=40)
    text = page(site, 0)
    before = text[text.index('class="versus"') : text.index("Why the ratings changed")]
    assert before.count(">1500</span>") == 2


def test_a_vague_rating_is_promised_nothing() -> None:
    """Some lose every game against much stronger players: they are never certain enough, however many they play."""
    site = make_contest_site("glicko", WON, days=7, established_after=1)
    text = site.text(f"/players/{site.anna.pk}/")
    assert "The rating is too uncertain to be established." in text
    assert "will establish it" not in text
