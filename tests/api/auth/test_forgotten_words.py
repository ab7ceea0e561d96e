"""Words about a deleted person that stand where others are told of, too: beside matches, and in the audit log."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import audit
from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account, delete_player
from api.site.naming import naming_of
from foundation import clock
from matchmaking.models import Conduct, Party, Queue, Ticket
from matchmaking.parties.lifecycle import dissolve
from matchmaking.tickets.lifecycle import cancel, join
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Correction,
    Match,
    Player,
    RatingChange,
    Sanction,
    SanctionKind,
    Statement,
    name_columns,
)
from ratings.players.enrol import enrol
from ratings.sanctions import impose, lift
from tests.api.world import World
from tests.histories.traces import NAME, holding, make_account

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
    """Also once the search itself is no longer kept. A note about a search of an opponent loses the name alone."""
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
    assert told.get(target_id=str(theirs.pk)).note == "(removed) asked for it"
    assert told.filter(note="(removed)").count() == 3


def test_notes_go_that_call_them_by_the_account_an_address_or_an_id(world: World) -> None:
    """Also of who was merged into them. What is a part of a longer word names somebody else."""
    user, anna = make_account(), world.anna
    Player.objects.filter(pk=anna.pk).update(
        user=user, external_id="steam-77", **name_columns("Zebulon")
    )
    other, _ = enrol(game=world.game, external_id="console-5", name="Yolanda")
    merge(player=other, into=Player.objects.get(pk=anna.pk), by=None, note="same")
    match = Match.objects.filter(participants__player=anna, state="confirmed")[0]
    correct(match_id=match.pk, result=Result(ranks=(1, 0)), reason=f"{NAME.lower()} told me")
    theirs = [
        f"{NAME} asked",
        "by mail of quirinus@somewhere.example",
        "steam-77 is a bot",
        "console-5, too",
    ]
    kept = ["steam-770 and Quirinusson say so"]
    for note in (*theirs, *kept):
        audit.record(actor=None, action="match.annulled", target=match, after={}, note=note)
    call_command("delete_person", "--account", NAME, "--note", "asked", stdout=StringIO())
    assert Correction.objects.get(match=match).reason == "(removed)"
    assert AuditEntry.objects.get(action="match.corrected").note == "(removed)"
    told = AuditEntry.objects.filter(action="match.annulled").order_by("pk")
    assert list(told.values_list("note", flat=True)) == ["(removed)"] * len(theirs) + kept


@pytest.mark.parametrize("called", ["zebulon", "Yolanda", "steam-77"])
def test_a_log_that_was_asked_for_by_a_player_forgets_it(world: World, called: str) -> None:
    """Also where no account goes with the player; `called` is the name, a former one, or the id in the game."""
    anna, olga = world.anna, User.objects.create_superuser("ottilie")
    for name in ("Yolanda", "Zebulon"):
        Player.objects.filter(pk=anna.pk).update(external_id="steam-77", **name_columns(name))
    for asked in (called, f"{called}x"):
        after = {"rows": 1, "filter": {"q": asked}}
        audit.record(actor=olga, action="auditlog.exported", target=olga, after=after)
    call_command("delete_person", "--player", str(anna.pk), "--note", "x", stdout=StringIO())
    told = AuditEntry.objects.filter(action="auditlog.exported").order_by("pk")
    assert list(told.values_list("after", flat=True)) == [None, after]


def test_what_opponents_said_of_them_goes_where_it_names_them(world: World) -> None:
    """The name in comments, and links with it. What names nobody, or is of a match of others, stays."""
    bjorn, clara, dora = world.site.arena.players[1:4]
    Player.objects.filter(pk=world.anna.pk).update(**name_columns("Zebulon Quux"))
    match, others = world.hidden, Match.objects.exclude(participants__player=world.anna)[0]
    said = [
        Statement(match=match, player=bjorn, comment="ZEBULON QUUX cheats, phone 0151"),
        Statement(match=match, player=clara, proof="https://x.example/zebulon%20quux"),
        Statement(match=match, player=dora, comment="I won", proof="https://x.example/zebulon"),
        Statement(match=others, player=bjorn, comment="Zebulon Quux lent me the mouse"),
    ]
    Statement.objects.bulk_create(said)
    call_command("delete_person", "--player", str(world.anna.pk), "--note", "x", stdout=StringIO())
    told = Statement.objects.order_by("pk")
    assert list(told.values_list("comment", "proof")) == [
        ("(removed) cheats, phone 0151", ""),
        ("", ""),
        ("I won", "https://x.example/zebulon"),
        ("Zebulon Quux lent me the mouse", ""),
    ]


def test_links_to_a_host_of_the_same_name_stay(world: World) -> None:
    Player.objects.filter(pk=world.anna.pk).update(**name_columns("Cliphost"))
    match = Match.objects.filter(participants__player=world.anna, state="confirmed")[0]
    other = match.participants.exclude(player=world.anna).get().player
    link = "https://cliphost.example/abc123"
    said = f"See {link}"
    Statement.objects.create(match=match, player=other, proof=link, comment=said, at=clock.now())
    reason = f"Aimbot: {link}"
    impose(player=other, kind=SanctionKind.WARNING, reason=reason, by=None, note=said)
    audit.record(actor=None, action="match.dispute_resolved", target=match, note=said)
    call_command("delete_person", "--player", str(world.anna.pk), "--note", "x", stdout=StringIO())
    statement = Statement.objects.get()
    assert (statement.proof, statement.comment) == (link, said)
    assert Sanction.objects.get().reason == reason
    assert AuditEntry.objects.get(action="match.dispute_resolved").note == said


def test_what_a_link_says_below_its_host_goes(world: World) -> None:
    Player.objects.filter(pk=world.anna.pk).update(**name_columns("Müllerin"))
    match = Match.objects.filter(participants__player=world.anna, state="confirmed")[0]
    other = match.participants.exclude(player=world.anna).get().player
    link = "https://cliphost.example/u/M%C3%BCllerin"
    Statement.objects.create(match=match, player=other, proof=link, comment=link, at=clock.now())
    call_command("delete_person", "--player", str(world.anna.pk), "--note", "x", stdout=StringIO())
    statement = Statement.objects.get()
    assert statement.proof == ""
    assert statement.comment == "https://cliphost.example/(removed)"


def test_sanctions_on_others_lose_the_name_alone(world: World) -> None:
    """What the other did holds. Of somebody who never met the person it is another's name, or a usual word."""
    Player.objects.filter(pk=world.anna.pk).update(**name_columns("Zebulon"))
    stranger, _ = enrol(game=world.other_game, external_id="s-1", name="Socrates")
    unmet, _ = enrol(game=world.site.arena.game, external_id="u-1", name="Unmet")
    for player in (world.site.arena.players[1], stranger, unmet):
        kind, reason = SanctionKind.WARNING, "Insulted Zebulon's mother"
        sanction = impose(player=player, kind=kind, reason=reason, by=None, note="Zebulon wrote")
        lift(sanction_id=sanction.pk, by=None, note="Enough")
    call_command("delete_person", "--player", str(world.anna.pk), "--note", "x", stdout=StringIO())
    theirs, kept = "Insulted (removed) mother", "Insulted Zebulon's mother"
    assert list(Sanction.objects.order_by("pk").values_list("reason", flat=True)) == [
        theirs,
        kept,
        kept,
    ]
    imposed = AuditEntry.objects.filter(action="player.sanctioned").order_by("pk")
    assert [((entry.after or {})["reason"], entry.note) for entry in imposed] == [
        (theirs, "(removed) wrote"),
        (kept, "Zebulon wrote"),
        (kept, "Zebulon wrote"),
    ]
    lifted = AuditEntry.objects.filter(action="player.sanction_lifted").order_by("pk")
    assert [((entry.before or {})["reason"], entry.note) for entry in lifted] == [
        (theirs, "Enough"),
        (kept, "Enough"),
        (kept, "Enough"),
    ]


def test_so_do_notes_on_the_conduct_of_others(world: World) -> None:
    Player.objects.filter(pk=world.anna.pk).update(**name_columns("Zebulon"))
    unmet, _ = enrol(game=world.site.arena.game, external_id="u-1", name="Unmet")
    for player in (world.site.arena.players[1], unmet):
        conduct = Conduct.objects.create(player=player, score=3.0, as_of=clock.now())
        for action in ("conduct.added", "conduct.changed"):
            audit.record(actor=None, action=action, target=conduct, note="Insulted Zebulon")
    call_command("delete_person", "--player", str(world.anna.pk), "--note", "x", stdout=StringIO())
    told = AuditEntry.objects.filter(action__startswith="conduct.").order_by("pk")
    assert [entry.note for entry in told] == [
        *["Insulted (removed)"] * 2,
        *["Insulted Zebulon"] * 2,
    ]


def test_so_do_other_notes_on_opponents(world: World) -> None:
    """On their merges, accounts, searches and parties; those of players whom they never met stay."""
    anna, met = world.anna, world.site.arena.players[1]
    Player.objects.filter(pk=anna.pk).update(**name_columns("Zebulon"))
    unmet, _ = enrol(game=world.site.arena.game, external_id="u-1", name="Unmet")
    note = "As Zebulon says"
    for player, theirs in ((met, "Ottilie"), (unmet, "Walburga")):
        user = User.objects.create_user(theirs)
        Player.objects.filter(pk=player.pk).update(user=user)
        second, _ = enrol(game=player.game, external_id=f"second-{player.pk}", name=theirs)
        merge(player=second, into=player, by=None, note=note)
        unmerge(player=Player.objects.get(pk=second.pk), by=None, note=note)
        for action in ("player.moved", "player.changed"):
            audit.record(actor=None, action=action, target=player, note=note)
        audit.record(actor=None, action="user.access_ended", target=user, note=note)
        had = {"state": "waiting", "players": [player.pk]}
        ticket, party = Ticket(pk=4711 + player.pk), Party(pk=4711 + player.pk)
        audit.record(
            actor=None, action="ticket.cancelled", target=ticket, before=had, after={}, note=note
        )
        party_had = {"leader": player.pk, "members": [player.pk]}
        audit.record(
            actor=None, action="party.dissolved", target=party, before=party_had, note=note
        )
    call_command("delete_person", "--player", str(anna.pk), "--note", "x", stdout=StringIO())
    told = AuditEntry.objects.filter(note__contains="says").order_by("pk")
    assert [entry.note for entry in told] == ["As (removed) says"] * 7 + [note] * 7


def test_usual_words_name_nobody(world: World) -> None:
    """Else anybody could have words about others removed, by having been called so."""
    user, bjorn = make_account(), world.site.arena.players[1]
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    usual = ["aimbot", "evidence", "clip", "https", "he", "left", "see", "[see]", "HTTPS clip"]
    for name in (*usual, "Zebulon"):
        Player.objects.filter(pk=world.anna.pk).update(**name_columns(name))
    reason, note = "aimbot in pm1, see clip", "evidence: aimbot clip https://clips.example/77"
    impose(player=bjorn, kind=SanctionKind.WARNING, reason=reason, by=None, note=note)
    audit.record(actor=None, action="match.dispute_resolved", target=world.hidden, note=note)
    said = "he left, see clip"
    proof = "https://clips.example/aimbot"
    Statement.objects.create(match=world.hidden, player=bjorn, comment=said, proof=proof)
    delete_account(user, by=None)
    assert Sanction.objects.get(player=bjorn).reason == reason
    imposed = AuditEntry.objects.get(action="player.sanctioned")
    assert ((imposed.after or {})["reason"], imposed.note) == (reason, note)
    assert AuditEntry.objects.get(action="match.dispute_resolved").note == note
    assert Statement.objects.values_list("comment", "proof").get() == (said, proof)


def test_nor_do_words_that_are_told_of_several_strangers(world: World) -> None:
    """Sanctions, notes and statements count, once for each of whom or by whom they are; of a name all its words."""
    anna, met = world.anna, world.site.arena.players[1]
    for name in ("wallbang", "Wallbang Zebulon", "Zebulon"):
        Player.objects.filter(pk=anna.pk).update(**name_columns(name))
    unmet = [
        enrol(game=world.site.arena.game, external_id=f"u-{one}", name=f"U{one}")[0]
        for one in range(3)
    ]
    for _ in range(3):
        impose(player=unmet[0], kind=SanctionKind.NOTE, reason="Zebulon saw a wallbang", by=None)
    audit.record(actor=None, action="player.changed", target=unmet[1], note="zebulon: wallbang")
    match = Match.objects.exclude(participants__player=anna)[0]
    Statement.objects.create(match=match, player=unmet[2], comment="He used a WALLBANG!")
    reason = "Wallbang, Zebulon says, and Wallbang Zebulon too"
    sanction = impose(player=met, kind=SanctionKind.WARNING, reason=reason, by=None)
    call_command("delete_person", "--player", str(anna.pk), "--note", "x", stdout=StringIO())
    sanction.refresh_from_db()
    assert sanction.reason == "Wallbang, (removed) says, and (removed) too"


def test_no_name_is_looked_for_in_the_database(world: World) -> None:
    """One who had thousands could not be deleted: each was compared with each entry of the log."""
    names = [f"Zebulon{number}x" for number in range(4)]
    for name in names:
        Player.objects.filter(pk=world.anna.pk).update(**name_columns(name))
    met = world.site.arena.players[1]
    for name in names:
        impose(player=met, kind=SanctionKind.WARNING, reason=f"Insulted {name}", by=None)
    with CaptureQueriesContext(connection) as asked:
        delete_player(Player.objects.get(pk=world.anna.pk), by=None)
    looked = [query["sql"] for query in asked if '"accounts_auditentry"' in query["sql"]]
    assert looked
    assert [sql for sql in looked if "zebulon0x" in sql.lower()] == []
    reasons = Sanction.objects.filter(player=met).values_list("reason", flat=True)
    assert set(reasons) == {"Insulted (removed)"}


@pytest.mark.parametrize("called", ["Google", "Shorts", "drive", "attachments", "Playlist"])
def test_words_of_links_to_recordings_name_nobody(world: World, called: str) -> None:
    Player.objects.filter(pk=world.anna.pk).update(**name_columns(called))
    world.anna.refresh_from_db()
    naming = naming_of([world.anna], None)
    link = "https://drive.google.example/attachments/shorts/playlist"
    assert naming.cut_from(link) == link
