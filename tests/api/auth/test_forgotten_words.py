"""Words about a deleted person that stand where others are told of, too: beside matches, and in the audit log."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts import audit
from accounts.models import AuditEntry, User
from foundation import clock
from matchmaking.models import Conduct, Party, Queue, Ticket
from matchmaking.parties.lifecycle import dissolve
from matchmaking.tickets.lifecycle import cancel, join
from ratings.models import Match, Player, RatingChange, name_columns
from tests.api.world import World
from tests.histories.traces import holding

pytestmark = pytest.mark.django_db


def test_nothing_is_left_beside_matches_searches_and_parties(world: World) -> None:
    player = world.anna
    ledger = RatingChange.objects.order_by("pk").values_list("pk", "player", "value_after")
    before = list(ledger)
    match = Match.objects.filter(participants__player=player, state="confirmed")[0]
    words = {"remark": "Quirinus rage quit", "goals_a": "3", "goals_b": 1, "gone": None}
    Match.objects.filter(pk=match.pk).update(extra=words, map="Gorge")
    other = Match.objects.exclude(participants__player=player)[0]
    Match.objects.filter(pk=other.pk).update(extra={"remark": "close"})
    conduct = Conduct(player=player, score=0.4)
    told = {"score": 0.4, "player": player.pk}
    audit.record(
        actor=None, action="conduct.added", target=conduct, after=told, note="Quirinus swears"
    )
    audit.record(
        actor=None, action="ticket.cancelled", target=world.ticket, after={}, note="Quirinus spams"
    )
    had = {"leader": player.pk, "members": [player.pk]}
    party = Party(pk=4711)
    audit.record(
        actor=None, action="party.dissolved", target=party, before=had, note="Quirinus harasses"
    )
    others = {"leader": player.pk + 999, "members": [player.pk + 999]}
    audit.record(
        actor=None, action="party.dissolved", target=Party(pk=4712), before=others, note="as asked"
    )
    assert sorted(holding("Quirinus")) == ["accounts_auditentry", "ratings_match"]
    call_command("delete_person", "--player", str(player.pk), "--note", "asked", stdout=StringIO())
    assert holding("Quirinus") == []
    match.refresh_from_db()
    assert (match.extra, match.map) == ({"goals_a": "3", "goals_b": 1}, "Gorge")
    other.refresh_from_db()
    assert other.extra == {"remark": "close"}
    entries = AuditEntry.objects.filter(action__in=("conduct.added", "party.dissolved"))
    assert list(entries.order_by("pk").values_list("before", "after", "note")) == [
        (None, None, "(removed)"),
        (had, None, "(removed)"),
        (others, None, "as asked"),
    ]
    assert list(ledger.all()) == before


@pytest.mark.parametrize("is_purged", [False, True])
def test_notes_about_their_searches_and_parties_go(world: World, is_purged: bool) -> None:
    """Also once the search itself is no longer kept. What is noted about a search of others stays theirs."""
    anna, other = world.anna, world.site.arena.players[1]
    Player.objects.filter(pk=anna.pk).update(**name_columns("Zebulon"))
    olga, note = User.objects.create_superuser("ottilie"), "Zebulon asked for it"
    queue = Queue.objects.get(pk=world.ticket.queue_id)
    audit.record(actor=olga, action="ticket.cancelled", target=world.ticket, before={}, note=note)
    with clock.at(world.site.now):
        theirs = join(queue=queue, player=other)
        for ticket in (world.ticket, theirs):
            cancel(ticket_id=ticket.pk, by=olga, note=note)
        dissolve(party_id=world.party.pk, by=olga, note=note)
    if is_purged:
        Ticket.objects.filter(pk=world.ticket.pk).delete()
    call_command("delete_person", "--player", str(anna.pk), "--note", "x", stdout=StringIO())
    told = AuditEntry.objects.filter(action__in=("ticket.cancelled", "party.dissolved"))
    assert [entry.target_id for entry in told.filter(note=note)] == [str(theirs.pk)]
    assert told.filter(note="(removed)").count() == 3
