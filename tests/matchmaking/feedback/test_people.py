"""Feedback as what is kept of people: in the data of its author alone, gone with either; and what operators see."""

import pytest
from django.test import Client

from accounts.models import User
from api.site.delete_person import delete_player
from api.site.own_data import own_data
from foundation import clock
from matchmaking.models import Feedback, TasteModel
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import make_account, words_of

pytestmark = pytest.mark.django_db


def say(hall: Hall, author: int, subject: int, *tags: str) -> None:
    Feedback.objects.create(
        game_id=hall.players[0].game_id,
        author=hall.players[author],
        subject=hall.players[subject],
        enjoyed=not tags,
        tags=list(tags),
    )


def test_own_data_has_what_one_said_and_not_what_was_said() -> None:
    hall = make_hall(3)
    make_account(hall, 0, "anna")
    say(hall, 0, 1, "obscene")
    say(hall, 2, 0, "aggressive")
    (player,) = own_data(User.objects.get(username="anna"))["players"]
    (said,) = player["feedback"]
    assert (said["subject"], said["enjoyed"], said["tags"]) == (
        hall.players[1].pk,
        False,
        ["obscene"],
    )
    assert "aggressive" not in str(player)


def test_it_goes_with_either_person() -> None:
    hall = make_hall(3)
    for author, subject in ((0, 1), (1, 0), (1, 2)):
        say(hall, author, subject)
    delete_player(hall.players[0], by=None)
    assert list(Feedback.objects.values_list("author", "subject")) == [
        (hall.players[1].pk, hall.players[2].pk)
    ]


def test_the_page_of_a_queue_says_which_is_used_and_how_well_it_foretells() -> None:
    hall = make_hall(2)
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss", "boss@example.org", "difference"))
    page = f"/admin/matchmaking/queue/{hall.queue.pk}/change/"
    assert "Nobody in this game has said yet" in words_of(boss, page)
    say(hall, 0, 1)
    assert "Searches go by likes and dislikes" in words_of(boss, page)
    TasteModel.objects.create(
        game_id=hall.players[0].game_id,
        version=1,
        made_at=clock.now(),
        feedback=900,
        held_out=900,
        auc_graph=0.531,
        auc_learned=0.642,
        gain_at_least=0.071,
        is_used=True,
        vectors=b"",
    )
    told = words_of(boss, page)
    assert "Searches go by what was learned" in told
    for figure in ("0.531", "0.642", "0.071", "900 words"):
        assert figure in told
    hall.queue.settings = {"taste": {"use": "off"}}
    hall.queue.save()
    assert "this queue does not go by it" in words_of(boss, page)
