"""Simulated players who went home are told that somebody searches, and come back."""

import pytest

from demo.play import crowd, waking
from matchmaking.alerts.send import tell_of_searches
from matchmaking.models import AlertWish, Queue, TicketMember
from notifications.models import Notice
from tests.demo import test_live_play
from tests.demo.test_live_play import League

pytestmark = pytest.mark.django_db(transaction=True)
league = test_live_play.league


@pytest.mark.full
def test_some_listen_when_they_go_home_and_an_alert_brings_them_back(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_GAMES", (1, 1))
    monkeypatch.setattr(crowd, "_GATHERS", 0.0)
    monkeypatch.setattr(crowd, "_CHALLENGES", 0.0)
    for name in ("_LISTENS", "_COMES"):
        monkeypatch.setattr(waking, name, 1.0)
    queue = Queue.objects.get(slug="demo-duel")
    queue.settings = {**queue.settings, "alerts": {"after": 0}}
    queue.save()
    Queue.objects.exclude(pk=queue.pk).update(is_open=False)
    league.online = 4

    def have_come_back() -> bool:
        tell_of_searches()
        read = Notice.objects.filter(kind__startswith="alert.").exclude(read_at=None).first()
        if read is None:
            return False
        later = TicketMember.objects.filter(
            player=read.player_id, ticket__waiting_since__gte=read.created_at
        )
        return later.exists()

    league.run(have_come_back)
    assert AlertWish.objects.exclude(told_at=None).exists()
