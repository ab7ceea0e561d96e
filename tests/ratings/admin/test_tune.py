"""Tuning a track: form, confirmation, version, audit entry, and edits that cross."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts.models import AuditEntry, User
from ratings.models import Ladder
from ratings.tracks.parameters import change_parameters, current_version
from tests.ratings.admin_cast import World, make_world, operator, typed
from tests.ratings.admin_cast import address_to_tune as address
from tests.shown import as_shown

pytestmark = pytest.mark.django_db
PATIENCE = 300.0


def test_it_shows_the_values_in_force_with_range_and_unit(world: World, client: Client) -> None:
    page = client.get(address(world.elo)).content.decode()
    assert "K of established players" in page
    assert 'value="32"' in page
    assert "Must be between 0 and 1,000 points; 32 unless changed." in page
    assert "A change applies from match 5 on." in page


def test_it_says_which_period_a_change_applies_from(world: World, client: Client) -> None:
    page = client.get(address(world.glicko)).content.decode()
    assert "A change applies from period " in page
    assert ", which ends " in page
    assert 'name="c"' not in page


def test_it_requires_staff(world: World) -> None:
    visitor = Client()
    visitor.force_login(User.objects.create_user("vera"))
    assert visitor.get(address(world.elo)).status_code == 302


def test_it_requires_the_right_to_change_tracks(world: World) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    answer = clerk.post(address(world.elo), typed(world.elo, "apply", k_established=24))
    assert answer.status_code == 403
    assert world.elo.versions.count() == 1


def test_a_review_says_what_would_change_and_changes_nothing(world: World, client: Client) -> None:
    sent = typed(world.elo, "review", k_established=24, note="calmer")
    page = as_shown(client.post(address(world.elo), sent).content.decode())
    assert "<strong>match 5</strong>" in page
    assert "Apply from match 5 on" in page
    assert '<td class="figure">32</td><td class="figure"><strong>24</strong></td>' in page
    assert 'name="k_established" value="24"' in page
    assert world.elo.versions.count() == 1


def test_the_way_back_keeps_what_was_typed(world: World, client: Client) -> None:
    page = client.post(address(world.elo), typed(world.elo, "edit", k_established=24))
    assert 'name="k_established" value="24"' in page.content.decode()
    assert "Review the change" in page.content.decode()


def test_applying_makes_a_version_and_an_audit_entry(world: World, client: Client) -> None:
    sent = typed(world.elo, "apply", k_established=24, note="calmer")
    answer = client.post(address(world.elo), sent, follow=True)
    assert "Version 2 applies from match 5 on." in answer.content.decode()
    version = current_version(world.elo)
    olga = User.objects.get(username="olga")
    assert (version.number, version.applies_from) == (2, 5)
    assert version.parameters["k_established"] == 24
    assert (version.created_by, version.note) == (olga, "calmer")
    entry = AuditEntry.objects.get(action="track.parameters_changed")
    assert (entry.actor, entry.note) == (olga, "calmer")
    assert (entry.before, entry.after) == ({"k_established": 32.0}, {"k_established": 24.0})


def test_the_history_says_what_changed_who_and_why(world: World, client: Client) -> None:
    client.post(address(world.elo), typed(world.elo, "apply", k_established=24, note="calmer"))
    page = client.get(address(world.elo)).content.decode()
    assert "K of established players: 32 → <strong>24</strong>" in page
    assert "olga" in page
    assert "calmer" in page


def test_a_switch_can_be_turned_off(world: World, client: Client) -> None:
    sent = typed(world.elo, "review", halve_against_provisional=False)
    page = client.post(address(world.elo), sent).content.decode()
    assert 'name="halve_against_provisional" value="False"' in page
    client.post(address(world.elo), {**sent, "step": "apply", "halve_against_provisional": "False"})
    assert current_version(world.elo).parameters["halve_against_provisional"] is False


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("4000", "K of established players must be between 0 and 1,000; you gave 4,000."),
        ("-1", "K of established players must be between 0 and 1,000; you gave -1."),
        ("nan", "K of established players must be between 0 and 1,000; you gave nan."),
        ("1e400", "K of established players must be between 0 and 1,000; you gave inf."),
        ("much", "K of established players must be between 0 and 1,000; you gave “much”."),
        ("", "K of established players must be between 0 and 1,000; the field is empty."),
    ],
)
def test_it_refuses_what_is_out_of_range(
    world: World, client: Client, value: str, message: str
) -> None:
    for step in ("review", "apply"):
        page = client.post(address(world.elo), typed(world.elo, step, k_established=value))
        assert message in page.content.decode()
    assert world.elo.versions.count() == 1


def test_it_refuses_values_that_do_not_fit_each_other(world: World, client: Client) -> None:
    sent = typed(world.glicko, "apply", deviation_min=200, deviation_max=100)
    page = client.post(address(world.glicko), sent).content.decode()
    assert (
        "Largest deviation must be above “Smallest deviation”, which is 200; you gave 100" in page
    )
    assert world.glicko.versions.count() == 1


def test_it_refuses_what_the_ladder_s_time_scale_makes_impossible(
    world: World, client: Client
) -> None:
    sent = typed(world.glicko, "apply", deviation_start=40)
    page = client.post(address(world.glicko), sent).content.decode()
    assert "The deviation of a new player must be at least 50 points." in page
    assert world.glicko.versions.count() == 1


def test_inflation_on_a_track_without_periods_plans_its_first_date(
    world: World, client: Client
) -> None:
    client.post(address(world.elo), typed(world.elo, "apply", inflation=5))
    assert world.elo.versions.count() == 2
    assert Ladder.objects.get(pk=world.elo.ladder_id).drift_next_at is not None


def test_it_says_when_nothing_differs(world: World, client: Client) -> None:
    page = client.post(address(world.elo), typed(world.elo, "review")).content.decode()
    assert "Nothing differs from the version in force." in page


@pytest.mark.parametrize("step", ["review", "apply"])
def test_an_edit_in_between_is_not_overwritten(world: World, client: Client, step: str) -> None:
    mine = typed(world.elo, step, k_established=24)
    change_parameters(track=world.elo, parameters={"k_new": 60.0}, actor=None, note="theirs")
    page = client.post(address(world.elo), mine).content.decode()
    assert "a command on the server saved version 2 after you opened this form" in page
    assert "K of new players: 50 → 60" in page
    assert 'name="k_established" value="24"' in page
    assert 'name="version" value="2"' in page
    assert current_version(world.elo).number == 2


def test_after_a_crossing_edit_the_typed_values_can_be_sent_again(
    world: World, client: Client
) -> None:
    mine = typed(world.elo, "apply", k_established=24)
    change_parameters(track=world.elo, parameters={"k_new": 60.0}, actor=None, note="theirs")
    client.post(address(world.elo), mine)
    client.post(address(world.elo), {**mine, "version": 2, "k_new": 60})
    parameters = current_version(world.elo).parameters
    assert (parameters["k_new"], parameters["k_established"]) == (60, 24)


@pytest.mark.django_db(transaction=True)
def test_of_two_edits_at_once_only_one_is_saved() -> None:
    """The second waits for the first to commit, and must compare after it, not before."""
    world, client = make_world(), operator()
    mine = typed(world.elo, "apply", k_established=24)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            change_parameters(
                track=world.elo, parameters={"k_new": 60.0}, actor=None, note="theirs"
            )
            answer = pool.submit(post_apart, client, address(world.elo), mine)
            wait_for_a_waiter()
        page = answer.result(timeout=PATIENCE)
    assert "a command on the server saved version 2" in page
    assert [v.number for v in world.elo.versions.order_by("number")] == [1, 2]


def post_apart(client: Client, path: str, sent: dict[str, Any]) -> str:
    try:
        return client.post(path, sent).content.decode()
    finally:
        connection.close()


def wait_for_a_waiter() -> None:
    """Return once another connection waits for an advisory lock."""
    waiting = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits for the ladder's lock")


def test_it_takes_few_queries_however_long_the_history(
    world: World, client: Client, django_assert_max_num_queries: Any
) -> None:
    for k in range(20, 30):
        change_parameters(track=world.elo, parameters={"k_new": k}, actor=None, note="")
    with django_assert_max_num_queries(10):
        client.get(address(world.elo))
