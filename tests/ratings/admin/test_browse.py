"""Every list and page of the admin: it opens, for staff only, with few queries however many rows."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.audited_admin import AuditedAdmin
from accounts.models import AuditEntry, User
from foundation.read_only_admin import BoundedPaginator, ReadOnlyAdmin
from leaderboards.models import Board
from matchmaking.models import Queue, Ticket, TicketMember
from ratings.models import Facet, Ladder, Match, MatchState, Mode, Player, RatingChange, RatingTrack
from ratings.players.claim import make_player
from ratings.players.enrol import enrol
from ratings.tracks.parameters import create_track
from tests.ratings.admin_cast import World, add_import, add_player, make_world, operator, staff
from tests.worlds import shared

pytestmark = pytest.mark.django_db
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
READ_ONLY = [m for m in MODELS if isinstance(admin.site._registry[m], ReadOnlyAdmin)]


def names(models: list[type[Model]]) -> list[str]:
    return [model._meta.label_lower for model in models]


@shared
def world() -> World:
    world = make_world()
    add_import(world)
    queue = Queue.objects.create(ladder=world.ladder, slug="blitz", name="Blitz queue")
    ticket = Ticket.objects.create(queue=queue)
    TicketMember.objects.create(ticket=ticket, player=world.anna)
    Board.objects.create(track=world.elo)
    return world


@shared
def client(world: World) -> Client:
    return operator()


def list_of(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(thing: Model) -> str:
    name = f"admin:{thing._meta.app_label}_{thing._meta.model_name}_change"
    return reverse(name, args=[thing.pk])


@pytest.mark.parametrize("model", MODELS, ids=names(MODELS))
def test_every_list_opens_in_few_queries(
    client: Client, model: type[Model], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(10):
        assert client.get(list_of(model)).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=names(MODELS))
def test_every_page_opens(client: Client, model: type[Model]) -> None:
    for thing in model._default_manager.all()[:1]:
        assert client.get(page_of(thing)).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=names(MODELS))
def test_every_list_can_be_searched(client: Client, model: type[Model]) -> None:
    for term in ("anna", "1", "99999999999999999999999", "%_'"):
        assert client.get(list_of(model), {"q": term}).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=names(MODELS))
def test_every_list_requires_staff(model: type[Model]) -> None:
    assert Client().get(list_of(model)).status_code == 302


@pytest.mark.parametrize("model", MODELS, ids=names(MODELS))
def test_every_list_requires_the_right_to_look(model: type[Model]) -> None:
    clerk = staff()
    assert clerk.get(list_of(model)).status_code == 403


@pytest.mark.parametrize("model", READ_ONLY, ids=names(READ_ONLY))
def test_what_is_for_looking_can_be_neither_added_changed_nor_deleted(
    client: Client, model: type[Model]
) -> None:
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    assert client.post(reverse(f"{base}_add"), {}).status_code == 403
    for thing in model._default_manager.all()[:1]:
        assert client.post(page_of(thing), {}).status_code == 403
        gone = client.post(reverse(f"{base}_delete", args=[thing.pk]), {"post": "yes"})
        assert gone.status_code == 403


def test_nothing_can_be_changed_without_a_record() -> None:
    """Also in what installed packages bring."""
    for model_admin in admin.site._registry.values():
        assert isinstance(model_admin, AuditedAdmin | ReadOnlyAdmin), model_admin
        assert model_admin.actions is None


def count_queries(client: Client, address: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.full
def test_no_list_asks_row_by_row(world: World, client: Client) -> None:
    lists = [list_of(model) for model in MODELS]
    before = [count_queries(client, address) for address in lists]
    more = [add_player(world.game, f"Player {number}") for number in range(8)]
    for number, player in enumerate(more, start=100):
        queue = Queue.objects.create(ladder=world.ladder, slug=f"q{number}", name=f"Q{number}")
        TicketMember.objects.create(ticket=Ticket.objects.create(queue=queue), player=player)
        AuditEntry.objects.create(
            actor=User.objects.create_user(f"u{number}"), action="x", target_type="y", target_id="1"
        )
    after = [count_queries(client, address) for address in lists]
    assert after == before


def test_a_player_s_page_shows_ratings_and_latest_changes(world: World, client: Client) -> None:
    page = client.get(page_of(world.anna)).content.decode()
    assert "1532.0" in page
    assert "+8.0" in page
    assert "Blitz · elo" in page


@pytest.mark.parametrize(
    ("language", "shape"),
    [
        ("en", r"\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC"),
        ("de", r"\d\d\.\d\d\.\d{4}, \d\d:\d\d UTC"),
    ],
)
def test_moments_have_one_form_and_their_zone(
    world: World, client: Client, language: str, shape: str
) -> None:
    asked = {"accept-language": language}
    match = Match.objects.get(ladder_seq=1)
    for thing in (world.anna, match):
        page = client.get(page_of(thing), headers=asked).content.decode()
        assert re.search(shape, page)
        assert not re.search(r"[ap]\.m\.|\d{4} \d\d:\d\d", page)


def test_rows_of_a_match_go_by_the_names_of_players(world: World, client: Client) -> None:
    match = Match.objects.get(ladder_seq=1)
    page = client.get(page_of(match)).content.decode()
    rows = re.findall(r'<td class="original">\s*<p>\s*(.*?)\s*</p>', page, re.DOTALL)
    assert {row.strip() for row in rows} >= {"Anna", "Boris"}
    assert f"in {match.pk}" not in page


def test_a_player_s_page_shows_ratings_of_normal_mode_to_who_may_view_matches(world: World) -> None:
    Ladder.objects.update(mode=Mode.NORMAL)

    def shown_to(*codenames: str) -> str:
        return staff(*codenames).get(page_of(world.anna)).content.decode()

    page = shown_to("view_player")
    assert "Anna" in page
    assert "1532.0" not in page
    assert "+8.0" not in page
    page = shown_to("view_player", "view_match")
    assert "1532.0" in page
    assert "+8.0" in page


def test_pages_link_to_what_their_reader_may_open(world: World, client: Client) -> None:
    match = Match.objects.order_by("pk")[0]
    for thing, right in ((world.anna, "view_player"), (match, "view_match")):
        alone = staff(right)
        shown = alone.get(page_of(thing)).content.decode()
        links = set(re.findall(r'href="(/admin/ratings/[^"?]+)', shown))
        assert links
        assert {link for link in links if alone.get(link).status_code != 200} == set()
        all_links = client.get(page_of(thing)).content.decode()
        for model in (RatingChange, Player if thing == match else Match):
            assert list_of(model) in all_links


def test_a_match_s_page_shows_who_played_and_what_changed(world: World, client: Client) -> None:
    page = client.get(page_of(Match.objects.get(ladder_seq=1))).content.decode()
    assert "Boris" in page
    assert "−8.0" in page


def test_matches_are_filtered_by_ladder_and_state(world: World, client: Client) -> None:
    address = list_of(Match)
    both: dict[str, str | int] = {
        "ladder__id__exact": world.ladder.pk,
        "state__exact": MatchState.CONFIRMED,
    }
    assert client.get(address, both).context["cl"].result_count == 4
    none: dict[str, str | int] = {**both, "state__exact": MatchState.DISPUTED}
    assert client.get(address, none).context["cl"].result_count == 0
    played = {"participants__player__id__exact": world.anna.pk}
    assert client.get(address, played).context["cl"].result_count == 4


def test_tracks_of_one_system_are_told_apart(world: World, client: Client) -> None:
    create_track(
        ladder=world.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=True,
        facet=Facet.MAP,
    )
    for address in (list_of(RatingTrack), page_of(world.ladder)):
        assert "Elo (each map)" in client.get(address).content.decode(), address


def test_the_page_of_a_track_says_in_words_when_it_is_due(world: World, client: Client) -> None:
    assert "30 Apr 2024, 00:00 UTC" in client.get(page_of(world.glicko)).content.decode()


def test_the_ledger_is_filtered_by_track_and_player(world: World, client: Client) -> None:
    address = list_of(RatingChange)
    assert client.get(address, {"track": world.elo.pk}).context["cl"].result_count == 8
    assert client.get(address, {"track": world.glicko.pk}).context["cl"].result_count == 0
    assert client.get(address, {"q": "ann"}).context["cl"].result_count == 4
    one = {"player__id__exact": world.anna.pk}
    assert client.get(address, one).context["cl"].result_count == 4


@pytest.mark.parametrize("term", ["Ánna", "ANN", "anna"])
def test_players_are_found_by_the_beginning_of_a_name(client: Client, term: str) -> None:
    found = client.get(list_of(Player), {"q": term}).context["cl"].result_list
    assert [player.name for player in found] == ["Anna"]


def test_players_are_found_by_number(world: World, client: Client) -> None:
    found = client.get(list_of(Player), {"q": str(world.boris.pk)}).context["cl"].result_list
    assert world.boris in found


def test_a_long_list_says_that_it_is_cut(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    page = client.get(list_of(RatingChange))
    assert "can be paged through" not in page.content.decode()
    monkeypatch.setattr(BoundedPaginator, "LIMIT", 5)
    page = client.get(list_of(RatingChange))
    assert "Only the first 5 rows can be paged through." in page.content.decode()
    assert page.context["cl"].result_count == 5


def players_listed(client: Client, **asked: str) -> list[Player]:
    return list(client.get(list_of(Player), asked).context["cl"].result_list)


def test_exact_names_and_ids_come_before_others(world: World, client: Client) -> None:
    for name in ("p10", "p1", "Tom p1"):
        enrol(game=world.game, external_id=f"id {name}", name=name)
    enrol(game=world.game, external_id="P1", name="Zed")
    found = players_listed(client, q="p1")
    assert [player.name for player in found] == ["p1", "p10", "Tom p1"]
    found = players_listed(client, q="P1")
    assert [player.name for player in found] == ["Zed", "p1", "p10", "Tom p1"]


def test_names_that_look_alike_are_listed(world: World, client: Client) -> None:
    ann, bob = (
        make_player(game=world.game, user=User.objects.create_user(name), name=name)
        for name in ("first", "second")
    )
    enrol(game=world.game, external_id=bob.external_id, name="FIRST")
    enrol(game=world.game, external_id="x", name="Änna")
    # One account alone, which looks like a player whom the game has brought, shares its name with no other account.
    Player.objects.filter(pk=world.anna.pk).update(user=User.objects.create_user("anna"))
    accounts = players_listed(client, alike="accounts")
    assert [player.pk for player in accounts] == [ann.pk, bob.pk]
    everybody = players_listed(client, alike="any")
    assert {player.name for player in everybody} == {"first", "FIRST", "Anna", "Änna"}


def test_a_name_that_an_operator_gives_is_cleaned(world: World, client: Client) -> None:
    player = world.anna
    values = {"external_id": player.external_id, "name": "\u202eEvil\u200b", "user": ""}
    client.post(page_of(player), values)
    player.refresh_from_db()
    assert player.name == "Evil"


def test_what_others_have_is_refused_in_words(world: World, client: Client) -> None:
    player, other = world.anna, world.boris
    account = User.objects.create_user("carla")
    Player.objects.filter(pk=other.pk).update(user=account)
    values = {"external_id": other.external_id, "name": player.name, "user": str(account.pk)}
    text = client.post(page_of(player), values).content.decode()
    assert "Another player has this id." in text
    assert "This account already has a player in this game." in text
    Player.objects.filter(pk=player.pk).update(kind="clan")
    values |= {"external_id": player.external_id, "user": str(User.objects.create_user("dora").pk)}
    assert (
        "Only a person can have an account."
        in client.post(page_of(player), values).content.decode()
    )
    player.refresh_from_db()
    assert player.user is None
