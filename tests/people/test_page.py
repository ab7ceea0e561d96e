"""The page of people: what stands there, what its buttons do, and who is told what."""

import html

import pytest
from django.test import Client

from matchmaking.avoid_list import avoid
from people import befriend, blocks
from people.models import Block, Follow
from people.ties import Relation, relation
from people.wishes import wishes_of
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, text_of, words_of

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


def shown(client: Client, address: str = "/people/") -> str:
    return html.unescape(text_of(client, address))


def test_the_page_says_what_each_does_and_shows_all_lists() -> None:
    hall = make_hall(6)
    anna = make_account(hall, 0, "anna")
    own, *others = hall.players
    befriend.befriend(player=others[0], other=own)
    befriend.befriend(player=own, other=others[1])
    befriend.follow(player=own, other=others[2])
    blocks.block(player=own, other=others[3])
    anna.post(f"/play/avoided/{others[4].pk}/")
    text = shown(anna)
    for one in others:
        assert one.name in text
    for word in ("One-sided", "One asks, the other agrees", "rather not play", "never told"):
        assert word in text
    assert Client().get("/people/").status_code == 302


def test_buttons_go_all_the_way() -> None:
    hall = make_hall(2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    one, other = hall.players
    page = f"/players/{other.pk}/"
    assert "Ask to be friends" in shown(anna, page)
    answer = anna.post(f"/people/{other.pk}/friend/", {"back": page})
    assert answer.headers["Location"] == page
    assert "Withdraw request" in shown(anna, page)
    assert "They ask to be friends" in shown(bernd)
    bernd.post(f"/people/{one.pk}/friend/")
    assert relation(one.pk, other.pk) == Relation(is_friend=True)
    anna.post(f"/people/{other.pk}/follow/")
    assert Follow.objects.get().followed == other
    anna.post(f"/people/{other.pk}/unfollow/")
    bernd.post(f"/people/{one.pk}/block/")
    assert relation(other.pk, one.pk) == Relation(blocks=True)
    # Nothing on her pages tells her: she is offered what she was offered before.
    assert "Ask to be friends" in shown(anna, page)
    anna.post(f"/people/{other.pk}/friend/", {"back": page})
    text = shown(anna, page)
    assert "This player isn't open to that right now." in text
    assert "locked" not in text.replace("Block", "")
    bernd.post(f"/people/{one.pk}/unblock/")
    assert not Block.objects.exists()
    anna.post(f"/people/{other.pk}/friend/")
    anna.post(f"/people/{other.pk}/part/")
    assert relation(one.pk, other.pk) == Relation()


def test_who_may_turn_to_one_is_chosen_there() -> None:
    hall = make_hall(2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    own = hall.players[0]
    chosen = {"write": "friends", "challenge": "nobody", "see": "everyone", "ask": "nobody"}
    assert anna.post(f"/people/contact/{own.pk}/", chosen).status_code == 302
    wishes = wishes_of(own.pk)
    assert {name: getattr(wishes, name) for name in chosen} == chosen
    anna.post(f"/people/contact/{own.pk}/", {**chosen, "write": "all"})
    assert wishes_of(own.pk).write == "friends"
    assert bernd.post(f"/people/contact/{own.pk}/", chosen).status_code == 404


def test_lists_are_fetched_anew_only_where_something_changed() -> None:
    hall = make_hall(2)
    anna = make_account(hall, 0, "anna")
    page = text_of(anna, "/people/")
    lists = page.partition('id="people"')[2]
    again = lists.partition('hx-get="')[2].partition('"')[0]
    address = html.unescape(again)
    assert anna.get(address, headers=PART).status_code == 204
    befriend.befriend(player=hall.players[1], other=hall.players[0])
    fetched = anna.get(address, headers=PART)
    assert fetched.status_code == 200
    assert "They ask to be friends" in fetched.content.decode()


def test_strangers_and_oneself_have_no_buttons() -> None:
    hall, elsewhere = make_hall(), make_hall()
    anna, foreigner = make_account(hall, 0, "anna"), make_account(elsewhere, 0, "fay")
    own, other = hall.players[:2]
    for client in (Client(), foreigner, anna):
        assert "Ask to be friends" not in shown(client, f"/players/{own.pk}/")
    assert foreigner.post(f"/people/{other.pk}/friend/").status_code == 404
    assert anna.post("/people/0/friend/").status_code == 404


def test_whom_one_blocks_is_not_offered_a_challenge_and_who_blocks_looks_like_anybody() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    own, other = hall.players[0], hall.players[1]
    page, offer = f"/players/{other.pk}/", f"/challenges/to/{other.pk}/"
    before = words_of(anna, page)
    assert offer in text_of(anna, page)
    blocks.block(player=other, other=own)
    assert words_of(anna, page) == before
    assert offer in text_of(anna, page)
    blocks.unblock(player=other, other_id=own.pk)
    blocks.block(player=own, other=other)
    assert offer not in text_of(anna, page)
    blocks.unblock(player=own, other_id=other.pk)
    avoid(player=own, other=other)
    assert offer not in text_of(anna, page)
