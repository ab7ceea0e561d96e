"""The description of events is true: whatever the reader takes is as described, and every kind has an example."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from api.schema.examples import EXAMPLES
from ratings.logs.given import KINDS, GivenEvent, KnownTexts, check_event, read_events
from tests.api.schema.test_description import described

pytestmark = pytest.mark.django_db
TELL = "post_servers_by_server_events"
LENGTHS = (0, 1, 30, 31, 50, 51, 60, 61, 100, 101)
TEXTS = st.sampled_from(
    [*("x" * length for length in LENGTHS), "ann", "a\nb", "\0", "é", "🦊", "\u202e", " "]
)
NUMBERS = st.sampled_from(
    [0, 1, 2, 1.0, 1.5, 2_000_000_000, 2_000_000_001, -1, 1000, 1000.5, 1e300]
)
TIMES = st.sampled_from(
    [
        *(
            "2026-12-01T20:15:00Z",
            "2026-12-01T20:15:00.5+01:00",
            "2026-12-01",
            "1970-01-01T00:00:00Z",
        ),
        *("1969-12-31T23:59:59Z", "8999-12-31T23:59:59Z", "9001-01-01T00:00:00Z"),
    ]
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "at": TIMES | st.none(),
    **dict.fromkeys(("player", "victim", "guest", "victim_guest"), TEXTS | st.none()),
    **dict.fromkeys(("team", "weapon", "map"), TEXTS),
    "weight": NUMBERS | st.none(),
    "scores": st.dictionaries(TEXTS, NUMBERS | st.just(-1e301), max_size=2) | st.none(),
    "mood": st.just("good"),
}
EVENTS = st.fixed_dictionaries(
    {"match": TEXTS, "number": NUMBERS, "type": st.sampled_from([*KINDS, "explosion"])},
    optional=VALUES,
)


@cache
def schemas() -> Any:
    return described()["components"]


@cache
def validator() -> Draft202012Validator:
    whole = {**schemas()["schemas"]["ToldEventBody"], "components": schemas()}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def is_taken(event: Any) -> bool:
    """Whether the reader takes it."""
    (read,) = read_events(json.dumps({"events": [event]}).encode())
    return isinstance(read, GivenEvent) and check_event(read, KnownTexts()) is None


@settings(deadline=None)
@given(EVENTS)
def test_whatever_is_taken_is_as_described(event: Any) -> None:
    assert validator().is_valid(event) or not is_taken(event)


def test_the_examples_show_every_kind_and_are_taken() -> None:
    bodies: Any = EXAMPLES[TELL].requests.values()
    shown = [event for body in bodies for event in body["events"]]
    assert {event["type"] for event in shown} == set(KINDS)
    assert [event for event in shown if not is_taken(event)] == []


def test_the_description_names_the_kinds_and_members_of_the_reader() -> None:
    members = schemas()["schemas"]["ToldEventBody"]
    assert set(members["properties"]) == set(GivenEvent.__struct_fields__)
    assert set(schemas()["schemas"]["MatchEventType"]["enum"]) == set(KINDS)
    events = schemas()["schemas"]["ToldEventsBody"]["properties"]["events"]
    assert events["maxItems"] == 5000
