"""The first page of the admin: the state of things."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.admin_site import ORDER
from config.tasks import heartbeat
from config.workers.task_queues import QUEUES
from foundation import clock
from ratings.models import Ladder
from tests.ratings.admin_cast import START, World, make_world

pytestmark = pytest.mark.django_db
INDEX = "/admin/"


@pytest.fixture
def world() -> World:
    return make_world()


def test_it_shows_ladders_and_their_tracks(world: World, client: Client) -> None:
    with clock.at(START):
        page = client.get(INDEX).content.decode()
    assert "Evenmatch" in page
    assert "0 tracks are behind" in page
    assert reverse("admin:ratings_ratingtrack_change", args=[world.glicko.pk]) in page
    assert "30 Apr 2024, 00:00 UTC" in page


def test_it_puts_what_is_behind_first(world: World, client: Client) -> None:
    Ladder.objects.filter(pk=world.ladder.pk).update(last_seq=9)
    with clock.at(START):
        state = client.get(INDEX).context["state"]
    assert state.behind == 1
    assert [row.progress.track for row in state.rows] == [world.elo, world.glicko]
    assert state.rows[0].progress.backlog == 5


def test_a_period_that_is_over_and_not_closed_is_behind(world: World, client: Client) -> None:
    state = client.get(INDEX).context["state"]
    assert [row.progress.is_behind for row in state.rows] == [True, False]
    assert state.rows[0].progress.track == world.glicko


@pytest.mark.usefixtures("own_cache")
def test_it_says_whether_workers_answer(world: World, client: Client) -> None:
    for queue in QUEUES:
        assert "No worker has answered for 45 seconds" in client.get(INDEX).content.decode()
        heartbeat(queue)
    assert "Workers answer" in client.get(INDEX).content.decode()


def test_it_says_where_to_begin(client: Client) -> None:
    assert "No ladder has a rating track yet." in client.get(INDEX).content.decode()


def test_every_app_has_its_place(client: Client) -> None:
    labels = [app["app_label"] for app in client.get(INDEX).context["app_list"]]
    assert labels == [label for label in ORDER if label in labels]
    assert {"ratings", "accounts", "api", "events"} <= set(labels)


def test_who_may_not_see_tracks_sees_no_state(world: World) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    page = clerk.get(INDEX)
    assert page.status_code == 200
    assert "Blitz" not in page.content.decode()


def test_it_requires_staff() -> None:
    assert Client().get(INDEX).status_code == 302


def test_it_takes_few_queries(
    world: World, client: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(10):
        client.get(INDEX)


@pytest.mark.parametrize("path", [INDEX, "/admin/ratings/ladder/", "/admin/login/"])
def test_no_page_has_inline_styles_or_scripts(world: World, client: Client, path: str) -> None:
    """The content security policy would refuse them."""
    page = client.get(path, follow=True)
    text = page.content.decode()
    assert "style=" not in text
    assert "<style" not in text
    assert "<script>" not in text
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
