"""Replays in the admin: the choice "as if always", how far a replay is, and what is history."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.models import RatingTrack, TrackState
from ratings.runs.replay import replay_with
from ratings.tracks.parameters import change_parameters, current_version
from tests.chance import without_chance
from tests.ratings.admin_cast import World, typed
from tests.ratings.admin_cast import address_to_tune as address

pytestmark = pytest.mark.django_db


def start_replay(world: World) -> RatingTrack:
    return replay_with(track=world.elo, parameters={"k_new": 80.0}, by=None, note="")


def test_the_form_offers_both(world: World, client: Client) -> None:
    page = client.get(address(world.elo)).content.decode()
    assert 'name="scope" value="now"' in page
    assert 'name="scope" value="always"' in page
    assert "as if always: ratings are recalculated from the first match" in page


def test_a_review_says_what_follows_and_changes_nothing(world: World, client: Client) -> None:
    sent = typed(world.elo, "review", k_established=24, scope="always")
    page = client.post(address(world.elo), sent).content.decode()
    assert "ratings are recalculated from the first match (4 matches)" in page
    assert "Recalculate the ratings" in page
    assert 'name="scope" value="always"' in page
    assert "Apply from" not in page
    assert RatingTrack.objects.count() == 2


def test_applying_it_starts_a_replay(world: World, client: Client) -> None:
    sent = typed(world.elo, "apply", k_established=24, scope="always", note="calmer")
    answer = client.post(address(world.elo), sent, follow=True).content.decode()
    assert "The ratings are being recalculated." in answer
    replay = RatingTrack.objects.get(replaces=world.elo)
    version = current_version(replay)
    assert (version.number, version.applies_from, version.note) == (2, 0, "calmer")
    assert version.created_by == User.objects.get(username="olga")
    assert version.parameters["k_established"] == 24
    assert world.elo.versions.count() == 1


def test_values_in_force_can_be_made_to_hold_always(world: World, client: Client) -> None:
    change_parameters(track=world.elo, parameters={"k_new": 60}, actor=None, note="")
    page = client.post(address(world.elo), typed(world.elo, "review", scope="always"))
    assert "Recalculate the ratings" in page.content.decode()


def test_values_that_held_always_need_no_replay(world: World, client: Client) -> None:
    page = client.post(address(world.elo), typed(world.elo, "apply", scope="always"))
    assert "Nothing differs from the version in force." in page.content.decode()
    assert RatingTrack.objects.count() == 2


def test_a_choice_there_is_not_is_refused(world: World, client: Client) -> None:
    sent = typed(world.elo, "apply", k_established=24, scope="sometimes")
    assert "Nothing was saved" in client.post(address(world.elo), sent).content.decode()
    assert (world.elo.versions.count(), RatingTrack.objects.count()) == (1, 2)


def test_the_form_says_that_a_replay_runs(world: World, client: Client) -> None:
    start_replay(world)
    page = client.get(address(world.elo)).content.decode()
    assert "The ratings are being recalculated: 0 of 4 matches." in page
    sent = typed(world.elo, "review", k_established=24, scope="always")
    page = client.post(address(world.elo), sent).content.decode()
    assert "It takes the place of the computation that is under way." in page


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_replay_is_not_tuned(world: World, client: Client, method: str) -> None:
    replay = start_replay(world)
    sent = typed(replay, "apply", k_established=24)
    answer = getattr(client, method)(address(replay), sent, follow=True)
    assert "is replaying. Tune the live track of the ladder." in answer.content.decode()
    assert replay.versions.count() == 1


def test_the_list_shows_generation_and_progress(world: World, client: Client) -> None:
    replay = start_replay(world)
    RatingTrack.objects.filter(pk=replay.pk).update(rated_seq=3)
    page = client.get(reverse("admin:ratings_ratingtrack_changelist")).content.decode()
    assert "replaying: 3 of 4 matches" in page
    assert page.count(">Tune</a>") == 2


def test_a_track_says_what_it_replaces(world: World, client: Client) -> None:
    replay = start_replay(world)
    page = client.get(
        reverse("admin:ratings_ratingtrack_change", args=[replay.pk])
    ).content.decode()
    assert "replaying: 0 of 4 matches" in page
    assert "Tune" not in without_chance(page)
    assert reverse("admin:ratings_ratingtrack_change", args=[world.elo.pk]) in page


def test_the_ladder_and_the_state_panel_leave_out_what_was_replaced(
    world: World, client: Client
) -> None:
    replay = start_replay(world)
    ladder = reverse("admin:ratings_ladder_change", args=[world.ladder.pk])
    link = reverse("admin:ratings_ratingtrack_change", args=[world.elo.pk])
    for page in (client.get(ladder), client.get(reverse("admin:index"))):
        assert "replaying" in page.content.decode()
    call_command("rate", "--quiet")
    world.elo.refresh_from_db()
    assert world.elo.state == TrackState.RETIRED
    for page in (client.get(ladder), client.get(reverse("admin:index"))):
        assert link not in page.content.decode()
        assert (
            reverse("admin:ratings_ratingtrack_change", args=[replay.pk]) in page.content.decode()
        )
