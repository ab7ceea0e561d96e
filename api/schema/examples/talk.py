"""Examples of talk and muted players."""

from typing import Any

from api.schema.examples.example import ANN, CY, Example, page
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

LINE: dict[str, Any] = {
    "id": 88,
    "author": ANN,
    "text": "Shall I take the left side?",
    "said_at": "2026-11-21T18:16:40.120Z",
}
MUTED = {"player": CY, "added_at": "2026-11-21T19:02:30.500Z"}

EXAMPLES = {
    "get_talk_by_kind_by_place_id": Example({"The only line": page(LINE)}),
    "post_talk_by_kind_by_place_id": Example(
        {"Said": LINE}, by("ann-17", text="Shall I take the left side?"), 201
    ),
    "get_me_muted": Example({"One player": page(MUTED)}),
    "post_me_muted": Example(
        {"Muted": MUTED}, by("ann-17", mute=35), 201, {200: {"Muted already": MUTED}}
    ),
}
