"""A ladder's page: rules with their ranges, versions that follow, tracks, and adding one."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from foundation import clock
from ratings import systems
from ratings.models import Ladder, Match, RatingTrack
from ratings.tracks.parameters import change_ladder_rules, create_track, current_version, tunable
from ratings.wording import system_name
from tests.ratings.admin_cast import World

pytestmark = pytest.mark.django_db


def address(ladder: Ladder) -> str:
    return reverse("admin:ratings_ladder_change", args=[ladder.pk])


def opened(client: Client, ladder: Ladder, **changes: Any) -> dict[str, Any]:
    """What a browser that has just opened the form sends."""
    page = client.get(address(ladder))
    values = {
        name: getattr(ladder, name)
        for name in page.context["adminform"].form.fields
        if name != "note"
    }
    sent = {**values, "opened_as": page.context["opened_as"], "note": "", **changes}
    return {name: value for name, value in sent.items() if value not in (None, False)}


def test_it_shows_tracks_and_from_when_a_change_applies(world: World, client: Client) -> None:
    page = client.get(address(world.ladder)).content.decode()
    assert reverse("admin:ratings_ratingtrack_tune", args=[world.glicko.pk]) in page
    assert "<td>match 5</td>" in page


def test_it_requires_staff(world: World) -> None:
    assert Client().get(address(world.ladder)).status_code == 302


def test_who_may_only_look_sees_the_rules_and_changes_none(world: World) -> None:
    from django.contrib.auth.models import Permission

    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_ladder"))
    client = Client()
    client.force_login(clerk)
    page = client.get(address(world.ladder))
    assert "10000" in page.content.decode()
    assert client.post(address(world.ladder), {"name": "Mine"}).status_code == 403


def test_a_rule_of_rating_gives_every_track_a_version(world: World, client: Client) -> None:
    sent = opened(client, world.ladder, days_to_forget=400, note="faster")
    assert client.post(address(world.ladder), sent).status_code == 302
    for track in (world.elo, world.glicko):
        version = current_version(track)
        assert (version.number, version.note) == (2, "faster")
        assert version.parameters["days_to_forget"] == 400
    entry = AuditEntry.objects.get(action="ladder.rules_changed")
    assert entry.actor == User.objects.get(username="olga")
    assert (entry.before, entry.after) == ({"days_to_forget": 10000.0}, {"days_to_forget": 400.0})
    assert entry.note == "faster"


def test_a_rule_of_the_leaderboard_makes_no_version(world: World, client: Client) -> None:
    client.post(address(world.ladder), opened(client, world.ladder, inactive_after_days=30))
    world.ladder.refresh_from_db()
    assert world.ladder.inactive_after_days == 30
    assert current_version(world.elo).number == 1
    assert AuditEntry.objects.filter(action="ladder.rules_changed").count() == 1


def test_name_and_rules_in_one_form_are_both_saved_and_recorded(
    world: World, client: Client
) -> None:
    sent = opened(client, world.ladder, name="Rapid", established_after=15, note="both")
    client.post(address(world.ladder), sent)
    world.ladder.refresh_from_db()
    assert (world.ladder.name, world.ladder.established_after) == ("Rapid", 15)
    entry = AuditEntry.objects.get(action="ladder.changed")
    assert (entry.before, entry.after) == ({"name": "Blitz"}, {"name": "Rapid"})
    assert entry.note == "both"


def test_the_sequence_is_left_alone(world: World, client: Client) -> None:
    """A match that is counted between opening and saving stays counted."""
    sent = opened(client, world.ladder, name="Rapid")
    Ladder.objects.filter(pk=world.ladder.pk).update(last_seq=77)
    client.post(address(world.ladder), sent)
    world.ladder.refresh_from_db()
    assert (world.ladder.name, world.ladder.last_seq) == ("Rapid", 77)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("days_to_forget", "0.5", "Days to forget must be between 1 and 100,000; you gave 0.5."),
        (
            "established_after",
            "1001",
            "Games until established must be a whole number between 1 and 1,000; you gave 1,001.",
        ),
        (
            "pool_minimum",
            "2.5",
            "Established players for a grown pool must be a whole number between 0 and 10,000; "
            "you gave 2.5.",
        ),
        (
            "inactive_after_days",
            "soon",
            "Days until inactive must be between 1 and 10,000; you gave “soon”.",
        ),
    ],
)
def test_it_refuses_what_is_out_of_range(
    world: World, client: Client, name: str, value: str, message: str
) -> None:
    page = client.post(address(world.ladder), opened(client, world.ladder, **{name: value}))
    assert message in page.content.decode()
    assert not AuditEntry.objects.filter(action__startswith="ladder.").exists()


def test_it_refuses_what_a_track_cannot_work_with(world: World, client: Client) -> None:
    RatingTrack.objects.filter(pk=world.glicko.pk).update(period_days=36_000)
    page = client.post(address(world.ladder), opened(client, world.ladder, days_to_forget=1))
    assert "Glicko cannot work with this: Growth of the deviation must be" in page.content.decode()
    assert current_version(world.glicko).number == 1


def test_an_edit_in_between_is_not_overwritten(world: World, client: Client) -> None:
    mine = opened(client, world.ladder, days_to_forget=400)
    change_ladder_rules(
        ladder=world.ladder, changes={"days_to_forget": 900.0}, actor=None, note="theirs"
    )
    answer = client.post(address(world.ladder), mine)
    page = answer.content.decode()
    assert "Someone changed this after you opened it, so nothing was saved." in page
    assert "Stored now: Days to forget: 900." in page
    assert 'value="400"' in page
    world.ladder.refresh_from_db()
    assert world.ladder.days_to_forget == 900
    client.post(address(world.ladder), {**mine, "opened_as": answer.context["opened_as"]})
    world.ladder.refresh_from_db()
    assert world.ladder.days_to_forget == 400


def test_a_mistake_in_between_does_not_hide_a_crossing_edit(world: World, client: Client) -> None:
    mine = opened(client, world.ladder, days_to_forget="0")
    change_ladder_rules(ladder=world.ladder, changes={"pool_minimum": 5}, actor=None, note="theirs")
    client.post(address(world.ladder), mine)
    client.post(address(world.ladder), {**mine, "days_to_forget": "400"})
    world.ladder.refresh_from_db()
    assert (world.ladder.pool_minimum, world.ladder.days_to_forget) == (5, 10000)


def test_a_new_ladder_is_recorded(world: World, client: Client) -> None:
    form = {
        "game": world.game.pk,
        "name": "Bullet",
        "slug": "bullet",
        "mode": "ranked",
        "rated_by": "results",
        "team_count": 2,
        "team_size": 1,
        "days_to_forget": 100,
        "established_after": 10,
        "pool_minimum": 5,
        "inactive_after_days": 20,
        "drift_days": 7,
        "report_minutes": 10,
        "abandon_minutes": 90,
        "note": "asked for",
    }
    client.post(reverse("admin:ratings_ladder_add"), form)
    entry = AuditEntry.objects.get(action="ladder.added")
    assert entry.target_id == str(Ladder.objects.get(slug="bullet").pk)
    assert entry.after is not None
    assert entry.after["days_to_forget"] == 100
    assert (entry.before, entry.note) == (None, "asked for")


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        (
            "team_count",
            101,
            "Teams in a match must be a whole number between 2 and 100; you gave 101.",
        ),
        ("team_count", 1, "Teams in a match must be a whole number between 2 and 100; you gave 1."),
        ("team_size", 0, "Players in a team must be a whole number between 1 and 100; you gave 0."),
    ],
)
def test_numbers_of_teams_are_refused_with_their_range(
    client: Client, name: str, given: int, words: str
) -> None:
    page = client.post(reverse("admin:ratings_ladder_add"), {name: given}).content.decode()
    assert words in page
    assert "Ensure this value" not in page


def add_address(ladder: Ladder, system: str = "") -> str:
    query = f"?system={system}" if system else ""
    return reverse("admin:ratings_ladder_add_track", args=[ladder.pk]) + query


def elo_parameters(world: World, **changes: Any) -> dict[str, Any]:
    return {**current_version(world.elo).parameters, **changes}


def test_adding_a_track_begins_with_the_choice_of_a_system(world: World, client: Client) -> None:
    page = client.get(add_address(world.ladder)).content.decode()
    assert "?system=elo" in page
    assert "?system=glicko" in page


@pytest.mark.parametrize("system", systems.names())
def test_every_system_can_be_added_as_it_is(world: World, client: Client, system: str) -> None:
    form = add_address(world.ladder, system)
    page = client.get(form).content.decode()
    assert f'<h2 class="fieldset-heading">{system_name(system)}</h2>' in page
    defaults = {p.name: p.default for p in tunable(system) if p.default is not False}
    days = "7" if systems.create(system).is_period else ""
    client.post(form, {**defaults, "period_days": days})
    added = RatingTrack.objects.latest("pk")
    assert (added.system, added.shown) == (system, False)
    assert {p.name: p.default for p in tunable(system)}.items() <= current_version(
        added
    ).parameters.items()


def test_a_ladder_of_teams_offers_what_can_rate_it(world: World, client: Client) -> None:
    ladder = Ladder.objects.create(game=world.game, slug="squads", name="Squads", team_size=3)
    for form in (add_address(ladder), add_address(ladder, "frags")):
        page = client.get(form).content.decode()
        assert "?system=trueskill" in page
        assert "TrueSkill" in page
        assert "?system=elo" in page
        assert "?system=frags" not in page


def test_teams_stay_once_there_are_matches(world: World, client: Client) -> None:
    ladder = Ladder.objects.create(game=world.game, slug="squads", name="Squads", team_size=3)
    assert 'name="team_size"' in client.get(address(ladder)).content.decode()
    now = clock.now()
    Match.objects.create(
        ladder=ladder, game=world.game, external_id="s1", played_at=now, state="aborted"
    )
    assert 'name="team_size"' not in client.get(address(ladder)).content.decode()


def test_the_fewest_teams_are_lowered_and_not_raised(world: World, client: Client) -> None:
    ladder = Ladder.objects.create(
        game=world.ladder.game, slug="open", name="Open", team_count=6, fewest_teams=4
    )
    create_track(ladder=ladder, system="trueskill", parameters={}, period_days=None, shown=False)
    refused = client.post(address(ladder), opened(client, ladder, fewest_teams=5))
    assert "give 4 or less" in refused.content.decode()
    assert client.post(address(ladder), opened(client, ladder, fewest_teams=2)).status_code == 302
    ladder.refresh_from_db()
    assert str(ladder.shape) == "2 to 6 teams of 1"
    beyond = client.post(address(ladder), opened(client, ladder, smallest_team=2))
    assert "give 1 or less" in beyond.content.decode()
    with pytest.raises(IntegrityError, match="ladder_fewest_teams"), transaction.atomic():
        Ladder.objects.filter(pk=ladder.pk).update(fewest_teams=7)


def test_a_further_track_runs_in_the_shadow(world: World, client: Client) -> None:
    assert "It runs in the shadow" in client.get(add_address(world.ladder, "elo")).content.decode()
    sent = elo_parameters(world, k_established=24, period_days="")
    client.post(add_address(world.ladder, "elo"), sent)
    added = RatingTrack.objects.latest("pk")
    assert (added.shown, added.period_days, added.system) == (False, None, "elo")
    assert current_version(added).parameters["k_established"] == 24
    assert AuditEntry.objects.get(action="track.created", target_id=str(added.pk)).actor is not None


def test_the_first_track_is_shown(world: World, client: Client) -> None:
    ladder = Ladder.objects.create(game=world.game, slug="bullet", name="Bullet")
    client.post(add_address(ladder, "elo"), elo_parameters(world, period_days="7"))
    added = ladder.tracks.get()
    assert (added.shown, added.period_days) == (True, 7)


@pytest.mark.parametrize(
    ("system", "days", "message"),
    [
        ("glicko", "", "Days in a rating period must be between 0.000012 and 36,525; the field"),
        ("elo", "40000", "Days in a rating period must be between 0.000012 and 36,525; you gave"),
    ],
)
def test_it_refuses_a_wrong_period(
    world: World, client: Client, system: str, days: str, message: str
) -> None:
    answer = client.post(add_address(world.ladder, system), {"period_days": days})
    assert message in answer.content.decode()
    assert world.ladder.tracks.count() == 2


def test_it_refuses_parameters_out_of_range_for_a_new_track(world: World, client: Client) -> None:
    sent = elo_parameters(world, k_new=5000, step_upper=2000, period_days="")
    page = client.post(add_address(world.ladder, "elo"), sent).content.decode()
    assert "K of new players must be between 0 and 1,000; you gave 5,000." in page
    sent = elo_parameters(world, step_upper=2000, period_days="")
    page = client.post(add_address(world.ladder, "elo"), sent).content.decode()
    assert "Second step must be above “First step”, which is 2,100; you gave 2,000." in page
    assert world.ladder.tracks.count() == 2


def test_adding_requires_the_right(world: World) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    assert clerk.get(add_address(world.ladder)).status_code == 403
