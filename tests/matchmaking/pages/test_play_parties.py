"""The pages for parties: opening, inviting, joining, leading, and searching together; without JavaScript."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matchmaking.models import Party, PartyMember, Queue, Ticket, TicketState
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep import run as sweep
from ratings.models import Ladder, Match, Player
from tests.matchmaking.squads import gather, make_team_hall, members, search_together
from tests.matchmaking.visiting import (
    HTMX,
    accounts,
    make_account,
    queue_page_of,
    stage_of,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db


def test_a_party_is_opened_and_shared() -> None:
    hall = make_team_hall()
    anna, bernd = accounts(hall, "anna", "bernd")
    assert "Play with friends" in words_of(anna, queue_page_of(hall))
    assert anna.post(f"{queue_page_of(hall)}party/").status_code == 302
    party = Party.objects.get()
    text = text_of(anna, queue_page_of(hall))
    invitation = f"/play/party/{party.code}/"
    assert f'value="http://testserver{invitation}"' in text
    assert f"{party.code[:5]}-{party.code[5:]}" in text
    asked = words_of(bernd, invitation)
    assert "Play Go with Anna" in asked
    assert "Join as Bernd" in asked
    assert members(hall, party) == [0]  # looking is not joining
    joined = bernd.post(f"{invitation}join/", follow=True)
    assert joined.redirect_chain[-1][0] == queue_page_of(hall)
    assert "You&#x27;re in the party." in joined.content.decode()
    assert members(hall, party) == [0, 1]
    assert bernd.get(invitation).headers["Location"] == queue_page_of(hall)


def test_a_typed_code_leads_to_the_invitation() -> None:
    hall = make_team_hall()
    (anna,) = accounts(hall, "anna")
    answer = anna.get("/play/party/", {"code": "abcde-fghjk"})
    assert answer.headers["Location"] == "/play/party/ABCDEFGHJK/"
    assert anna.get(answer.headers["Location"]).status_code == 404
    assert anna.get("/play/party/", {"code": "--"}).headers["Location"] == "/play/"
    way_in = Client().get("/play/party/ABCDEFGHJK/").headers["Location"]
    assert way_in.startswith("/accounts/login/?next=/play/party/")


def test_a_stranger_takes_a_name_and_comes_back_to_the_invitation() -> None:
    hall = make_team_hall()
    party = gather(hall, 0)
    client, path = Client(), f"/play/party/{party.code}/"
    client.force_login(User.objects.create_user("carla"))
    assert f'name="then" value="{path}"' in text_of(client, path)
    client.post(f"{path}join/")  # without a player nothing happens
    named = {"name": "Carla", "then": path}
    answer = client.post(f"{queue_page_of(hall)}player/", named)
    assert answer.headers["Location"] == path
    # Pressed twice, it leads back all the same.
    again = client.post(f"{queue_page_of(hall)}player/", named)
    assert again.headers["Location"] == path
    client.post(f"{path}join/")
    assert PartyMember.objects.filter(party=party, player__name="Carla").exists()


def test_who_cannot_join_is_told_why() -> None:
    hall = make_team_hall()
    anna, bernd, carla = accounts(hall, "anna", "bernd", "carla")
    full, other = gather(hall, 0, 1), gather(hall, 3)
    path = f"/play/party/{full.code}/"
    assert "This party is full" in words_of(carla, path)
    carla.post(f"{path}join/")
    assert "This party is full" in words_of(carla, path)
    assert "You're already in a party" in words_of(anna, f"/play/party/{other.code}/")
    parties.leave_party(party_id=other.pk, player=hall.players[3])
    gone = bernd.get(f"/play/party/{other.code}/")
    assert (gone.status_code, b"This invitation is no longer valid" in gone.content) == (404, True)


def test_the_leader_hands_over_and_removes() -> None:
    hall = make_team_hall(size=3)
    anna, bernd, _carla = accounts(hall, "anna", "bernd", "carla")
    party, back = gather(hall, 0, 1, 2), {"queue": hall.queue.slug}
    path, (_own, second, third) = f"/play/parties/{party.pk}", (one.pk for one in hall.players[:3])
    assert f'action="{path}/remove/"' in text_of(anna, queue_page_of(hall))
    assert f'action="{path}/remove/"' not in text_of(bernd, queue_page_of(hall))
    bernd.post(f"{path}/remove/", {**back, "member": third})
    assert "Only the leader of the party can do this." in words_of(bernd, queue_page_of(hall))
    answer = anna.post(f"{path}/lead/", {**back, "member": second})
    assert answer.headers["Location"] == queue_page_of(hall)
    assert Party.objects.get().leader_id == second
    bernd.post(f"{path}/remove/", {**back, "member": third})
    assert members(hall, party) == [0, 1]
    anna.post(f"{path}/leave/", back)
    assert members(hall, party) == [1]
    assert anna.post(f"{path}/remove/", {"member": "x"}).headers["Location"] == "/play/"
    assert members(hall, party) == [1]


def test_nobody_acts_in_a_party_of_another_game() -> None:
    hall, elsewhere = make_team_hall(), make_team_hall()
    stranger = make_account(elsewhere, 0, "stranger")
    party = gather(hall, 0, 1)
    for act in ("leave", "remove", "lead"):
        assert stranger.post(f"/play/parties/{party.pk}/{act}/").status_code == 404
    assert members(hall, party) == [0, 1]
    assert "Carla" not in words_of(stranger, f"/play/party/{party.code}/")


def test_the_leader_searches_and_all_see_it_and_can_stop_it() -> None:
    hall = make_team_hall()
    anna, bernd = accounts(hall, "anna", "bernd")
    gather(hall, 0, 1)
    assert "Find a match for 2" in words_of(anna, queue_page_of(hall))
    waiting = words_of(bernd, queue_page_of(hall))
    assert "Anna leads the party and searches for everyone." in waiting
    assert "Find a match" not in waiting
    bernd.post(f"{queue_page_of(hall)}search/")
    assert not Ticket.objects.exists()
    assert "Only the leader" in words_of(bernd, queue_page_of(hall))
    anna.post(f"{queue_page_of(hall)}search/")
    ticket = Ticket.objects.get()
    assert (stage_of(anna, hall), stage_of(bernd, hall)) == ("searching", "searching")
    assert "Anna is searching for your party" in words_of(bernd, queue_page_of(hall))
    bernd.post(f"/play/tickets/{ticket.pk}/cancel/")
    ticket.refresh_from_db()
    assert ticket.state == TicketState.CANCELLED
    assert stage_of(anna, hall) == "idle"


def test_a_party_that_does_not_fit_is_told_so() -> None:
    hall = make_team_hall(size=2)
    Ladder.objects.create(game=hall.ladder.game, slug="large", name="Large", team_size=3)
    (anna,) = accounts(hall, "anna")
    gather(hall, 0, 1, 2)
    text = words_of(anna, queue_page_of(hall))
    assert "Your party has 3 members, and teams here have 2." in text
    assert "Find a match" not in text


def test_who_is_in_a_party_searches_duels_alone() -> None:
    hall = make_team_hall()
    duels = Ladder.objects.create(game=hall.ladder.game, slug="duels", name="Duels")
    queue = Queue.objects.create(ladder=duels, slug="duels", name="Duels")
    (anna,) = accounts(hall, "anna")
    gather(hall, 0, 1)
    text = words_of(anna, "/play/in/duels/")
    assert "Your party" not in text
    anna.post("/play/in/duels/search/")
    ticket = Ticket.objects.get()
    assert (ticket.queue, ticket.party, ticket.members.count()) == (queue, None, 1)


def test_an_offer_tells_how_many_and_not_who() -> None:
    hall = make_team_hall()
    anna, bernd, *_ = accounts(hall, "anna", "bernd", "carla", "dora")
    own = search_together(hall, gather(hall, 0, 1))
    other = search_together(hall, gather(hall, 2, 3))
    assert sweep.run_queue(hall.queue.pk).offers == 1
    text = words_of(bernd, queue_page_of(hall))
    assert "0 of 4 have accepted" in text
    assert "Your party answers as one" in text
    for name in ("Carla", "Dora"):
        assert name not in text
    bernd.post(f"/play/tickets/{own.pk}/accept/", {"offer": own.offers.get().offer_id})
    assert stage_of(anna, hall) == "accepted"
    assert "2 of 4 have accepted" in words_of(anna, queue_page_of(hall))
    offers.accept(ticket_id=other.pk)
    text = words_of(anna, queue_page_of(hall))
    assert "Your match begins" in text
    assert "Your team Anna" in text
    assert "The other team Carla" in text
    assert "We won" in text
    match = Match.objects.get()
    anna.post(f"/play/matches/{match.pk}/report/", {"outcome": "won", "queue": hall.queue.slug})
    assert "“We won.”" in text_of(anna, queue_page_of(hall))


def test_a_party_is_told_when_one_of_it_declines() -> None:
    hall = make_team_hall()
    anna, bernd, carla, _dora = accounts(hall, "anna", "bernd", "carla", "dora")
    own = search_together(hall, gather(hall, 0, 1))
    search_together(hall, gather(hall, 2, 3))
    sweep.run_queue(hall.queue.pk)
    words = "Your party's search has ended: one of you declined the match."
    bernd.post(f"/play/tickets/{own.pk}/decline/", {"offer": own.offers.get().offer_id})
    assert words in words_of(anna, queue_page_of(hall))
    assert "one of you declined" not in words_of(carla, queue_page_of(hall))
    assert stage_of(carla, hall) == "searching"


def test_the_box_follows_what_others_do() -> None:
    hall = make_team_hall()
    anna, _bernd = accounts(hall, "anna", "bernd")
    party = gather(hall, 0)
    text = text_of(anna, queue_page_of(hall))
    assert f'data-live="player:{hall.players[0].pk}"' in text
    again = re.search(r'id="stage"[^>]+hx-get="([^"]+)"', text)
    assert again is not None
    address = html.unescape(again[1])
    assert anna.get(address, headers=HTMX).status_code == 204
    parties.join_party(player=hall.players[1], code=party.code)
    news = anna.get(address, headers=HTMX)
    assert news.status_code == 200
    assert "Bernd" in news.content.decode()


def test_larger_parties_need_no_more_queries() -> None:
    hall = make_team_hall(9, size=8)
    (anna,) = accounts(hall, "anna")
    party = gather(hall, 0, 1)
    few = (
        count_queries(anna, queue_page_of(hall)),
        count_queries(anna, f"/play/party/{party.code}/"),
    )
    for number in range(2, 8):
        parties.join_party(player=hall.players[number], code=party.code)
    more = (
        count_queries(anna, queue_page_of(hall)),
        count_queries(anna, f"/play/party/{party.code}/"),
    )
    assert more <= few


def count_queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return len(queries)


def test_visitors_are_sent_to_sign_in() -> None:
    hall = make_team_hall()
    party = gather(hall, 0)
    for path in (
        f"{queue_page_of(hall)}party/",
        f"{queue_page_of(hall)}options/",
        f"/play/parties/{party.pk}/leave/",
        f"/play/party/{party.code}/join/",
        f"/play/avoided/{hall.players[0].pk}/",
    ):
        client = Client()
        answer = client.post(path)
        assert answer.headers["Location"] == "/accounts/login/?next=/play/"
        sign_in = client.get("/accounts/login/").content.decode()
        assert "You&#x27;re not signed in, so nothing was changed." in sign_in
    assert Player.objects.filter(user__isnull=False).count() == 0


SIDED = {"maps": {"names": "Canyon +40"}}


@pytest.mark.parametrize(
    ("mode", "rating"), [("ranked", 1700.0), ("ranked", 1500.0), ("normal", 1700.0)]
)
def test_map_and_side_are_told(mode: str, rating: float) -> None:
    hall = make_team_hall(mode=mode, settings=SIDED, gap_start=1000)
    anna, _bernd, carla = accounts(hall, "anna", "bernd", "carla")
    hall.rate({0: rating, 1: rating, 2: 1500.0, 3: 1500.0})
    tickets = [search_together(hall, gather(hall, one, one + 1)) for one in (0, 2)]
    sweep.run_queue(hall.queue.pk)
    for ticket in tickets:
        offers.accept(ticket_id=ticket.pk)
    strong, weak = words_of(anna, queue_page_of(hall)), words_of(carla, queue_page_of(hall))
    assert "Map Canyon" in strong
    if rating == 1500.0:
        assert "You're equally strong, so the sides were drawn by lot" in strong
    elif mode == "ranked":
        assert "The weaker players get the better side" in strong
        assert "The others play the better side" in strong
        assert "You play the better side" in weak
    else:
        assert "better" not in strong + weak
        told = {
            tuple(f"the {one} side" in text for one in ("first", "second"))
            for text in (strong, weak)
        }
        assert told == {(True, False), (False, True)}
