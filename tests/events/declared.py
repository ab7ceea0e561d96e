"""Holding what was published and broadcast against the catalogue."""

from events.kinds import Kind
from events.models import Event, Notice


def check_declared() -> set[Kind]:
    """Every event and message in the database is of a kind of the catalogue, carries what that says and went where it
    says; returns the kinds there are.
    """
    found: set[Kind] = set()
    for event in Event.objects.all():
        kind = Kind(event.kind)
        assert set(event.payload) == set(kind.payload), (kind, event.payload)
        found.add(kind)
    for notice in Notice.objects.exclude(topics=[]):
        kind = Kind(notice.kind)
        assert set(notice.ids) <= set(kind.ids), (kind, notice.ids)
        assert {topic.partition(":")[0] for topic in notice.topics} <= set(kind.topics), kind
        found.add(kind)
    return found
