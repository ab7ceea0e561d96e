"""From a report to its notices in three browsers: reported, looked at, annulled, rated anew, told."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from config.embedded.processes import wait_until
from matchmaking.models import Queue
from moderation.models import PlayerReport
from notifications.models import Notice
from ratings.matches import report
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Player, Rating
from ratings.players.claim import make_player
from tests.end_to_end.players import (
    Person,
    let_in,
    make_queue,
    open_page,
    overflow_of,
    sign_in,
    working,
)
from tests.moderation.office import make_moderator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def play(queue: Queue, anna: Player, bernd: Player) -> Match:
    """A match that Anna wins and both report."""
    match = start_match(ladder=queue.ladder, teams=[[anna.pk], [bernd.pk]])
    for player, outcome in ((anna, Outcome.WON), (bernd, Outcome.LOST)):
        report.report(match_id=match.pk, player_id=player.pk, outcome=outcome)
    return match


def rated(queue: Queue) -> dict[int, float]:
    found = Rating.objects.filter(track__ladder=queue.ladder, track__shown=True, games__gt=0)
    return dict(found.values_list("player", "value"))


def fits(person: Person) -> None:
    """Nothing of the page is wider than its window."""
    if person.scripts:
        assert overflow_of(person.page) == 0, person.page.url


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)
def test_a_report_ends_in_an_annulled_match(
    browser: Browser, live_server: LiveServer, scripts: bool
) -> None:
    queue = make_queue()
    bernd = open_page(browser, live_server.url, "Bernd", scripts=scripts, width=390)
    mona = open_page(browser, live_server.url, "Mona", scripts=scripts)
    own = sign_in(bernd, queue, live_server.url)
    anna = open_page(browser, live_server.url, "Anna", scripts=scripts, width=390)
    other = sign_in(anna, queue, live_server.url)
    let_in(mona, make_moderator("mona"), live_server.url)
    third = make_player(
        game=queue.ladder.game, user=User.objects.create_user("carla"), name="Carla"
    )
    match = play(queue, other, own)
    with working():
        assert wait_until(lambda: len(rated(queue)) == 2, seconds=60)
        won_even = rated(queue)[other.pk] - 1500
        # What is annulled lies below another match, and has changed what that one did.
        play(queue, own, third)
        assert wait_until(lambda: len(rated(queue)) == 3, seconds=60)
        before = rated(queue)
        bernd.goes_to(f"/matches/{match.pk}/")
        fits(bernd)
        bernd.page.get_by_role("link", name="Anna").last.click()
        bernd.page.get_by_label("What is it about?").select_option("cheating")
        expect(bernd.page.get_by_label("In which match?")).to_have_value(str(match.pk))
        bernd.page.get_by_label("What happened?").fill("<b>Through walls</b>")
        fits(bernd)
        bernd.page.get_by_role("button", name="Send the report").click()
        bernd.is_told("You've reported")
        fits(bernd)
        case = PlayerReport.objects.get().case
        mona.goes_to("/desk/")
        fits(mona)
        mona.page.get_by_role("link", name=f"Report {case.pk}").click()
        expect(mona.page.get_by_text("<b>Through walls</b>")).to_be_visible()
        mona.page.get_by_role("button", name="Take this case").click()
        mona.page.get_by_label("Annul the match").check()
        mona.page.get_by_label("Why").fill("Seen in the recording.")
        fits(mona)
        mona.page.get_by_role("button", name="Decide").click()
        mona.is_told("Decided")
        fits(mona)
        assert wait_until(lambda: len(rated(queue)) == 2, seconds=60), rated(queue)
    # As though it had never been: two newcomers, of whom Bernd has won.
    after = rated(queue)
    assert after.keys() == {own.pk, third.pk}
    assert (after[own.pk] - 1500, after[third.pk] - 1500) == pytest.approx((won_even, -won_even))
    assert before[own.pk] != pytest.approx(after[own.pk])
    assert Match.objects.get(pk=match.pk).state == MatchState.ANNULLED
    bernd.goes_to("/reports/")
    expect(bernd.page.get_by_text("A moderator has looked at it. Thank you.")).to_be_visible()
    anna.goes_to("/reports/")
    expect(anna.page.get_by_text("Through walls")).to_have_count(0)
    kinds = {
        who: set(Notice.objects.filter(player=who).values_list("kind", flat=True))
        for who in (own.pk, other.pk)
    }
    assert kinds == {
        own.pk: {"report.closed", "match.annulled"},
        other.pk: {"match.annulled"},
    }
    # They find it in their notices, and Carla, who has not played that match, is told nothing.
    looked_at = "A moderator has looked at what you reported. Thank you."
    annulled = f"Your match {match.pk} counts no longer. Ratings are recalculated."
    for person, words in ((bernd, [looked_at, annulled]), (anna, [annulled])):
        person.goes_to("/notifications/")
        rows = person.page.locator(".notice-words p:first-child")
        expect(rows).to_have_count(len(words))
        for told in words:
            expect(rows.filter(has_text=told)).to_have_count(1)
        fits(person)
    assert not Notice.objects.filter(player=third).exists()
    for person in (anna, bernd, mona):
        assert person.errors == []
        person.context.close()
