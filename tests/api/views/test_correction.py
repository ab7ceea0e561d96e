"""Servers correct results that they gave; what operators have decided stays theirs."""

from typing import Any

import pytest

from api.models import ServerKey
from events.models import Event
from foundation import clock
from ratings.archiving import archive, restore
from ratings.matches.decide import annul
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.models import Match
from tests.api.views.test_teams import NAMES, make_ladder, post, rate, result
from tests.api.world import World

pytestmark = pytest.mark.django_db
REASON = {"reason": "Sent the wrong way round."}


def sent_batch(world: World) -> Match:
    """The first of two matches that a server has sent, both rated."""
    ladder = make_ladder(world, "pairs", team_size=2)
    batch = [result(world, 1, scores=[9, 3]), result(world, 2, ranks=[1, 0])]
    told = post(world, "results", {"results": batch})
    rate(world, ladder)
    return Match.objects.get(pk=told["results"][0]["match"])


def test_a_result_is_corrected_once_and_can_be_read(world: World) -> None:
    match = sent_batch(world)
    key = ServerKey.objects.get(pk=match.server_key or 0)
    assert key.game == world.game
    path = f"matches/{match.pk}/correction"
    before = world.get(f"matches/{match.pk}", "server-all")
    assert before["corrections"] == []
    assert len(before["changes"]) == 4
    body = {"ranks": [1, 0], "scores": [3, 9], "minutes": {NAMES[0]: 8.5}, **REASON}
    for _ in range(2):
        told = post(world, path, {**body, "corrections": 0})
        assert (told["id"], told["state"]) == (match.pk, "confirmed")
    assert Event.objects.filter(kind="match.corrected").count() == 1
    shown = world.get(f"matches/{match.pk}", "server-all")
    assert [team["outcome"] for team in shown["teams"]] == ["lost", "won"]
    assert shown["teams"][0]["members"][0]["minutes"] == 8.5
    assert shown["changes"] == []  # those of the ledger are still of the result before
    (correction,) = shown["corrections"]
    assert (correction["by"], correction["reason"]) == ("server", REASON["reason"])
    assert [(one["rank"], one["score"], one["minutes"]) for one in correction["before"]] == [
        (0, 9.0, None),
        (0, 9.0, None),
        (1, 3.0, None),
        (1, 3.0, None),
    ]
    assert post(world, path, {"ranks": [0, 0], "corrections": 0, **REASON}, 409)["code"] == (
        "match_corrected"
    )


def test_what_cannot_be_corrected_is_refused(world: World) -> None:
    match = sent_batch(world)
    path = f"matches/{match.pk}/correction"
    assert post(world, path, {"ranks": [1, 0]}, 422)["errors"][0]["pointer"] == "#/reason"
    assert post(world, path, {"ranks": [1, 0, 2], **REASON}, 422)["code"] == "wrong_result"
    stranger = {"minutes": {world.anna.external_id: 3}}
    assert post(world, path, {"ranks": [1, 0], **stranger, **REASON}, 403)["code"] == "not_in_match"
    post(world, path, {"ranks": [1, 0], **REASON}, 404, "other-server")
    correct(match_id=match.pk, result=Result(ranks=(1, 0)), reason="An operator's word.")
    told = post(world, path, {"ranks": [0, 0], **REASON}, 409)
    assert (told["code"], "only an operator" in told["detail"]) == ("match_decided", True)
    annul(match_id=match.pk, by=None, note="x")
    told = post(world, path, {"ranks": [0, 1], **REASON}, 409)
    assert (told["code"], told["state"]) == ("match_not_confirmed", "annulled")


def test_what_is_over_in_an_archived_game_is_neither_read_nor_changed(world: World) -> None:
    match = sent_batch(world)
    over, on = (f"matches/{pk}" for pk in (match.pk, world.hidden.pk))
    said: dict[str, dict[str, Any]] = {
        "correction": {"ranks": [1, 0], **REASON},
        "result": {"ranks": [0, 1]},
        "reports": {"player": NAMES[0], "outcome": "won"},
        "leave": {"player": NAMES[0]},
        "abort": {},
    }
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
        archive(match.ladder, by=None)
    for what in ("result", "reports"):  # of an archived ladder alone the server goes on
        post(world, f"{over}/{what}", said[what])
    with clock.at(world.site.now):
        archive(world.game, by=None)
    assert world.call("GET", over, "server-all").status_code == 410
    for what, body in said.items():
        told = post(world, f"{over}/{what}", body, 410)
        assert (told["code"], f"“{world.game}”" in told["detail"]) == ("archived", True), what
        post(world, f"{over}/{what}", body, 404, "other-server")
    own = world.site.matches[0].pk  # by a player's token
    assert post(world, f"matches/{own}/reports", {"outcome": "won"}, 410, "player-play")[
        "code"
    ] == ("archived")
    names = [player.external_id for player in world.site.arena.players[:2]]
    report = {"player": names[1], "outcome": "lost"}
    assert post(world, f"{on}/reports", report)["state"] == "reported"
    assert post(world, f"{on}/result", {"ranks": [0, 1]})["state"] == "confirmed"
    post(world, f"{on}/reports", report, 410)
    with clock.at(world.site.now):
        restore(world.game, by=None)
    assert post(world, f"{over}/correction", said["correction"])["state"] == "confirmed"
