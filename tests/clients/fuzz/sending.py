"""Lets Schemathesis send its cases as one caller, and counts what it found."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx
import schemathesis
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.hooks import unregister

from tests.clients.fuzz.company import Company
from tests.clients.fuzz.explained import reason_of
from tests.clients.fuzz.fitting import fit_places
from tests.clients.fuzz.world import World

__all__ = ["PHASES", "Finding", "Findings", "send"]

PHASES = ("examples", "coverage", "fuzzing", "stateful")
_STEPS = 8  # of a chain
_KEY = re.compile(r"[ -~]*[!-~][ -~]*")
_CURSOR = re.compile(r"[A-Za-z0-9_-]{1,1000}")


@dataclass
class Finding:
    """One kind of fault: the check that failed, at which operation, and how the first one is sent again."""

    check: str
    operation: str
    said: str
    example: str
    cases: int = 0


@dataclass
class Findings:
    """What came of one caller's cases. `rejected`: valid requests that were refused, by reason and code."""

    caller: str
    cases: Counter[tuple[str, str]] = field(default_factory=Counter)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: dict[tuple[str, str, str], Finding] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def note(self, check: str, operation: str, said: str, example: str) -> None:
        """Count one fault."""
        kind = self.found.setdefault(
            (check, operation, said), Finding(check, operation, said, example)
        )
        kind.cases += 1


def send(
    world: World,
    caller: str,
    *,
    examples: int,
    seed: int,
    phases: Sequence[str] = PHASES,
    chains: int,
) -> Findings:
    """Send everything as `caller`: examples, coverage of each rule, drawn cases, and chains of requests."""
    settings = _config(world, caller, seed, phases)
    settings["generation"]["max-examples"] = examples
    settings["phases"]["stateful"]["generation"] = {"max-examples": chains}
    config = schemathesis.Config.from_dict(settings)
    schema = schemathesis.openapi.from_dict(_told_to(caller, _description(world)), config=config)
    findings = Findings(caller)
    with Company(world, caller) as company, _taught(world, company if caller != "nobody" else None):
        for event in from_schema(schema).execute():
            if isinstance(event, events.ScenarioFinished):
                _count(findings, event.phase.value, event.recorder)
            elif isinstance(event, events.NonFatalError):
                findings.errors.append(f"{event.label}: {event.info.format()}")
            elif isinstance(event, events.FatalError):
                raise event.exception
    return findings


def _description(world: World) -> dict[str, Any]:
    answer = httpx.get(f"{world.url}/api/v1/schema?format=json", trust_env=False, timeout=60)
    described: dict[str, Any] = answer.raise_for_status().json()
    shared = described["components"]["parameters"]
    for operation in (one for path in described["paths"].values() for one in path.values()):
        asked = operation.get("parameters", [])
        # In place, as some are changed for one operation.
        asked[:] = [
            deepcopy(shared[one["$ref"].rpartition("/")[2]]) if "$ref" in one else one
            for one in asked
        ]
    return described


def _told_to(caller: str, described: dict[str, Any]) -> dict[str, Any]:
    """The description with what it says in words: servers name the `player` for whom they act, tokens do not.

    OpenAPI 3.1 cannot describe single events of a stream, and Schemathesis would take what is said of the whole for
    them: it is left out.
    """
    described = deepcopy(described)
    closed = [
        shape
        for shape in described["components"]["schemas"].values()
        if shape.get("additionalProperties") is False and "player" in shape.get("properties", {})
    ]
    for shape in closed:
        if caller == "token":
            del shape["properties"]["player"]
        else:
            shape.setdefault("required", []).append("player")
    for link in described["components"].get("links", {}).values() if caller == "token" else ():
        link.get("requestBody", {}).pop("player", None)
    for operation in (one for path in described["paths"].values() for one in path.values()):
        for response in operation["responses"].values():
            response.get("content", {}).get("text/event-stream", {}).pop("schema", None)
            for link in response.get("links", {}).values() if caller == "token" else ():
                link.get("requestBody", {}).pop("player", None)
        _tell_of_player(caller, operation)
    return described


def _tell_of_player(caller: str, operation: dict[str, Any]) -> None:
    asked = operation.get("parameters", [])
    for parameter in [one for one in asked if (one["in"], one["name"]) == ("query", "player")]:
        parameter["required"] = True
        if caller == "token":
            asked.remove(parameter)
    body = operation.get("requestBody", {})
    if caller != "token" and '"player' in json.dumps(body.get("content", {})):
        body["required"] = True


@contextmanager
def _taught(world: World, company: Company | None) -> Iterator[None]:
    """Let requests carry what no description can tell: a cursor of the list, a key that is fresh, what fits."""
    numbers = count(1)

    def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
        key = case.headers.get("Idempotency-Key")
        if isinstance(key, str) and 1 <= len(key) <= 255 and _KEY.fullmatch(key):
            tag = f"-{next(numbers)}"
            case.headers["Idempotency-Key"] = f"{key[: 255 - len(tag)]}{tag}"
        cursor = case.query.get("cursor")
        if isinstance(cursor, str) and _CURSOR.fullmatch(cursor):
            fitting = world.cursors.get(case.operation.path)
            if fitting is None:
                del case.query["cursor"]
            else:
                case.query["cursor"] = fitting
        if case.meta.generation.mode.is_positive:
            fit_places(case.query)
            if "after" in case.query:
                case.query["after"] = world.cursors["/events"]
        if company is not None and case.meta.generation.mode.is_positive:
            company.prepare(case)

    schemathesis.hook(before_call)
    try:
        yield
    finally:
        unregister(before_call)


def _config(world: World, caller: str, seed: int, phases: Sequence[str]) -> dict[str, Any]:
    secret = world.secrets[caller]
    names = {place: f"d{number}" for number, place in enumerate(world.values)}
    schemes = {name: {"bearer": secret} for name in ("serverKey", "playerToken")}
    return {
        "seed": seed,
        "base-url": f"{world.url}/api/v1",
        **({"auth": {"openapi": schemes}} if secret else {}),
        "continue-on-failure": True,
        "max-stream-events": 1,
        "request-timeout": 60.0,
        "dictionaries": {names[place]: {"values": them} for place, them in world.values.items()},
        "parameters": {
            place: {"dictionary": name, "probability": 0.9} for place, name in names.items()
        },
        "generation": {
            "deterministic": True,
            "database": "none",
            "no-shrink": True,
        },
        "phases": {
            **{name: {"enabled": name in phases} for name in PHASES},
            "stateful": {"enabled": "stateful" in phases, "max-steps": _STEPS},
        },
    }


def _count(findings: Findings, phase: str, recorder: ScenarioRecorder) -> None:
    for case_id, interaction in recorder.interactions.items():
        node = recorder.cases.get(case_id)
        operation = node.value.operation.label if node else recorder.label
        findings.cases[operation, phase] += 1
        if interaction.response is not None:
            findings.statuses[operation, interaction.response.status_code] += 1
    for case_id, checks in recorder.checks.items():
        for check in checks:
            findings.checks[check.name] += 1
            if check.failure_info is not None:
                _note(findings, recorder, case_id, check.name, check.failure_info)


def _note(
    findings: Findings, recorder: ScenarioRecorder, case_id: str, check: str, info: Any
) -> None:
    failure = info.failure
    said = failure.title
    response = recorder.find_response(case_id=failure.case_id or case_id)
    if check == "positive_data_acceptance" and response is not None:
        problem = response.json()
        if reason := reason_of(problem):
            findings.rejected[reason, problem["code"]] += 1
            return
        said = f"{problem.get('code')} {problem.get('errors', '')}"
    is_batch = check == "negative_data_rejection" and failure.operation == "POST /results"
    if is_batch and response is not None and response.json()["refused"]:
        return  # each match is refused by itself
    if check == "ensure_resource_availability" and _is_by_another(recorder, case_id):
        return
    findings.note(check, failure.operation, said, f"{failure.message}\n{info.code_sample}")


def _is_by_another(recorder: ScenarioRecorder, case_id: str) -> bool:
    """Whether a server asked for another player than it had made the thing for: who is not in it may not see it."""
    acting = []
    node = recorder.cases.get(case_id)
    while node is not None:
        body = node.value.body
        acting.append(body.get("player") if isinstance(body, dict) else None)
        node = recorder.cases.get(node.parent_id) if node.parent_id else None
    return len({one for one in acting if one is not None}) > 1
