"""What a ticket can say over the API: wishes, parties, characters, roles, and what is told of an offer."""

from datetime import timedelta
from typing import Any

import pytest

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from foundation import clock
from matchmaking.models import Offer, Preference, Queue, Ticket
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep.run import run_queue
from matchmaking.tickets import lifecycle
from ratings.models import Facet, Ladder, Mode, Player, Rating, SanctionKind, SuspendedFrom
from ratings.players.enrol import enrol
from ratings.sanctions import impose
from ratings.tracks.parameters import create_track
from tests.api.world import World
from tests.ratings.plain import PLAIN

pytestmark = pytest.mark.django_db

WISHES = {
    "languages": ["DE", "en"],
    "regions": {"eu": 35, "us": None},
    "styles": ["attack"],
    "styles_wanted": ["defence"],
    "rules": ["no items"],
    "maps": {"veto": ["Moor"]},
    "own": {"mood": 3},
}
SETTINGS = {
    "language": {"use": "must"},
    "region": {"use": "drop", "names": "eu; eu/west; us"},
    "maps": {"names": "Canyon; Moor"},
    "teams": {"roles": "tank 1; healer 1"},
}


@pytest.fixture
def queue(world: World) -> Queue:
    """Two against two, on a ladder of normal mode."""
    ladder = Ladder.objects.create(
        game=world.game, slug="two", name="Two", team_size=2, mode=Mode.NORMAL
    )
    create_track(ladder=ladder, system="trueskill", parameters={}, period_days=None, shown=True)
    return Queue.objects.create(ladder=ladder, slug="two", name="Two", settings=SETTINGS)


def post(world: World, body: Any, status: int = 201, path: str = "tickets") -> Any:
    answer = world.call("POST", path, "server-all", body=body)
    assert answer.status_code == status, answer.content
    return answer.json()


def names(world: World, number: int) -> list[str]:
    """Ids in the game of players who have just come."""
    for place in range(number):
        enrol(game=world.game, external_id=f"new-{place}", name=f"New {place}")
    return [f"new-{place}" for place in range(number)]


def test_wishes_are_kept_and_shown(world: World, queue: Queue) -> None:
    (one,) = names(world, 1)
    body = {"queue": "two", "player": one, **WISHES, "character": "Mage", "roles": ["tank"]}
    ticket = post(world, body)
    assert ticket["wishes"] == {
        **WISHES,
        "languages": ["de", "en"],
        "regions": {"eu": 35.0, "us": None},
        "maps": {"veto": ["Moor"], "like": []},
        "own": {"mood": 3.0},
    }
    (player,) = ticket["players"]
    assert (player["character"], player["roles"]) == ("Mage", ["tank"])
    assert world.get(f"tickets/{ticket['id']}", "server-all")["wishes"] == ticket["wishes"]


def test_regions_may_be_a_list(world: World, queue: Queue) -> None:
    (one,) = names(world, 1)
    ticket = post(world, {"queue": "two", "player": one, "regions": ["eu"]})
    assert ticket["wishes"]["regions"] == {"eu": None}


@pytest.mark.parametrize(
    ("wish", "pointer", "words"),
    [
        ({"languages": ["german!"]}, "#/languages/0", "de or pt-br"),
        ({"languages": ["de"] * 21}, "#/languages", "20 at most"),
        ({"regions": {"eu": -1}}, "#/regions/eu", "from 0 to 5000"),
        ({"regions": ["mars"]}, "#/regions/0", "eu, eu/west, us"),
        ({"regions": "eu"}, "#/regions", "neither a list of regions"),
        ({"regions": {"eu/west": "fast"}}, "#/regions/eu~1west", "milliseconds"),
        ({"styles": ["x" * 41]}, "#/styles/0", "1 to 40"),
        ({"rules": [""]}, "#/rules/0", "1 to 40"),
        ({"maps": {"veto": ["Atlantis"]}}, "#/maps/veto/0", "Canyon, Moor"),
        ({"maps": {"veto": ["Canyon", "Moor"]}}, "#/maps/veto", "left to play on"),
        ({"maps": {"veto": ["Moor"], "like": ["Moor"]}}, "#/maps/like/0", "both vetoed and liked"),
        ({"own": {"mood": 1e12}}, "#/own/mood", "not a number from"),
        ({"roles": ["bard"]}, "#/roles/0", "tank, healer"),
        ({"character": "x" * 61}, "#/character", "at most 60"),
    ],
)
def test_what_cannot_be_wished_is_named(
    world: World, queue: Queue, wish: dict[str, Any], pointer: str, words: str
) -> None:
    (one,) = names(world, 1)
    problem = post(world, {"queue": "two", "player": one, **wish}, 422)
    assert (problem["code"], problem["errors"][0]["pointer"]) == ("wrong_wishes", pointer)
    assert words in problem["errors"][0]["detail"]
    assert not Ticket.objects.filter(queue=queue).exists()


def test_a_party_searches_as_one(world: World, queue: Queue) -> None:
    leader, other, third = Player.objects.filter(external_id__in=names(world, 3)).order_by("pk")
    with clock.at(world.site.now):
        party = parties.open_party(player=leader)
        parties.join_party(player=other, code=party.code)
    body = {"queue": "two", "player": leader.external_id, "party": party.pk}
    wrong = [{"member": other.pk, "roles": ["bard"]}]
    problem = post(world, {**body, "members": wrong}, 422)
    assert problem["errors"][0]["pointer"] == "#/members/0/roles/0"
    stranger = [{"member": third.pk}]
    assert post(world, {**body, "members": stranger}, 409)["code"] == "not_in_party"
    not_leading = {**body, "player": other.external_id}
    assert post(world, not_leading, 403)["code"] == "not_leader"
    chosen = [{"member": other.pk, "character": "Monk", "roles": ["healer"]}]
    ticket = post(world, {**body, "members": chosen})
    assert world.get("queues/two")["waiting"] == 2
    assert ticket["party"] == party.pk
    assert [(one["id"], one["character"], one["roles"]) for one in ticket["players"]] == [
        (leader.pk, "", []),
        (other.pk, "Monk", ["healer"]),
    ]
    problem = post(world, {"queue": "two", "player": other.external_id}, 409)
    assert (problem["code"], problem["ticket"]) == ("already_searching", ticket["id"])


def test_a_leader_makes_up_no_character_for_another(world: World, queue: Queue) -> None:
    """Everybody would read it as the other's; nor does it tell who is suspended from writing."""
    leader, other = Player.objects.filter(external_id__in=names(world, 2)).order_by("pk")
    with clock.at(world.site.now):
        party = parties.open_party(player=leader)
        parties.join_party(player=other, code=party.code)
    world.secrets["leader"] = issue_token(player=leader, name="own", scopes=PLAYER_SCOPES)[1]

    def search(character: str, status: int) -> Any:
        members = [{"member": other.pk, "character": character}]
        body = {"queue": "two", "party": party.pk, "members": members}
        answer = world.call("POST", "tickets", "leader", body=body)
        assert answer.status_code == status, answer.content
        return answer.json()

    def refused() -> str:
        problem = search("I cheat", 422)
        assert problem["errors"][0]["pointer"] == "#/members/0/character"
        return str(problem["detail"])

    before = refused()
    with clock.at(world.site.now):
        impose(
            player=other,
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.TALK,
            reason="Insults.",
            by=None,
        )
    assert refused() == before
    # One's own that nobody else plays is refused for everybody: somebody suspended may not write it any more.
    Preference.objects.create(player=other, queue=queue, character="I cheat", wishes={}, roles=[])
    assert refused() == before
    track = create_track(
        ladder=queue.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=False,
        facet=Facet.CHARACTER,
    )
    # Nor does the leader's own having played it make it the other's.
    given = {**PLAIN, "value": 1500.0, "revision": 1}
    Rating.objects.create(track=track, player=leader, facet="I cheat", **given)
    Preference.objects.all().delete()
    assert refused() == before
    Preference.objects.create(player=other, queue=queue, character="I cheat", wishes={}, roles=[])
    ticket = search("I cheat", 201)
    assert [one["character"] for one in ticket["players"]] == ["", "I cheat"]


def test_a_party_must_fit_and_be_free(world: World, queue: Queue) -> None:
    people = list(Player.objects.filter(external_id__in=names(world, 2)).order_by("pk"))
    with clock.at(world.site.now):
        party = parties.open_party(player=people[0])
        parties.join_party(player=people[1], code=party.code)
    body = {"queue": "two", "player": people[0].external_id, "party": party.pk}
    duel = Queue.objects.create(ladder=world.ladder, slug="one", name="One")
    problem = post(world, {**body, "queue": duel.slug}, 409)
    assert (problem["code"], problem["players"], problem["team_size"]) == ("party_too_large", 2, 1)
    elsewhere = post(world, {"queue": duel.slug, "player": people[1].external_id})
    problem = post(world, body, 409)
    assert (problem["code"], problem["player"], problem["ticket"]) == (
        "member_searching",
        people[1].pk,
        elsewhere["id"],
    )
    assert people[1].name in problem["detail"]


def test_an_offer_tells_who_meets_whom_and_where(world: World, queue: Queue) -> None:
    tickets = [
        post(world, {"queue": "two", "player": one, "character": f"Hero {place}"})
        for place, one in enumerate(names(world, 4))
    ]
    with clock.at(world.site.now):
        run_queue(queue.pk)
    offer = world.get(f"tickets/{tickets[0]['id']}", "server-all")["offer"]
    assert offer["map"] in {"Canyon", "Moor"}
    assert not offer["neutral"]
    teams = [team["players"] for team in offer["teams"]]
    own, other = teams[offer["team"]], teams[1 - offer["team"]]
    mine = tickets[0]["players"][0]["id"]
    assert mine in {one["id"] for one in own}
    assert {len(own), len(other)} == {2}
    assert all(one["character"].startswith("Hero") for one in own)
    assert [one["character"] for one in other] == [None, None]
    assert "chance" not in offer  # of a ladder whose ratings are hidden
    for ticket in tickets:
        last = post(world, {}, 200, f"tickets/{ticket['id']}/accept")
    match = world.get(f"matches/{last['match']}", "server-all")
    assert match["map"] == offer["map"]


def test_a_player_learns_who_it_is_with_the_last_acceptance(world: World) -> None:
    duel = Queue.objects.create(ladder=world.ladder, slug="one", name="One")
    (other,) = names(world, 1)
    world.anna.participations.update(playing=False)
    post(world, {}, 200, f"tickets/{world.ticket.pk}/cancel")
    told = world.call("POST", "tickets", "player-play", body={"queue": "one"}).json()
    post(world, {"queue": "one", "player": other, "character": "Mage"})
    Queue.objects.update(gap_start=5000)
    with clock.at(world.site.now):
        run_queue(duel.pk)
    offer = world.get(f"tickets/{told['id']}", "player-play")["offer"]
    own, theirs = offer["teams"][offer["team"]], offer["teams"][1 - offer["team"]]
    assert [one["id"] for one in own["players"]] == [world.anna.pk]
    assert theirs == {"size": 1, "players": None}


def test_a_queue_says_what_it_looks_at(world: World, queue: Queue) -> None:
    found = world.get("queues/two")
    assert {name: found[name] for name in ("strategy", "team_count", "team_size")} == {
        "strategy": "filters",
        "team_count": 2,
        "team_size": 2,
    }
    assert (found["roles"], found["maps"]) == ({"tank": 1, "healer": 1}, ["Canyon", "Moor"])
    assert (found["regions"], found["styles"], found["rules"]) == (["eu", "eu/west", "us"], [], [])
    assert found["looks_at"] == ["languages", "regions", "maps", "roles"]
    Queue.objects.update(strategy="fcfs")
    assert world.get("queues/two")["looks_at"] == ["maps", "roles"]


def test_a_server_asks_for_many_tickets_at_once(world: World, queue: Queue) -> None:
    """They are kept alive, and those that have ended are told of; what is not the game's is left out."""
    with clock.at(world.site.now):
        waits, ends, too = [
            post(world, {"queue": "two", "player": one})["id"] for one in names(world, 3)
        ]
        lifecycle.cancel(ticket_id=ends)
    both = Ticket.objects.filter(pk__in=[waits, too])
    both.update(seen_at=world.site.now - timedelta(minutes=1))
    asked = {"tickets": [ends, waits, too, waits, 10**9]}
    told = post(world, asked, 200, "tickets/heartbeat")["results"]
    assert told == [
        {"id": waits, "state": "waiting", "offer": None, "match": None},
        {"id": ends, "state": "cancelled", "offer": None, "match": None},
        {"id": too, "state": "waiting", "offer": None, "match": None},
    ]
    assert set(both.values_list("seen_at", flat=True)) == {world.site.now}
    strange = world.call("POST", "tickets/heartbeat", "other-server", body=asked)
    assert strange.json() == {"results": []}
    mine = {"tickets": [waits, world.ticket.pk]}
    alone = world.call("POST", "tickets/heartbeat", "player-play", body=mine).json()["results"]
    assert [one["id"] for one in alone] == [world.ticket.pk]


def test_offers_and_matches_of_many_tickets_are_told(world: World, queue: Queue) -> None:
    with clock.at(world.site.now):
        tickets = [post(world, {"queue": "two", "player": one})["id"] for one in names(world, 4)]
    with clock.at(world.site.now + timedelta(seconds=60)):
        run_queue(queue.pk)
        (offer,) = Offer.objects.all()
        told = post(world, {"tickets": tickets}, 200, "tickets/heartbeat")["results"]
        assert told == [
            {"id": one, "state": "offered", "offer": offer.pk, "match": None} for one in tickets
        ]
        for one in tickets:
            offers.accept(ticket_id=one)
    match = Offer.objects.get().match_id
    told = post(world, {"tickets": tickets}, 200, "tickets/heartbeat")["results"]
    assert told == [
        {"id": one, "state": "matched", "offer": None, "match": match} for one in tickets
    ]


def test_of_an_offer_that_came_to_nothing_nothing_is_told(world: World, queue: Queue) -> None:
    with clock.at(world.site.now):
        tickets = [post(world, {"queue": "two", "player": one})["id"] for one in names(world, 4)]
    with clock.at(world.site.now + timedelta(seconds=60)):
        run_queue(queue.pk)
        offers.decline(ticket_id=tickets[3])
        told = post(world, {"tickets": tickets[:3]}, 200, "tickets/heartbeat")["results"]
        assert told == [
            {"id": one, "state": "waiting", "offer": None, "match": None} for one in tickets[:3]
        ]
        tickets[3] = post(world, {"queue": "two", "player": "new-3"})["id"]
        run_queue(queue.pk)
        second = Offer.objects.latest("pk")
        told = post(world, {"tickets": tickets}, 200, "tickets/heartbeat")["results"]
    assert told == [
        {"id": one, "state": "offered", "offer": second.pk, "match": None} for one in tickets
    ]


def test_a_sign_of_life_is_noted_and_answered_with_what_is_offered(
    world: World, queue: Queue
) -> None:
    with clock.at(world.site.now):
        ticket, *_ = [post(world, {"queue": "two", "player": one})["id"] for one in names(world, 4)]
    told = post(world, {}, 200, f"tickets/{ticket}/heartbeat")
    assert (told["state"], told["offer"]) == ("waiting", None)
    with clock.at(world.site.now + timedelta(seconds=60)):
        run_queue(queue.pk)
    Ticket.objects.update(seen_at=world.site.now - timedelta(minutes=1))
    told = post(world, {}, 200, f"tickets/{ticket}/heartbeat")
    assert (told["state"], told["offer"]["id"]) == ("offered", Offer.objects.get().pk)
    assert (told["offer"]["accepted"], told["offer"]["of"]) == (0, 4)
    assert Ticket.objects.get(pk=ticket).seen_at == world.site.now
    assert not Ticket.objects.exclude(pk=ticket).filter(seen_at=world.site.now).exists()


@pytest.mark.parametrize("tickets", [[], [0], ["1"], list(range(1, 1002)), None])
def test_lists_of_tickets_are_read_strictly(world: World, tickets: Any) -> None:
    post(world, {"tickets": tickets}, 422, "tickets/heartbeat")
