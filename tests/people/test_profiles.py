"""Profiles: who sees what, on pages and by API, and queues that go by them."""

import html

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_player
from people import befriend
from people.models import Profile, ProfileTag, Tag
from people.profiles import profile_of, shown_profile, tags_of, tell, told_for_matching
from people.refusals import UnknownTagError
from ratings.models import Player
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import make_account, text_of

pytestmark = pytest.mark.django_db


def tags(hall: Hall, *slugs: str) -> list[Tag]:
    game = hall.players[0].game
    return [Tag.objects.create(game=game, slug=slug, name=slug.title()) for slug in slugs]


def told(player: Player) -> None:
    tell(
        player=player,
        told={
            "country": "DE",
            "country_told": "everyone",
            "age_group": "25-34",
            "age_group_told": "friends",
            "plays_for": "fun",
            "plays_for_told": "matching",
        },
    )


def test_each_part_is_seen_by_those_it_is_for() -> None:
    hall = make_hall(1)
    (anna,) = hall.players
    told(anna)
    seen = [
        (shown.country, shown.age_group, shown.plays_for)
        for shown in (
            shown_profile(anna.pk),
            shown_profile(anna.pk, to_friend=True),
            shown_profile(anna.pk, to_self=True),
            shown_profile(anna.pk, only_friends=True),
        )
    ]
    assert seen == [
        ("DE", "", ""),
        ("DE", "25-34", ""),
        ("DE", "25-34", "fun"),
        ("", "25-34", ""),
    ]
    assert told_for_matching([anna.pk], "plays_for") == {anna.pk: {"fun"}}


def test_the_page_of_a_player_shows_what_its_reader_may_see() -> None:
    hall = make_hall(3)
    anna, bernd, carla = (make_account(hall, n, name) for n, name in enumerate("abc"))
    one, friend, _other = hall.players
    told(one)
    befriend.befriend(player=friend, other=one)
    befriend.befriend(player=one, other=friend)
    page = f"/players/{one.pk}/"
    for client, friends_part in ((bernd, True), (carla, False), (Client(), False)):
        text = html.unescape(text_of(client, page))
        assert "Country:" in text
        assert ("25 to 34" in text) == friends_part
        assert "Plays for:" not in text
    assert anna.get(page).status_code == 200


def test_the_form_keeps_what_is_typed_and_refuses_the_rest() -> None:
    hall = make_hall(2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    own = hall.players[0]
    tags(hall, "evenings", "chatty")
    address = reverse("profile", args=[own.pk])
    given = {
        "country": "DE",
        "age_group": "",
        "plays_for": "company",
        "tags": ["evenings"],
        **{f"{name}_told": "everyone" for name in ("country", "age_group", "plays_for", "tags")},
    }
    assert anna.post(address, given).status_code == 302
    assert (profile_of(own.pk).country, profile_of(own.pk).plays_for) == ("DE", "company")
    assert [tag.slug for tag in tags_of(own.pk)] == ["evenings"]
    assert anna.post(address, {**given, "country": "D1"}).status_code == 422
    assert anna.post(address, {**given, "tags": ["unheard-of"]}).status_code == 422
    assert anna.post(address, {**given, "country": "XX"}).status_code == 422
    assert profile_of(own.pk).country == "DE"
    assert "Country: Germany" in text_of(Client(), f"/players/{own.pk}/")
    page = anna.get(address, headers={"accept-language": "de"}).content.decode()
    assert page.index(">Oman<") < page.index(">Österreich<") < page.index(">Panama<")
    assert "Evenings" in text_of(Client(), f"/players/{own.pk}/")
    assert bernd.get(address).status_code == 404


def test_tags_are_those_the_game_offers_and_stay_with_who_has_them() -> None:
    hall = make_hall(1)
    (anna,) = hall.players
    evenings, _chatty = tags(hall, "evenings", "chatty")
    tell(player=anna, told={}, tags=["evenings"])
    Tag.objects.filter(pk=evenings.pk).update(offered=False)
    tell(player=anna, told={}, tags=["evenings", "chatty"])
    assert told_for_matching([anna.pk], "tags") == {anna.pk: {"evenings", "chatty"}}
    tell(player=anna, told={}, tags=["chatty"])
    with pytest.raises(UnknownTagError):
        tell(player=anna, told={}, tags=["evenings"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Profile.objects.filter(player=anna).update(country="de")


def test_nothing_is_left_of_who_is_deleted() -> None:
    hall = make_hall(1)
    (anna,) = hall.players
    tags(hall, "evenings")
    told(anna)
    tell(player=anna, told={}, tags=["evenings"])
    delete_player(anna, by=None)
    assert not Profile.objects.exists()
    assert not ProfileTag.objects.exists()


def test_operators_offer_tags_and_take_them_out_of_the_offer() -> None:
    hall = make_hall(1)
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    given = {
        "game": hall.players[0].game_id,
        "slug": "evenings",
        "name": "Evenings",
        "offered": "on",
    }
    assert client.post(reverse("admin:people_tag_add"), given).status_code == 302
    tag = Tag.objects.get()
    client.post(reverse("admin:people_tag_change", args=[tag.pk]), {"name": "Evenings"})
    assert not Tag.objects.get().offered
    assert AuditEntry.objects.filter(target_type="people.tag").count() == 2
    assert client.get(reverse("admin:people_tag_delete", args=[tag.pk])).status_code == 403


@pytest.mark.parametrize(("by", "meet"), [("country", {0, 2}), ("tags", {1, 2})])
def test_a_queue_goes_by_what_is_told_whoever_sees_it(by: str, meet: set[int]) -> None:
    hall = make_hall(3, settings={"alike": {"use": "must", "by": by}})
    tags(hall, "evenings", "mornings")
    for player, country, tag in zip(
        hall.players, ("DE", "FR", "DE"), ("mornings", "evenings", "evenings"), strict=True
    ):
        tell(player=player, told={"country": country, "country_told": "matching"}, tags=[tag])
    hall.join(0, 1, 2)
    hall.sweep()
    assert hall.pairs() == {frozenset(meet)}


def test_who_tells_nothing_meets_anyone() -> None:
    hall = make_hall(2, settings={"alike": {"use": "must", "by": "country"}})
    tell(player=hall.players[0], told={"country": "DE"})
    hall.join(0, 1)
    hall.sweep()
    assert hall.pairs() == {frozenset({0, 1})}
