"""Places of texts in a list, as PostgreSQL finds them."""

import pytest

from foundation.bulk import fetch_columns, whole
from ratings.tracks.facets import as_indexes, index_of

pytestmark = pytest.mark.django_db

TEXTS = [
    "",
    "river",
    "River",
    "Äther",
    "A\u0308ther",
    'a "b" {c}',
    "back\\slash",
    "1",
    "日本",
    " 1",
]


def test_each_text_is_found_where_it_stands() -> None:
    columns = {
        "place": whole(index_of("text", "%(places)s", default=-1)),
        "ordinal": whole("ordinal - 1"),
    }
    source = "unnest(%(texts)s::text[]) WITH ORDINALITY AS given (text, ordinal)"
    found = fetch_columns(columns, source, {"texts": TEXTS, "places": as_indexes(TEXTS)})
    assert len(found["place"]) == len(TEXTS)
    assert (found["place"] == found["ordinal"]).all()


def test_another_text_has_the_default() -> None:
    columns = {"place": whole(index_of("text", "%(places)s", default=7))}
    source = "unnest(%(texts)s::text[]) AS given (text)"
    asked = {"texts": ["RIVER", "2", "a"], "places": as_indexes(TEXTS)}
    assert fetch_columns(columns, source, asked)["place"].tolist() == [7, 7, 7]
