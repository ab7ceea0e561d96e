"""The other people of the game: before a valid request they do what it needs, so that it is not refused by chance.

Who accepts is offered a match, who reports plays one, who joins finds a party with room. Three times of four: the
fourth request meets things as they happen to be. What is drawn and does not exist stays so.
"""

from collections import Counter
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any

import httpx
from django.db import connection

from matchmaking.models import Queue
from matchmaking.sweep.run import run_queue
from tests.clients.fuzz.fitting import (
    fit_lineup,
    fit_played,
    fit_report,
    fit_result,
    fit_wishes,
)
from tests.clients.fuzz.world import BUSY, FREE, MAPS, ROLES, SHAPES, World

__all__ = ["Company"]

_OPEN = ("playing", "reported", "disputed")
_LIVE = ("waiting", "offered")
Answer = dict[str, Any]


class Company:
    """The game's other players, and its server for them."""

    def __init__(self, world: World, caller: str) -> None:
        self._world, self._is_token = world, caller == "token"
        self._server = self._client(world.secrets["key"])
        self._own = self._client(world.secrets["token"])
        self._turns: Counter[str] = Counter()
        self._names = (f"{caller}-{number}" for number in count(1))
        self._by_label: dict[str, Callable[[Any], None]] = {
            "POST /tickets": self._search,
            "POST /matches": self._arrange,
            "POST /results": self._results,
            "POST /parties": self._open,
            "POST /parties/join": self._join,
            "POST /me/avoided": self._avoid,
            "DELETE /me/avoided/{player_id}": self._stop_avoiding,
        }

    def __enter__(self) -> "Company":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.close()
        self._own.close()

    def prepare(self, case: Any) -> None:
        """Do what a valid request needs, and make it fit what it names."""
        label = case.operation.label
        if case.method == "POST" and not isinstance(case.body, dict):
            case.body, case.media_type = (
                {},
                "application/json",
            )  # it may be left out where all of it may
        if label in self._by_label:
            self._by_label[label](case)
        for name, act in (
            ("ticket_id", self._answer),
            ("match_id", self._speak),
            ("party_id", self._change),
        ):
            if name in case.path_parameters:
                act(case)

    def _client(self, secret: str) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self._world.url}/api/v1/",
            headers={"Authorization": f"Bearer {secret}"},
            trust_env=False,
            timeout=60,
        )

    def _turn(self, case: Any) -> bool:
        """Whether things are put right for this one."""
        self._turns[case.operation.label] += 1
        return self._turns[case.operation.label] % 4 != 0

    def _get(self, path: str) -> Answer | None:
        """What the server sees there; None for what is not there."""
        answer = self._server.get(path)
        return answer.json() if answer.is_success else None

    def _post(self, path: str, **body: Any) -> Answer | None:
        """What comes of it; None where it is refused: somebody was faster."""
        answer = self._server.post(path, json=body)
        return answer.json() if answer.is_success else None

    def _newcomer(self) -> Answer:
        """A player who does nothing yet."""
        answer = self._server.put(f"players/by-external-id/{next(self._names)}", json={})
        found: Answer = answer.raise_for_status().json()
        return found

    def _actor(self, body: Any = None) -> str:
        """Somebody for whom the caller acts, and who is free: its own player, or a newcomer whom the body names."""
        if not self._is_token:
            name: str = self._newcomer()["external_id"]
            if body is not None:
                body["player"] = name
            return name
        doing = self._own.get("me").raise_for_status().json()
        if doing["match"]:
            self._post(f"matches/{doing['match']}/abort")
        if doing["ticket"]:
            self._own.post(f"tickets/{doing['ticket']['id']}/cancel", json={})
        if doing["party"]:
            self._own.post(f"parties/{doing['party']}/leave", json={})
        return FREE[0]

    # Tickets

    def _search(self, case: Any) -> None:
        body = case.body
        if body["queue"] not in SHAPES:
            return
        is_squad = body["queue"] == "squads"
        fit_wishes(body, MAPS if is_squad else (), ROLES if is_squad else ())
        if not self._turn(case):
            return
        actor = self._actor(body)
        if "party" in body:
            party, other = self._party_of(actor)
            body["queue"], body["party"] = "squads", party["id"]
            if "members" in body:
                body["members"] = [{**one, "member": other} for one in body["members"][:1]]
        else:
            body.pop("members", None)

    def _answer(self, case: Any) -> None:
        ticket = self._get(f"tickets/{case.path_parameters['ticket_id']}")
        if ticket is None or not self._turn(case):
            return
        if ticket["state"] not in _LIVE or not self._is_of_caller(ticket["players"]):
            ticket = self._post("tickets", queue="duel", player=self._actor())
        if ticket is None:
            return
        case.path_parameters["ticket_id"] = ticket["id"]
        if case.operation.label.endswith(("/accept", "/decline")):
            offer = self._offer(ticket)
            if offer and "offer" in case.body:
                case.body["offer"] = offer

    def _offer(self, ticket: Answer) -> int | None:
        """Others search too until the ticket is offered a match, which they accept."""
        teams, size = SHAPES[ticket["queue"]]
        missing = teams * size - len(ticket["players"])
        for _attempt in range(3):
            if ticket["state"] == "waiting":
                for _one in range(missing):
                    player = self._newcomer()["external_id"]
                    self._post("tickets", queue=ticket["queue"], player=player)
                _pair(ticket["queue"])
                ticket = self._get(f"tickets/{ticket['id']}") or ticket
        if not ticket["offer"]:
            return None
        offer: int = ticket["offer"]["id"]
        live = self._get("tickets?limit=200") or {"results": []}
        for other in live["results"]:
            offered = other["offer"]
            if offered and offered["id"] == offer and other["id"] != ticket["id"]:
                self._post(f"tickets/{other['id']}/accept", offer=offer)
        return offer

    # Matches

    def _arrange(self, case: Any) -> None:
        body = case.body
        if body["ladder"] not in SHAPES:
            return
        shape = SHAPES[body["ladder"]]
        drawn = [name for team in body["teams"] for name in team]
        if self._turn(case):
            drawn = [self._newcomer()["external_id"] for _one in range(shape[0] * shape[1])]
        body["teams"] = fit_lineup([*drawn, *BUSY], shape)

    def _speak(self, case: Any) -> None:
        match = self._get(f"matches/{case.path_parameters['match_id']}")
        if match is None:
            return
        is_over = case.method == "POST" and match["state"] not in _OPEN
        people = [one["player"] for team in match["teams"] for one in team["members"]]
        if (is_over or not self._is_of_caller(people)) and self._turn(case):
            match = self._match() or match
        case.path_parameters["match_id"] = match["id"]
        teams = len(match["teams"])
        people = [one["player"] for team in match["teams"] for one in team["members"]]
        names = [one["external_id"] for one in people]
        if case.operation.label.endswith("/result"):
            fit_result(case.body, names, teams)
        elif case.operation.label.endswith("/reports"):
            fit_report(case.body, teams)
        if not self._is_token and case.operation.label.endswith(("/reports", "/leave")):
            case.body["player"] = names[self._turns[case.operation.label] % len(names)]

    def _match(self) -> Answer | None:
        """Another match in which the caller has a say."""
        self._turns["ladders"] += 1
        ladder = "duel" if self._turns["ladders"] % 2 else "everyone"
        teams, size = SHAPES[ladder]
        others = [self._newcomer()["external_id"] for _one in range(teams * size - 1)]
        lineup = fit_lineup([self._actor(), *others], SHAPES[ladder])
        begun = self._post("matches", ladder=ladder, teams=lineup)
        return self._get(f"matches/{begun['id']}") if begun else None

    def _results(self, case: Any) -> None:
        for item in case.body["results"]:
            if item["ladder"] in SHAPES:
                fit_played(item, SHAPES[item["ladder"]], BUSY)

    # Parties and block lists

    def _open(self, case: Any) -> None:
        if self._turn(case):
            self._actor(case.body)

    def _join(self, case: Any) -> None:
        if case.body["code"] in self._world.values["body.code"] and self._turn(case):
            host = self._newcomer()["external_id"]
            party = self._post("parties", player=host)
            self._actor(case.body)
            if party:
                case.body["code"] = party["code"]

    def _change(self, case: Any) -> None:
        party = self._get(f"parties/{case.path_parameters['party_id']}")
        if party is None or not self._turn(case):
            return
        leader = next((one for one in party["members"] if one["id"] == party["leader"]), None)
        if leader is None or not self._is_of_caller([leader]) or len(party["members"]) < 2:
            name = self._actor()
            party, other = self._party_of(name)
        else:
            name = leader["external_id"]
            other = next(one["id"] for one in party["members"] if one["id"] != party["leader"])
        case.path_parameters["party_id"] = party["id"]
        if case.method == "POST":
            if not self._is_token:
                case.body["player"] = name
            if "member" in case.body:
                case.body["member"] = other

    def _party_of(self, leader: str) -> tuple[Answer, int]:
        """A party that this player leads, and the id of its other member."""
        party = self._server.post("parties", json={"player": leader}).raise_for_status().json()
        other = self._newcomer()
        self._post("parties/join", player=other["external_id"], code=party["code"])
        return party, other["id"]

    def _avoid(self, case: Any) -> None:
        """Nobody avoids itself."""
        ids = self._world.ids
        own = ids.get(FREE[0] if self._is_token else case.body["player"])
        if case.body["avoid"] == own:
            case.body["avoid"] = next(other for other in ids.values() if other != own)

    def _stop_avoiding(self, case: Any) -> None:
        name = FREE[0] if self._is_token else case.query["player"]
        wanted = int(case.path_parameters["player_id"])
        ids = self._world.ids
        if name in ids and wanted in ids.values() and wanted != ids[name] and self._turn(case):
            self._post("me/avoided", player=name, avoid=wanted)

    def _is_of_caller(self, people: list[Answer]) -> bool:
        return not self._is_token or any(one["external_id"] == FREE[0] for one in people)


def _pair(queue: str) -> None:
    """What a worker does every second, now. Schemathesis sends from threads, whose connections nobody else ends."""
    try:
        run_queue(Queue.objects.get(slug=queue).pk)
    finally:
        connection.close()
