"""Two players are given to one account at the same moment: one is, and whoever gave the other is told why not."""

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.models import Game, Player
from ratings.players.accounts import give_to
from ratings.players.enrol import enrol
from tests.accounts.waiting import waiting_for_us

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("page", "words"),
    [("move", "plays this game as one"), ("change", "Somebody else has changed a player")],
)
def test_the_second_is_told(page: str, words: str) -> None:
    client, ann = Client(), User.objects.create_user("ann")
    client.force_login(User.objects.create_superuser("olga"))
    game = Game.objects.create(slug="go", name="Go")
    one, two = (enrol(game=game, external_id=name)[0] for name in ("one", "two"))
    address = reverse(f"admin:ratings_player_{page}", args=[two.pk])
    opened = client.get(address).context.get("opened_as", "")
    form = {"external_id": "two", "name": "two", "user": ann.pk, "opened_as": opened}
    sent = {"account": "ann", "note": "x"} if page == "move" else form

    def give() -> Any:
        return client.post(address, sent)

    with waiting_for_us(give) as answers:
        give_to(Player.objects.select_for_update().get(pk=one.pk), ann)
    (answer,) = answers
    assert answer.status_code == 302
    assert words in " ".join(map(str, get_messages(answer.wsgi_request)))
    assert list(Player.objects.filter(user=ann)) == [one]
