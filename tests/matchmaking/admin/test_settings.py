"""The settings of a queue in its form: made from the sections, stored where they differ, refused at their field."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from matchmaking.models import Queue
from matchmaking.pairing.settings import SECTIONS
from matchmaking.queues.defaults import begin_as_suits
from ratings.models import Ladder
from ratings.tracks.parameters import create_track
from tests.matchmaking.admin.test_queues import opened, page
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db

ADD = "admin:matchmaking_queue_add"


@pytest.fixture
def hall() -> Hall:
    return make_hall(2)


def teams_of(hall: Hall, count: int = 2, size: int = 5) -> Ladder:
    return Ladder.objects.create(
        game=hall.ladder.game, slug="five", name="Five", team_count=count, team_size=size
    )


def test_every_parameter_has_a_field_with_its_words(hall: Hall, client: Client) -> None:
    form = client.get(reverse(ADD)).context["adminform"].form
    for section, kind in SECTIONS.items():
        for parameter in kind.described():
            field = form.fields[f"{section}__{parameter.name}"]
            assert field.label.lower() == parameter.label.lower()
            assert field.help_text.startswith(parameter.help)
    shown = client.get(page(hall)).content.decode()
    assert "Must be between 0 and 5,000 ms; 80 unless changed." in shown
    assert "drop after some time" in shown


def test_what_differs_is_stored_and_recorded_with_the_reason(hall: Hall, client: Client) -> None:
    sent = opened(client, hall, language__use="must", strategy="buckets", note="more of us")
    assert client.post(page(hall), sent).status_code == 302
    hall.queue.refresh_from_db()
    assert (hall.queue.strategy, hall.queue.settings) == ("buckets", {"language": {"use": "must"}})
    entry = AuditEntry.objects.get(action="queue.changed")
    assert entry.before == {"strategy": "filters", "settings": {}}
    assert entry.after == {"strategy": "buckets", "settings": {"language": {"use": "must"}}}
    assert entry.note == "more of us"
    sent = opened(client, hall, language__use="off")
    client.post(page(hall), sent)
    hall.queue.refresh_from_db()
    assert hall.queue.settings == {}


def test_a_change_needs_a_reason(hall: Hall, client: Client) -> None:
    answer = client.post(page(hall), opened(client, hall, language__use="must", note=" "))
    assert "Say why, so that others can understand it later." in answer.content.decode()
    assert not AuditEntry.objects.filter(action="queue.changed").exists()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("region__start", "-1", "Latency at the start must be between 0 and 5,000; you gave -1."),
        ("region__cap", "10", "At most must not be below “Latency at the start”, which is 80"),
        ("maps__known_after", "2.5", "must be a whole number between 1 and 100; you gave 2.5"),
        ("buckets__levels", "taste: 1", "Levels must look like “language, skill: 1”"),
        ("buckets__borders", "5, 1", "Borders of the skill classes must be numbers that rise"),
        ("maps__names", "River; River", "Maps must be names of at most 80 letters, each once"),
        ("language__use", "maybe", "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    hall: Hall, client: Client, name: str, value: str, words: str
) -> None:
    answer = client.post(page(hall), opened(client, hall, **{name: value}))
    errors = answer.context["adminform"].form.errors
    assert words in " ".join(errors[name])
    hall.queue.refresh_from_db()
    assert hall.queue.settings == {}


def test_a_section_with_an_error_or_a_change_is_unfolded(hall: Hall, client: Client) -> None:
    def folded(answer: Any) -> dict[str, bool]:
        form = answer.context["adminform"]
        return {fieldset.name: fieldset.is_collapsible for fieldset in form if fieldset.name}

    Queue.objects.update(settings={"language": {"use": "must"}})
    shown = folded(client.get(page(hall)))
    assert (shown["Language"], shown["Region and latency"]) == (False, True)
    wrong = opened(client, hall, region__start="-1")
    assert not folded(client.post(page(hall), wrong))["Region and latency"]


def test_teams_matter_only_where_there_are_teams(hall: Hall, client: Client) -> None:
    assert "teams__roles" not in opened(client, hall)
    Queue.objects.update(settings={"teams": {"split": "sources"}, "style": {"use": "must"}})
    client.post(page(hall), opened(client, hall, style__use="off"))
    hall.queue.refresh_from_db()
    assert hall.queue.settings == {"teams": {"split": "sources"}}


@pytest.mark.parametrize(("count", "size"), [(2, 5), (4, 1), (3, 2)])
def test_a_queue_for_a_ladder_of_any_shape(
    hall: Hall, client: Client, count: int, size: int
) -> None:
    ladder = teams_of(hall, count, size)
    sent = opened(client, hall, ladder=ladder.pk, name="Five", slug="five")
    form = client.get(reverse(ADD)).context["adminform"].form
    sent.update({b.html_name: b.value() for b in form if b.html_name.startswith("teams__")})
    sent["teams__spread_start"] = "150"
    client.post(reverse(ADD), sent)
    queue = Queue.objects.get(slug="five")
    assert (queue.ladder, queue.settings) == (ladder, {"teams": {"spread_start": 150.0}})


def test_what_another_changed_meanwhile_is_not_overwritten(hall: Hall, client: Client) -> None:
    sent = opened(client, hall, language__use="must")
    Queue.objects.update(settings={"language": {"use": "prefer"}})
    answer = client.post(page(hall), sent).content.decode()
    assert "Someone changed this after you opened it" in answer
    assert "Use: prefer" in answer
    hall.queue.refresh_from_db()
    assert hall.queue.settings == {"language": {"use": "prefer"}}


def test_who_may_only_look_sees_what_differs(hall: Hall) -> None:
    Queue.objects.update(settings={"language": {"use": "must"}})
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_queue"))
    client = Client()
    client.force_login(clerk)
    shown = client.get(page(hall)).content.decode()
    assert "Language · use: must" in shown
    assert "region__start" not in shown
    Queue.objects.update(settings={})
    assert "different from the defaults" in client.get(page(hall)).content.decode().lower()


def test_settings_of_another_version_do_not_break_the_page(hall: Hall, client: Client) -> None:
    Queue.objects.update(settings={"weather": {"use": "must"}, "style": {"use": "must"}})
    sent = opened(client, hall)
    assert sent["style__use"] == "must"
    client.post(page(hall), sent)
    hall.queue.refresh_from_db()
    assert hall.queue.settings == {"style": {"use": "must"}}


def test_a_new_queue_suits_its_ladder_where_nothing_else_is_typed(
    hall: Hall, client: Client
) -> None:
    ladder = teams_of(hall)
    create_track(ladder=ladder, system="trueskill", parameters={}, period_days=None, shown=True)
    form = client.get(reverse(ADD)).context["adminform"].form
    sent = {bound.html_name: bound.value() for bound in form}
    sent = {name: value for name, value in sent.items() if value is not None and value is not False}
    sent |= {"ladder": ladder.pk, "name": "Five", "slug": "five", "gap_per_second": "2"}
    answer = client.post(reverse(ADD), {**sent, "teams__party_bonus": "1", "gap_cap": "5"})
    assert answer.status_code == 302
    queue = Queue.objects.get(slug="five")
    assert (queue.gap_start, queue.gap_per_second, queue.gap_cap) == (5.0, 2.0, 5.0)
    assert queue.settings["teams"]["spread_start"] == 6.4
    assert queue.settings["teams"]["party_bonus"] == 1.0


def test_roles_that_no_team_has_room_for_are_refused(hall: Hall, client: Client) -> None:
    ladder = teams_of(hall, size=5)
    queue = Queue.objects.create(ladder=ladder, slug="five", name="Five")
    address = reverse("admin:matchmaking_queue_change", args=[queue.pk])
    form = client.get(address).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    sent = {name: value for name, value in sent.items() if value is not False}
    sent |= {"teams__roles": "tank 2; healer 2; damage 4", "note": "roles"}
    told = client.post(address, sent).content.decode()
    assert "must be for at most 5 players, as many as a team of the ladder has" in told
    preview = client.post(address, {**sent, "_preview": "1", "preview_arrivals": "1"})
    assert "these are for 8" in preview.content.decode()
    assert "forecast" not in preview.context
    queue.refresh_from_db()
    assert queue.settings == {}
    assert client.post(address, {**sent, "teams__roles": "tank 2; healer 3"}).status_code == 302
    Ladder.objects.filter(pk=ladder.pk).update(team_size=4)
    assert "Nobody can be matched" in client.get(address).content.decode()


def test_a_queue_that_was_there_before_its_track_says_that_its_gap_does_not_fit(
    hall: Hall, client: Client
) -> None:
    ladder = teams_of(hall)
    queue = Queue(ladder=ladder, slug="five", name="Five")
    begin_as_suits(queue, {})
    queue.save()
    address = reverse("admin:matchmaking_queue_change", args=[queue.pk])
    assert "This ladder has no ratings yet" in client.get(address).content.decode()
    create_track(ladder=ladder, system="trueskill", parameters={}, period_days=None, shown=True)
    told = client.get(address).content.decode()
    assert "Rating gap at the start is 300, but on the scale" in told
    assert "Spread at the start is 300, but on the scale" in told
    begin_as_suits(queue, {})
    queue.save()
    told = client.get(address).content.decode()
    assert "made for another scale" not in told
    assert "Nothing rates" not in told
