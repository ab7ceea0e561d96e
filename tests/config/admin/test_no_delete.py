"""No button of the administration deletes what has a history, whoever presses it."""

import pytest
from django.contrib import admin
from django.db import DatabaseError, connection, models, transaction
from django.test import RequestFactory

from accounts.models import User
from matchmaking.models import Queue, Ticket
from ratings.models import Game
from tests.leaderboards.site import make_site

pytestmark = pytest.mark.django_db

# These have no history of their own: rights, and addresses. Of accounts and players the row stays, and is emptied: see
# api.site.deletion_pages.
DELETABLE = {"auth.group", "account.emailaddress", "accounts.user", "ratings.player"}


def test_only_what_has_no_history_can_be_deleted() -> None:
    make_site(system="elo", days=None)
    request = RequestFactory().get("/")
    request.user = User.objects.create_superuser("olga")
    may = set()
    for model, page in admin.site._registry.items():
        thing: models.Model = model._default_manager.first() or model()
        if page.has_delete_permission(request, thing) or page.has_delete_permission(request):
            may.add(model._meta.label_lower)
    assert may - DELETABLE == set()


def test_a_game_goes_only_while_it_is_empty() -> None:
    request = RequestFactory().get("/")
    request.user = User.objects.create_superuser("olga")
    page = admin.site._registry[Game]
    site = make_site(system="elo", days=None)
    assert not page.has_delete_permission(request, site.arena.game)
    assert page.has_delete_permission(request, Game.objects.create(slug="empty", name="Empty"))


@pytest.mark.parametrize(
    "table",
    [
        "ratings_game", "ratings_ladder", "ratings_ratingtrack", "ratings_player", "ratings_match", "ratings_rating",
        "ratings_ratingchange", "matchmaking_queue",
    ],
)  # fmt: skip
def test_the_database_refuses_it_too(table: str) -> None:
    site = make_site(system="elo", days=None)
    queue = Queue.objects.create(ladder=site.arena.ladder, slug="lobby", name="Lobby")
    Ticket.objects.create(
        queue=queue, state="cancelled", waiting_since=site.now, seen_at=site.now, ended_at=site.now
    )
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"DELETE FROM {table}; SET CONSTRAINTS ALL IMMEDIATE")  # noqa: S608
