"""The page of a match."""

import html
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import AuditEntry, User
from foundation.templatetags.display import iso
from ratings.matches.decide import abort, resolve_dispute
from ratings.matches.result import Result
from ratings.models import OPEN, Match, MatchState, Mode, Participant, Player, RatingChange
from tests.leaderboards.site import HIDDEN, HTMX, Site, count_queries, make_site, tells_hidden
from tests.ratings.arena import DAY, START, Played
from tests.shown import as_shown
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


def address_of(match: Match) -> str:
    return f"/matches/{match.pk}/"


def formulas(text: str) -> list[list[float]]:
    """actual, expected, weight and change of each calculation on the page."""
    found = []
    for part in text.split('class="formula"')[1:]:
        cells = re.findall(r"<dd>(.*?)</dd>", part.split("</dl>")[0], re.DOTALL)
        plain = [re.sub(r"<[^>]+>|[^\d.−-]", "", re.sub(r"<span.*?</span>", "", c)) for c in cells]
        found.append([float(figure.replace("−", "-")) for figure in plain])
    return found


@pytest.mark.parametrize(("system", "days"), [("glicko", 7.0), ("elo", None)])
def test_it_works(system: str, days: float | None) -> None:
    site = make_site(system=system, days=days)
    text = site.text(address_of(site.matches[0]))
    assert "Why the ratings changed" in text
    assert "Anna was expected to score" in text
    assert "and won." in text
    assert "Björn was expected to score" in text
    assert "and lost." in text
    assert 'class="expected-bar"' in text
    assert ("in this rating period" in text) is (days is not None)
    for actual, expected, weight, change in formulas(text):
        assert change == pytest.approx(weight * (actual - expected), abs=0.6)


def test_a_match_that_the_ratings_pass_over_says_so() -> None:
    """Nobody told the points, and nothing waits for them."""
    site = make_site(system="frags", days=None)
    text = site.text(address_of(site.matches[0]))
    assert "need figures that this match doesn" in text
    assert "as soon as its turn comes" not in text
    assert "Why the ratings changed" not in text


def test_the_calculation_is_that_of_the_ledger() -> None:
    """The games of a period on one page add up to the change that was written down."""
    site = make_site(days=100.0)
    site.rate(day=120)
    text = site.text(address_of(site.matches[0]))
    change = RatingChange.objects.get(player=site.anna)
    total = f"+{change.value_after - change.value_before:.2f}"
    table = text[text.index("Games of the rating period") :]
    table = table[: table.index("</table>")]
    points = [float(p) for p in re.findall(r'<td class="num">\+([\d.]+)</td></tr>', table)]
    assert total in table
    assert sum(points[:-1]) == pytest.approx(points[-1], abs=0.005 * len(points))
    assert len(points) == change.games + 1


@pytest.mark.parametrize(("system", "days"), [("glicko", 0.5), ("elo", None)])
def test_ratings_before_carry_the_mark_they_had_then(system: str, days: float | None) -> None:
    site = make_site(system=system, days=days, established_after=2)
    first, last = (site.text(address_of(match)) for match in (site.matches[0], site.matches[-1]))
    # each side; in each calculation the opponent, the rating before and after; with a period also its game
    assert first.count("rating-provisional") == (8 if days is None else 10)
    assert "rating-provisional" not in last


def test_an_instant_change_is_that_of_the_ledger() -> None:
    site = make_site(system="elo", days=None)
    match = site.matches[3]
    text = site.text(address_of(match))
    for row in RatingChange.objects.filter(match=match):
        assert f"{row.value_before:.0f}</span>" in text
        assert f"{abs(row.value_after - row.value_before):.1f} points" in text


@pytest.mark.parametrize(
    ("system", "own", "says_so"),
    [
        ("elo", {"side_gamma": 0.8}, True),
        ("glicko", {"side_advantage": 35.0}, True),
        ("elo", {}, False),
        ("elo_normal", {}, False),
    ],
)
def test_neutral_ground_is_named_where_sides_matter(
    system: str, own: dict[str, float], says_so: bool
) -> None:
    site = make_site(system=system, days=7.0 if system == "glicko" else None, own=own)
    Match.objects.filter(pk=site.matches[0].pk).update(is_neutral=True)
    assert ("Neutral ground" in site.text(address_of(site.matches[0]))) is says_so
    assert "Neutral ground" not in site.text(address_of(site.matches[1]))


def test_where_games_cannot_be_told_apart_the_period_is_explained() -> None:
    site = make_site(system="elo", days=7.0)
    text = site.text(address_of(site.matches[0]))
    assert "the rating went from" in text
    assert "Expected score in the period" in text
    assert "is being rated now" not in text
    assert 'class="formula"' not in text


def test_a_draw_is_a_draw(site: Site) -> None:
    (match,) = site.play(Played(15.0, 0, 1, 0.5))
    site.rate(day=40)
    text = site.text(address_of(match))
    assert text.count("and drew.") == 2


@pytest.mark.parametrize("high", [1e28, 1e300])
def test_pages_bear_a_score_as_high_as_a_number_goes(site: Site, high: float) -> None:
    """As the API takes it. One match of that kind would take down all pages that list it."""
    match = site.matches[-1]
    Participant.objects.filter(match=match, team=0).update(score=high)
    Participant.objects.filter(match=match, team=1).update(score=0.5)
    said = f"{high:.1e}".replace("+", "")
    winner = match.participants.get(team=0).player
    for address in (address_of(match), "/", "/games/go/", f"/players/{winner.pk}/"):
        shown = re.sub(r"<[^>]+>|\s", "", html.unescape(site.text(address)))
        assert f"{said}:0.5" in shown, address


def test_further_columns_are_facts(site: Site) -> None:
    Match.objects.update(extra={"goals_a": "3", "goals_b": "1", "neutral": "yes"})
    text = site.text(address_of(site.matches[0]))
    score = text[text.index("versus-score") :]
    score = score[: score.index("</div>")]
    assert re.sub(r"<[^>]+>", "", score).endswith("3:1")
    assert "Neutral" in text
    assert "Goals" in text


def test_a_score_that_contradicts_the_result_is_only_a_fact(site: Site) -> None:
    Match.objects.update(extra={"kills_a": "3", "kills_b": "8"})
    text = site.text(address_of(site.matches[0]))
    score = text[text.index("versus-score") :]
    assert re.sub(r"<[^>]+>", "", score[: score.index("</div>")]).endswith("1:0")


def test_a_match_that_waits_says_until_when(site: Site) -> None:
    (match,) = site.play(Played(13.0, 0, 3, 1.0))
    site.arena.rate(site.track, day=13.5)
    early = Site(site.arena, site.track, [], START.replace(day=15))
    text = early.text(address_of(match))
    assert "when its rating period ends, on " in text
    assert 'class="expected-bar"' in text
    assert "Why the ratings changed" not in text
    (end,) = re.findall(r'its rating period ends, on <time datetime="([^"]+)"', text)
    for ahead, words in ((60, "within 1 minute."), (61, "within 2 minutes.")):
        now = datetime.fromisoformat(end) - timedelta(seconds=ahead)
        late = Site(site.arena, site.track, [], now)
        assert f"when its rating period ends, {words}" in late.text(address_of(match))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (MatchState.PLAYING, "is being played"),
        (MatchState.DISPUTED, "settle the result"),
        (MatchState.ABANDONED, "Nobody reported"),
        (MatchState.ABORTED, "was aborted"),
        (MatchState.ANNULLED, "annulled"),
    ],
)
def test_a_match_that_does_not_count_says_why(state: MatchState, words: str) -> None:
    site = make_site(rated=False)
    Match.objects.update(state=state, due_at=START if state in OPEN else None)
    assert words in site.text(address_of(site.matches[0]))


def test_a_match_that_is_not_there() -> None:
    assert Client().get("/matches/123456789/").status_code == 404


def signed_in(name: str, player: Player | None = None, **flags: Any) -> Client:
    """An account, which plays as this player."""
    user = User.objects.create_user(name, password="an old door", **flags)
    if player is not None:
        Player.objects.filter(pk=player.pk).update(user=user)
    client = Client()
    client.force_login(user)
    return client


def may_view_matches(name: str, *, is_staff: bool) -> Client:
    """An account with the permission to view matches."""
    client = signed_in(name, is_staff=is_staff)
    permission = Permission.objects.get(codename="view_match")
    User.objects.get(username=name).user_permissions.add(permission)
    return client


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_in_normal_mode_a_match_is_for_its_players_and_for_moderators(
    headers: dict[str, str],
) -> None:
    """Who met whom and who won is enough to reckon the ratings that are hidden."""
    site = make_site(mode=Mode.NORMAL)
    first = site.matches[0]
    anna, bjorn, stranger = site.arena.players[0], site.arena.players[1], site.arena.players[3]
    visitors = {
        "nobody": (Client(), 404),
        "without a player": (signed_in("zoe"), 404),
        "a player of other matches": (signed_in("otto", stranger), 404),
        "a player": (signed_in("anna", anna), 200),
        "the opponent": (signed_in("bjorn", bjorn), 200),
        "staff without the permission": (signed_in("staff", is_staff=True), 404),
        "the permission without staff": (may_view_matches("former", is_staff=False), 404),
        "a moderator": (may_view_matches("moderator", is_staff=True), 200),
        "a superuser": (signed_in("root", is_staff=True, is_superuser=True), 200),
    }
    assert {seat.player for seat in first.participants.all()} == {anna, bjorn}
    found = {
        name: client.get(address_of(first), headers=headers).status_code
        for name, (client, _) in visitors.items()
    }
    assert found == {name: status for name, (_, status) in visitors.items()}


def test_normal_mode_shows_its_players_the_outcome_and_no_number() -> None:
    site = make_site(mode=Mode.NORMAL, own=HIDDEN)
    anna = signed_in("anna", site.anna)
    text = anna.get(address_of(site.matches[0])).content.decode()
    assert "Won" in text
    assert "Lost" in text
    assert not tells_hidden(text)
    assert "expected" not in text
    assert "Why the ratings changed" not in text
    assert site.address not in text


def test_normal_mode_shows_no_expectation_before_the_match() -> None:
    site = make_site(mode=Mode.NORMAL, own=HIDDEN)
    (match,) = site.play(Played(200.0, 0, 1, 1.0))
    text = signed_in("anna", site.anna).get(address_of(match)).content.decode()
    assert 'class="versus"' in text
    assert "expected" not in text
    assert not tells_hidden(text)


def test_an_open_match_in_normal_mode_follows_its_players_and_not_the_site() -> None:
    site = make_site(mode=Mode.NORMAL)
    (match,) = site.play(Played(200.0, 0, 1, 1.0))
    deadline = match.played_at + 10 * DAY
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.PLAYING, due_at=deadline, confirmed_at=None
    )
    text = as_shown(signed_in("anna", site.anna).get(address_of(match)).content.decode())
    assert 'id="match-story" data-live="player"' in text  # the bar above listens, too


def test_a_track_that_is_not_shown_stays_hidden() -> None:
    site = make_site(shown=False, own=HIDDEN)
    text = site.text(address_of(site.matches[0]))
    assert not tells_hidden(text)
    assert "Why the ratings changed" not in text


def test_the_number_of_queries_is_constant() -> None:
    site = make_site(players=3, rounds=1, days=100.0)
    site.rate(day=120)
    few = count_queries(site, address_of(site.matches[0]))
    assert few <= 12
    more = site.play(*(Played(200 + n / 3, n % 3, (n + 1) % 3, 1.0) for n in range(60)))
    site.rate(day=400)
    assert count_queries(site, address_of(more[0])) == few


def test_it_speaks_german(site: Site) -> None:
    text = site.text(address_of(site.matches[0]), {"Accept-Language": "de"})
    assert '<html lang="de"' in text
    bar = re.search(r'class="expected-first" width="([^"]+)"', text)
    assert bar is not None
    assert 0 < float(bar[1]) < 1


@pytest.mark.parametrize("ending", ["decided", "aborted"])
def test_a_dispute_that_an_operator_decided_is_told_without_a_name(site: Site, ending: str) -> None:
    match = site.matches[0]
    assert "disputed" not in site.text(address_of(match))
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.DISPUTED, ladder_seq=None, counts_at=None, confirmed_at=None
    )
    assert "settle the result" in site.text(address_of(match))
    judge = User.objects.create_superuser("judge.dredd", "dredd@example.org", "secret")
    if ending == "aborted":
        abort(match_id=match.pk, by=judge, note="Seen it.")
    else:
        resolve_dispute(match_id=match.pk, result=Result(ranks=(0, 1)), by=judge, note="Seen it.")
    text = site.text(address_of(match))
    decided = AuditEntry.objects.get(target_id=str(match.pk)).at
    assert "This match was disputed. The administration decided it, on" in text
    assert f'<time datetime="{iso(decided)}"' in text
    assert "dredd" not in text
    assert "Seen it" not in text
    assert "disputed" not in site.text(address_of(site.matches[1]))


def test_a_match_that_an_operator_ended_without_a_dispute_is_told_of_as_before(site: Site) -> None:
    match = site.matches[0]
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.PLAYING,
        ladder_seq=None,
        counts_at=None,
        confirmed_at=None,
        due_at=site.now,
    )
    abort(match_id=match.pk, by=User.objects.create_superuser("judge"), note="")
    text = site.text(address_of(match))
    assert "was aborted" in text
    assert "disputed" not in text
