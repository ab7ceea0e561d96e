"""A subscriber that notes what it sees."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from events.models import Event


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What a subscriber to `thing.happened` saw: the numbers in the payloads, in order. There is no other."""
    from events import outbox

    numbers: list[int] = []

    def note(events: "Sequence[Event]") -> None:
        numbers.extend(event.payload["number"] for event in events)

    monkeypatch.setattr(outbox, "_subscribers", {})
    monkeypatch.setattr(outbox, "wake", lambda _name: None)
    outbox.subscribe("observer", kinds=["thing.happened"], handler=note)
    return numbers
