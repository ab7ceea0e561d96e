"""Simulated players make groups on a running site, and others come in."""

import pytest
from django.db.models import Count

from demo.play import crowd, grouping
from groups.models import Group
from tests.demo import test_live_play
from tests.demo.test_live_play import League

pytestmark = pytest.mark.django_db(transaction=True)
league = test_live_play.league


def test_they_make_and_join_groups(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "_GROUPS", 1.0)
    monkeypatch.setattr(crowd, "_SPARE", 2)
    league.online = 2
    met = Group.objects.annotate(size=Count("members")).filter(size__gte=2, is_drawn=False)
    league.run(met.exists)
    group = met[0]
    assert group.name in grouping.NAMES
    assert group.access == "open"
