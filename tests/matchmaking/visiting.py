"""Accounts that visit the pages for players, and what they do there."""

import html
import re
from typing import Any

from django.test import Client

from accounts.models import User
from matchmaking.models import Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches import report
from ratings.models import Match, Outcome
from tests.matchmaking.hall import Hall

HTMX = {"HX-Request": "true"}


def make_account(hall: Hall, number: int, name: str) -> Client:
    """Sign in an account that owns a player of the hall."""
    user = User.objects.create_user(name, password="a good password")
    player = hall.players[number]
    player.user = user
    player.call(name.capitalize())
    player.save()
    client = Client()
    client.force_login(user)
    return client


def queue_page_of(hall: Hall) -> str:
    return f"/play/in/{hall.queue.slug}/"


def text_of(client: Client, address: str, **more: Any) -> str:
    answer = client.get(address, **more)
    assert answer.status_code == 200, answer.content.decode()[:300]
    return str(answer.content.decode())


def words_of(client: Client, address: str, **more: str) -> str:
    """The page without its tags, as it is read."""
    text = re.sub(r"<[^>]+>", " ", text_of(client, address, headers=more))
    return re.sub(r"\s+", " ", html.unescape(text))


def stage_of(client: Client, hall: Hall) -> str:
    found = re.search(r'data-stage="([a-z.]+)"', text_of(client, queue_page_of(hall)))
    assert found is not None
    return found[1]


def search(hall: Hall, *numbers: int) -> list[Ticket]:
    return [lifecycle.join(queue=hall.queue, player=hall.players[n]) for n in numbers]


def meet(hall: Hall) -> Match:
    """Let players 0 and 1 be in a match."""
    tickets = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    for ticket in tickets:
        offer = offers.accept(ticket_id=ticket.pk)
    assert offer.match is not None
    return offer.match


def say(match: Match, hall: Hall, number: int, outcome: Outcome) -> None:
    report.report(match_id=match.pk, player_id=hall.players[number].pk, outcome=outcome)


def accounts(hall: Hall, *names: str) -> list[Client]:
    """One of each name, of the hall's first players."""
    return [make_account(hall, number, name) for number, name in enumerate(names)]
