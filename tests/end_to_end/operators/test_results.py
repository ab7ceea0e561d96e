"""Matches annulled, results corrected, disputes decided: with what follows shown before, and told to the players."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import AuditEntry
from foundation import clock
from matchmaking.models import Queue
from ratings.models import Ladder, Match, MatchState, RatingTrack
from ratings.players.enrol import enrol
from ratings.tracks.parameters import create_track
from tests.end_to_end.operators.history import beat, finish, follow_up, ratings_on
from tests.end_to_end.operators.people import House, page_of
from tests.end_to_end.players import overflow_of, too_wide

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.full
def test_matches_of_a_player_are_annulled_at_once(house: House, queue: Queue) -> None:
    mona = house.moderator()
    anna, own = house.player("Anna", queue)
    cheat, _ = enrol(game=own.game, external_id="cheat", name="Cheat")
    first = beat(queue.ladder, cheat, own)
    other, _ = enrol(game=own.game, external_id="other", name="Other")
    kept = beat(queue.ladder, own, other)
    beat(queue.ladder, cheat, own)
    follow_up()
    before = ratings_on(queue.ladder)
    mona.finds("ratings_player", "Cheat")
    mona.follows("Annul matches")
    today, day = clock.now().date(), timedelta(days=1)  # midnight may come meanwhile
    yesterday, tomorrow = (today - day).isoformat(), (today + day).isoformat()
    mona.fills({"Ladder": "Blitz", "From": yesterday, "To": "2020-01-01"})
    mona.does("Preview")
    mona.reads("The last day comes before the first.")
    mona.fills({"To": tomorrow})
    mona.does("Preview")
    mona.reads("2 matches of 2 players would count no longer.", "1 after the first of them")
    mona.reads("Whom these matches have moved most", "Anna (Blitz)", "This cannot be taken back.")
    mona.does("Annul these matches")
    mona.reads("Say why, so that others can understand it later.")
    mona.fills({"Why": "Aimbot."})
    mona.does("Annul these matches")
    mona.is_answered("2 matches no longer count.")
    follow_up()
    # One replay, and the ratings are those without these matches.
    track = RatingTrack.objects.get(ladder=queue.ladder, shown=True)
    assert track.generation == 2
    after = ratings_on(queue.ladder)
    assert cheat.pk not in after
    assert after[own.pk] > before[own.pk]
    mona.opens(page_of("ratings_match_change", first.pk))
    mona.reads("Ratings without this match", "all ratings are those without it")
    mona.opens("/admin/accounts/auditentry/?q=matches.annulled")
    mona.reads("Aimbot.", "count: – → 2")
    page = anna.page
    anna.goes_to(f"/matches/{first.pk}/")
    expect(page.locator("#match-story")).to_contain_text("annulled")
    assert overflow_of(page) == 0, too_wide(page)
    anna.goes_to(f"/players/{own.pk}/")
    counted = page.locator("#player-matches tbody tr", has=page.locator(".delta-gain"))
    expect(counted).to_have_count(1)
    expect(counted.locator(f"a[href='/matches/{kept.pk}/']").first).to_be_visible()
    assert Match.objects.filter(state=MatchState.ANNULLED).count() == 2


@pytest.fixture
def melee(queue: Queue) -> Ladder:
    """All against all, four at a time, in the same game."""
    ladder = Ladder.objects.create(
        game=queue.ladder.game,
        slug="melee",
        name="Melee",
        team_count=4,
        team_size=1,
        lists_provisional=True,
        pool_minimum=0,
    )
    create_track(ladder=ladder, system="trueskill", parameters={}, period_days=None, shown=True)
    return ladder


@pytest.mark.full
def test_places_and_scores_are_corrected_and_a_dispute_decided_by_places(
    house: House, queue: Queue, melee: Ladder
) -> None:
    olga, mona = house.operator(), house.moderator()
    anna, own = house.player("Anna", queue)
    names = ("Bernd", "Carla", "Dora")
    others = [enrol(game=own.game, external_id=name.lower(), name=name)[0] for name in names]
    four = [own, *others]
    match = finish(melee, four, (2, 1, 3, 4))
    assert match.state == MatchState.CONFIRMED
    finish(melee, four, (4, 3, 2, 1))
    follow_up()
    before = ratings_on(melee)
    # Corrected by the operator: shown first, and done as it was shown.
    olga.opens(page_of("ratings_match_change", match.pk))
    olga.follows("Correct the result")
    expect(olga.content.get_by_label("Place of Anna")).to_have_value("2")
    write = {
        "Place of Anna": "1",
        "Place of Bernd": "2",
        "Score of Anna": "31",
        "Score of Dora": "4",
    }
    for label, value in write.items():
        olga.content.get_by_label(label).fill(value)
    olga.does("Preview")
    olga.reads("Say why: players read it on the match's page.")
    olga.fills({"Why": "The recording shows Anna first."})
    olga.does("Preview")
    olga.reads("1 later match of this ladder is rated anew", "4 ratings would move", "Anna: +")
    olga.does("Correct the result")
    olga.is_answered("The result is corrected.")
    olga.reads("Corrections", "1st: Bernd", "All ratings are those with the corrected result.")
    follow_up()
    assert ratings_on(melee)[own.pk] > before[own.pk]
    page = anna.page
    anna.goes_to(f"/matches/{match.pk}/")
    story = page.locator("#match-story")
    expect(story).to_contain_text("The recording shows Anna first.")
    expect(story.get_by_role("heading", name="Corrected result")).to_be_visible()
    expect(story).to_contain_text("31")
    assert overflow_of(page) == 0, too_wide(page)
    # A dispute: two claim the first place, and call for somebody; a moderator decides by places.
    disputed = finish(melee, four, (1, 1, 3, 4))
    assert disputed.state == MatchState.DISPUTED
    anna.goes_to(f"/play/matches/{disputed.pk}/")
    page.get_by_text("Comment and proof").click()
    page.get_by_label("What happened").fill("Bernd fell first.")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Call an admin").click()
    expect(page.locator("main")).to_contain_text("An admin has been called")
    assert overflow_of(page) == 0, too_wide(page)
    mona.opens(reverse("admin:ratings_match_disputes"))
    mona.reads("Admin called", "Bernd fell first.")
    mona.follows("Decide")
    expect(mona.content.get_by_label("Place of Bernd")).to_have_value("1")
    mona.content.get_by_label("Place of Bernd").fill("")
    mona.fills({"Why": "As Anna says."})
    mona.does("Decide")
    mona.reads("1 team has no place yet.")
    mona.content.get_by_label("Place of Bernd").fill("2")
    mona.does("Decide")
    mona.is_answered("The dispute is decided. The match counts from now on.")
    mona.reads("There are no disputes.")
    expect(page.locator("#stage")).to_have_attribute("data-stage", "match.confirmed")
    anna.goes_to(f"/matches/{disputed.pk}/")
    expect(story).to_contain_text("The administration decided it")
    # What a moderator is not: somebody who changes what the ladder is.
    mona.is_refused(reverse("admin:ratings_ladder_add_track", args=[melee.pk]))
    notes = AuditEntry.objects.filter(action__startswith="match.").order_by("pk")
    assert list(notes.values_list("actor__username", "note")) == [
        ("olga", "The recording shows Anna first."),
        ("mona", "As Anna says."),
    ]
