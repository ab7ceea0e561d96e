"""What an earlier release kept of a file as text is read when it is brought up to date."""

from importlib import import_module

import pytest
from django.db import connection

from ratings.models import Match
from tests.ratings.match_files import Line, file_of, take_in

pytestmark = pytest.mark.django_db
MIGRATION = import_module("ratings.migrations.0009_neutral_from_columns")


def test_the_kept_column_is_read() -> None:
    kept = ["1", "TRUE", "0", "", "at sea"]
    take_in(file_of(Line(f"2020-01-0{day}", "a", "b", "1") for day in range(1, len(kept) + 1)))
    matches = list(Match.objects.order_by("ladder_seq"))
    for match, text in zip(matches, kept, strict=True):
        match.extra = {"neutral": text, "city": "Oslo"}
    Match.objects.bulk_update(matches, ["extra"])
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION._READ)
    found = Match.objects.order_by("ladder_seq").values_list("is_neutral", "extra")
    city = {"city": "Oslo"}
    assert list(found) == [
        (True, city),
        (True, city),
        (False, city),
        (False, city),
        (False, {"neutral": "at sea", **city}),
    ]
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION._WRITE_BACK)
    assert not Match.objects.filter(is_neutral=True).exists()
    assert Match.objects.filter(extra__neutral="1").count() == 2
