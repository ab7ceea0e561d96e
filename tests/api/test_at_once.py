"""The same said many times at the same moment has one effect: what games do when they do not trust the network."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from typing import Any

import pytest

from events.models import Event
from matchmaking.models import Queue, Ticket
from ratings.models import Game, Match, MatchState, Participant, Player
from tests.api.world import World, make_world
from tests.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 20
PLAYED = {
    "ladder": "go",
    "external_id": "final",
    "teams": [["x1"], ["x2"]],
    "ranks": [0, 1],
    "played_at": "2026-03-01T20:15:00Z",
}

Post = Callable[..., Any]


@pytest.fixture
def world() -> World:
    """A world that is really there, for many connections see it; Anna is free to play."""
    made = make_world()
    Match.objects.filter(pk=made.hidden.pk).delete()
    Ticket.objects.all().delete()
    return made


@pytest.fixture
def post(world: World) -> Post:
    """POST one body from many threads at once; gives the answers."""

    def post(path: str, *bodies: Any, caller: str = "server-all", **headers: str) -> list[Any]:
        sent = islice(cycle(bodies), MANY)
        return at_once(
            [partial(insist, world, path, caller, body=body, **headers) for body in sent]
        )

    return post


@pytest.fixture
def match(world: World) -> Match:
    """One that is being played by Anna and another."""
    first, second = (player.external_id for player in world.site.arena.players[:2])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "duel"}
    answer = world.call("POST", "matches", "server-all", body=body)
    return Match.objects.get(pk=answer.json()["id"])


def insist(world: World, path: str, caller: str, **request: Any) -> Any:
    """As a good client does: again while the site is too busy, or still at it."""
    while True:
        answer = world.call("POST", path, caller, **request)
        if answer.status_code != 503 and answer.json().get("code") != "in_progress":
            return answer
        assert answer["Retry-After"]


def statuses(answers: list[Any]) -> dict[int, int]:
    return dict(Counter(answer.status_code for answer in answers))


def confirmations(match: int) -> int:
    return Event.objects.filter(kind="match.confirmed", payload__match=match).count()


def test_one_result(match: Match, post: Post) -> None:
    answers = post(f"matches/{match.pk}/result", {"ranks": [0, 1], "scores": [3, 1]})
    assert statuses(answers) == {200: MANY}
    assert len({answer.content for answer in answers}) == 1
    assert confirmations(match.pk) == 1
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", "score", "playing")) == [(0, 3.0, False), (1, 1.0, False)]


def test_different_results(match: Match, post: Post) -> None:
    """One counts; who says another learns that it came too late."""
    answers = post(f"matches/{match.pk}/result", {"ranks": [0, 1]}, {"ranks": [1, 0]})
    assert statuses(answers) == {200: MANY // 2, 409: MANY // 2}
    assert confirmations(match.pk) == 1


def test_both_reports(world: World, match: Match, post: Post) -> None:
    first, second = (player.external_id for player in world.site.arena.players[:2])
    won, lost = {"player": first, "outcome": "won"}, {"player": second, "outcome": "lost"}
    assert statuses(post(f"matches/{match.pk}/reports", won, lost)) == {200: MANY}
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED
    # Who concedes decides at once. The winner's word is kept where it came before that, and was told as a report.
    was_first = Event.objects.filter(kind="match.reported", payload__match=match.pk).count()
    words = list(match.reports.order_by("pk").values_list("player__external_id", "outcome"))
    assert words == [*[(first, "won")] * was_first, (second, "lost")]
    assert confirmations(match.pk) == 1


def test_one_batch(post: Post) -> None:
    answers = post("results", {"results": [PLAYED, {**PLAYED, "external_id": "other"}]})
    assert statuses(answers) == {200: MANY}
    told = Counter(one["status"] for answer in answers for one in answer.json()["results"])
    assert told == {"created": 2, "known": 2 * MANY - 2}
    stored = Match.objects.filter(external_id__in=["final", "other"])
    assert [confirmations(match.pk) for match in stored] == [1, 1]
    assert Player.objects.filter(external_id__in=["x1", "x2"]).count() == 2


def test_one_batch_with_a_key(post: Post) -> None:
    """All are told the same then: that the match is new."""
    answers = post("results", {"results": [PLAYED]}, **{"Idempotency-Key": "final"})
    assert statuses(answers) == {200: MANY}
    assert {answer.json()["created"] for answer in answers} == {1}
    assert sum("Idempotent-Replayed" not in answer for answer in answers) == 1
    assert Match.objects.filter(external_id="final").count() == 1


def test_one_ticket(world: World, post: Post) -> None:
    queue = Queue.objects.get(slug="search")
    answers = post("tickets", {"queue": "search"}, caller="player-play")
    assert statuses(answers) == {201: 1, 409: MANY - 1}
    made = Ticket.objects.get(queue=queue)
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {(one["code"], one["ticket"]) for one in refused} == {("already_searching", made.pk)}


def test_one_arranged_match(world: World, post: Post) -> None:
    first, second = (player.external_id for player in world.site.arena.players[:2])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "duel"}
    answers = post("matches", body)
    assert statuses(answers) == {201: 1, 409: MANY - 1}
    assert {one.json()["code"] for one in answers if one.status_code == 409} <= {
        "match_exists",
        "already_playing",
    }
    assert Match.objects.filter(external_id="duel").count() == 1


def test_two_deployments_make_one_of_each(world: World) -> None:
    bodies: dict[str, Any] = {
        "games/arena": {},
        "ladders/arena": {"game": "arena"},
        "ladders/arena/tracks/elo": {"parameters": {"k_new": 60}},
        "queues/arena": {"ladder": "arena"},
    }

    def deploy() -> list[int]:
        return [
            world.call("PUT", f"admin/{path}", "site-admin", body).status_code
            for path, body in bodies.items()
        ]

    for statuses in zip(*at_once([deploy] * 3), strict=True):
        assert sorted(statuses) == [200, 200, 201]
    assert Game.objects.filter(slug="arena").count() == 1
    assert Queue.objects.filter(ladder__tracks__system="elo", slug="arena").count() == 1
