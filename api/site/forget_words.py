"""Words about a person who is taken out of the site, where more than that person is told of: in the audit log, beside
matches, in corrections and sanctions. What stays says who did what and when, and nothing of the person.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.models import CharField, Model, Q, QuerySet
from django.db.models.functions import Cast

from accounts.deletion import DELETIONS
from accounts.models import AuditEntry, User
from api.site.naming import REMOVED, Naming
from api.site.taken import Taken
from matchmaking.models import Conduct, Offence, OffenceAppeal, TicketMember
from moderation.models import Case
from ratings.models import (
    Correction,
    ImportedFile,
    Match,
    Participant,
    Player,
    Sanction,
    Statement,
)
from ratings.models.reports import LONGEST_COMMENT
from ratings.models.sanctions import LONGEST_REASON

__all__ = [
    "forget_conduct_in_logs",
    "forget_further_columns",
    "forget_in_audit_log",
    "forget_in_carried",
    "forget_in_decisions",
    "forget_in_exports",
    "forget_in_logs",
    "forget_in_notes_on_others",
    "forget_in_sanctions",
    "forget_in_statements",
    "without_usual",
]

_M = TypeVar("_M", bound=Model)

# Goals and the like, of which others' results speak, too; no telephone number.
_NUMBER = r"^-?[0-9]{1,5}([.,][0-9]{1,5})?$"
_FORGET_COLUMNS = """
UPDATE ratings_match
SET extra = coalesce(
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(extra) WHERE value #>> '{}' ~ %(number)s), '{}'
)
WHERE id = ANY(%(matches)s)
    AND EXISTS (SELECT FROM jsonb_each(extra) WHERE (value #>> '{}' ~ %(number)s) IS NOT TRUE)
"""
_MANY, _TAKEN_BACK = "matches.annulled", "importedfile.taken_back"
_OF_A_MATCH = ("match.aborted", "match.annulled", "match.dispute_resolved")
_MERGES = ("player.merged", "player.unmerged")
_ENDED = ("ticket.cancelled", "party.dissolved", "group.dissolved", "clan.dissolved")
# About what several people had part in: they stay, but for what a note tells of one.
_DECISIONS = (_MANY, _TAKEN_BACK, *_OF_A_MATCH, *_MERGES, *_ENDED)
# A word that stands in words about, or by, so many who have nothing to do with the person is a usual one. One or two
# may mean the person; and nobody shall keep a name here by writing it elsewhere once.
_USUAL = 3
_PLAYER, _CONDUCT = Player._meta.label_lower, Conduct._meta.label_lower
_OFFENCE, _OFFENCE_APPEAL = Offence._meta.label_lower, OffenceAppeal._meta.label_lower
_CASE = Case._meta.label_lower
_MATCH, _ACCOUNT = Match._meta.label_lower, User._meta.label_lower


def forget_in_carried(player: Player, taken: Taken) -> None:
    """Sanctions on the player that another had, too, by a merge, though it may have been taken back."""
    carried = Sanction.objects.filter(carried_from__player=player)
    for pk, other in list(carried.values_list("pk", "player")):
        told = Q(before__sanction=pk) | Q(after__sanction=pk)
        of_other = AuditEntry.objects.filter(
            told, target_type=Player._meta.label_lower, target_id=str(other)
        )
        forget_in_audit_log(of_other, taken)
    taken.replace(carried, reason=REMOVED)


def forget_in_decisions(player: Player, naming: Naming, taken: Taken) -> None:
    """Reasons that name the person: of corrected results, on pages of matches and in the audit log, and of what else
    was decided about the player's matches, imports with them, merges, searches and parties.
    """
    # Also where they count for another now.
    own = Participant.objects.filter(Q(player=player) | Q(reported_as=player))
    corrections = Correction.objects.filter(match__in=own.values("match"))
    reasons = corrections.values_list("pk", "reason")
    named = [pk for pk, reason in reasons if naming.are_in(reason)]
    naming_them = Correction.objects.filter(pk__in=named)
    matches = [str(pk) for pk in naming_them.values_list("match", flat=True)]
    taken.replace(naming_them, reason=REMOVED)
    corrected = AuditEntry.objects.filter(action="match.corrected", target_id__in=matches)
    forget_in_audit_log(corrected, taken)
    sources = own.exclude(match__source=None).values_list("match__source", flat=True)
    files = {pk for pk in sources.order_by().distinct() if pk is not None}
    _forget_in_imports(files, naming, taken)
    ids = set(own.values_list("match", flat=True))
    of_others = AuditEntry.objects.filter(action__in=_OF_A_MATCH).exclude(
        target_id__in=[str(pk) for pk in ids]
    )
    noted = AuditEntry.objects.filter(action__in=_DECISIONS).exclude(note="")
    told = [
        entry.pk
        for entry in noted.exclude(pk__in=of_others.values("pk")).iterator()
        if naming.are_in(entry.note) and _is_about(entry, player.pk, matches=ids, files=files)
    ]
    # Their other columns say what became of a match, and of whom else it tells.
    forget_in_audit_log(AuditEntry.objects.filter(pk__in=told), taken, note=REMOVED)
    # Why a search or party of theirs was ended tells of them also without a name.
    tickets = TicketMember.objects.filter(Q(player=player) | Q(reported_as=player))
    numbers = [str(pk) for pk in tickets.values_list("ticket", flat=True)]
    had_part = (
        Q(before__members__contains=[player.pk])
        | Q(before__players__contains=[player.pk])
        | Q(action="ticket.cancelled", target_id__in=numbers)
    )
    ended = AuditEntry.objects.filter(had_part, action__in=_ENDED)
    forget_in_audit_log(ended, taken, note=REMOVED)


def _forget_in_imports(files: set[int], naming: Naming, taken: Taken) -> None:
    """Why imports were taken back."""
    notes = ImportedFile.objects.filter(pk__in=files)
    told = notes.values_list("pk", "taken_back_note")
    named = [pk for pk, note in told if naming.are_in(note)]
    taken.replace(ImportedFile.objects.filter(pk__in=named), taken_back_note=REMOVED)


def _is_about(entry: AuditEntry, player: int, *, matches: set[int], files: set[int]) -> bool:
    """Whether the player had part in what was decided. `matches`, `files`: ids of its own, and of imports with them."""
    before, after = entry.before or {}, entry.after or {}
    if entry.action in _OF_A_MATCH:
        return int(entry.target_id) in matches
    if entry.target_type == ImportedFile._meta.label_lower:  # as annulled, and as taken back
        return int(entry.target_id) in files
    if entry.action == _MANY:
        named = after.get("matches", ())
        if after.get("count", 0) <= len(named) or not matches.isdisjoint(named):
            return not matches.isdisjoint(named)
        # Of very many the entry names the first ones alone: those of the same game may have the player's among them.
        game = Player.objects.filter(pk=player).values("game")
        return Match.objects.filter(pk__in=named, ladder__game__in=game).exists()
    if entry.action in _MERGES:
        return player in (before.get("into"), after.get("into"))
    # Of a search that is gone, and from before its entry named who was in it: nobody can tell whose it was.
    is_kept = TicketMember.objects.filter(ticket=int(entry.target_id)).exists()
    return entry.action == "ticket.cancelled" and "players" not in before and not is_kept


def forget_conduct_in_logs(player: Player, taken: Taken) -> None:
    """What the audit log tells of the player's conduct, also of a score that is gone."""
    of_conduct = AuditEntry.objects.filter(
        target_type=Conduct._meta.label_lower, target_id=str(player.pk)
    )
    forget_in_logs([], taken, gone=of_conduct)


def forget_further_columns(player: Player, taken: Taken) -> None:
    """Words that imported files have beside the player's matches: who is told of by them, nobody knows. No rating
    rests on them.
    """
    own = Participant.objects.filter(Q(player=player) | Q(reported_as=player))
    matches = list(own.values_list("match", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(_FORGET_COLUMNS, {"matches": matches, "number": _NUMBER})
        taken.replaced[Match] += cursor.rowcount


def forget_in_exports(naming: Naming, taken: Taken) -> None:
    """That files of the audit log were asked for by what the person is called."""
    columns = ("person", "q")
    exported = AuditEntry.objects.filter(action="auditlog.exported", after__has_key="filter")
    named = [
        pk
        for pk, asked in exported.values_list("pk", "after__filter")
        if any(naming.are_in(asked.get(column, "")) for column in columns)
    ]
    forget_in_audit_log(AuditEntry.objects.filter(pk__in=named), taken)


def forget_in_statements(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What the person is called in what others said to whoever decides their matches. What else they said stays: it is
    about a match of theirs, that may be undecided. A link with a name in it leads nowhere without it, and goes; not
    where the name is the host's alone, as many people's links are.
    """
    ids = [one.pk for one in players]
    said = Statement.objects.filter(match__in=_own_matches(ids)).exclude(player__in=ids)
    named = [
        pk
        for pk, comment, proof in said.values_list("pk", "comment", "proof")
        if naming.are_in(comment) or naming.are_in(proof)
    ]
    for pk, comment, proof in list(_held(said, named).values_list("pk", "comment", "proof")):
        kept = "" if naming.are_in(proof) else proof
        cut = naming.cut_from(comment)[:LONGEST_COMMENT]
        taken.replace(Statement.objects.filter(pk=pk), comment=cut, proof=kept)


def forget_in_sanctions(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """Names in reasons of sanctions on others who have been in a match with the person. The rest of a reason stays: it
    holds for the other.
    """
    ids = [one.pk for one in players]
    # Those that were carried over from the person: forget_in_carried.
    carried = Sanction.objects.filter(player__in=ids).values("pk")
    imposed = Sanction.objects.filter(player__in=_met(ids)).exclude(carried_from__in=carried)
    reasons = imposed.values_list("pk", "reason")
    named = [pk for pk, reason in reasons if naming.are_in(reason)]
    for pk, reason in list(_held(imposed, named).values_list("pk", "reason")):
        cut = naming.cut_from(reason)[:LONGEST_REASON]
        taken.replace(Sanction.objects.filter(pk=pk), reason=cut)


def forget_in_notes_on_others(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """The same in what the audit log notes on these others: on the players, their conduct, offences, cases, accounts
    and merges, and on searches and parties of theirs that were ended.
    """
    ids, others = {one.pk for one in players}, _met([one.pk for one in players])
    accounts = others.exclude(user=None)
    offences = Offence.objects.filter(player__in=others)
    appeals = OffenceAppeal.objects.filter(offence__in=offences)
    about = (
        Q(target_type__in=(_PLAYER, _CONDUCT), target_id__in=_as_targets(others, "pk"))
        | Q(target_type=_ACCOUNT, target_id__in=_as_targets(accounts, "user_id"))
        | Q(target_type=_OFFENCE, target_id__in=_as_targets(offences, "pk"))
        | Q(
            target_type=_OFFENCE_APPEAL,
            target_id__in=_as_targets(appeals, "pk"),
        )
        | Q(target_type=_CASE)
        | Q(action__in=(*_MERGES, *_ENDED))
    )
    met = set(others.values_list("pk", flat=True))
    named = []
    for entry in AuditEntry.objects.filter(about).iterator():
        texts = entry.note, _reason_in(entry.before), _reason_in(entry.after)
        if any(map(naming.are_in, texts)):
            concerned = _concerned(entry)
            # Those of the person go whole: forget_in_decisions.
            if concerned is None or (concerned & met and not concerned & ids):
                named.append(entry.pk)
    with _forgetting():  # once, for there may be thousands
        for entry in list(_held(AuditEntry.objects.all(), named)):
            taken.replaced[AuditEntry] += AuditEntry.objects.filter(pk=entry.pk).update(
                before=_without(naming, entry.before),
                after=_without(naming, entry.after),
                note=naming.cut_from(entry.note),
            )


def _concerned(entry: AuditEntry) -> set[int] | None:
    """Players whom a merge, or an ended search or party, concerned; None for entries about one player or account."""
    before, after = entry.before or {}, entry.after or {}
    if entry.action in _MERGES:
        into = (before.get("into"), after.get("into"))
        return {int(entry.target_id), *(one for one in into if one is not None)}
    if entry.action not in _ENDED:
        return None
    concerned = {*before.get("players", ()), *before.get("members", ())}
    if entry.action == "ticket.cancelled":
        members = TicketMember.objects.filter(ticket=int(entry.target_id))
        for named in members.values_list("player", "reported_as"):
            concerned |= {one for one in named if one is not None}
    return concerned


def without_usual(players: Sequence[Player], naming: Naming) -> Naming:
    """The naming without words that are usual on this site: they stand in what is told of several players whom the
    person has never met, and of matches that the person had no part in.
    """
    ids = [one.pk for one in players]
    own = set(_own_matches(ids).values_list("match", flat=True))
    near = {*ids, *_met(ids).values_list("pk", flat=True)}
    words = Naming(naming.words, ())
    told_of = defaultdict[str, set[tuple[str, int]]](set)

    def read(text: str, kind: str, pk: int) -> None:
        if pk not in (own if kind == _MATCH else near):
            for word in words.found_in(text):
                told_of[word].add((kind, pk))

    for player, reason in Sanction.objects.values_list("player", "reason").iterator():
        read(reason, _PLAYER, player)
    kinds = (_PLAYER, _CONDUCT, _MATCH)
    noted = AuditEntry.objects.filter(target_type__in=kinds).exclude(note="")
    noted = noted.exclude(action__in=_MERGES)  # of two players
    for kind, target, note in noted.values_list("target_type", "target_id", "note").iterator():
        read(note, _MATCH if kind == _MATCH else _PLAYER, int(target))
    said = Statement.objects.exclude(comment="").exclude(match__in=_own_matches(ids))
    for player, comment in said.values_list("player", "comment").iterator():
        read(comment, _PLAYER, player)
    return naming.but_for({word for word, those in told_of.items() if len(those) >= _USUAL})


def _own_matches(ids: Sequence[int]) -> QuerySet[Participant, Any]:
    own = Participant.objects.filter(Q(player__in=ids) | Q(reported_as__in=ids))
    return own.values("match")


def _met(ids: Sequence[int]) -> QuerySet[Player]:
    """Others who have been in a match with one of these players: a word that names somebody there is another's, or a
    usual one, elsewhere.
    """
    seats = Participant.objects.filter(match__in=_own_matches(ids))
    merged = seats.exclude(reported_as=None).values("reported_as")
    met = Player.objects.filter(Q(pk__in=seats.values("player")) | Q(pk__in=merged))
    return met.exclude(pk__in=ids)


def _held(rows: QuerySet[_M], named: Sequence[int]) -> QuerySet[_M]:
    """Rows that name the person, held: somebody else may be deleted now whom the same words name."""
    held = rows.model._default_manager.filter(pk__in=named).order_by("pk")
    return held.select_for_update(no_key=True)


def _as_targets(rows: QuerySet[_M], column: str) -> QuerySet[_M, Any]:
    """As the audit log writes what it is about."""
    return rows.values_list(Cast(column, CharField()), flat=True)


def _reason_in(told: dict[str, Any] | None) -> str:
    reason = (told or {}).get("reason")
    return reason if isinstance(reason, str) else ""


def _without(naming: Naming, told: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the audit log tells of a sanction, with what names the person cut from its reason."""
    reason = _reason_in(told)
    return {**told, "reason": naming.cut_from(reason)} if told and reason else told


def forget_in_logs(
    things: Iterable[Model], taken: Taken, gone: QuerySet[AuditEntry] | None = None
) -> None:
    """What the audit log tells of these, and of such as are gone already, of which it has the entries `gone`.

    That a person was deleted before, which names nobody, stays. Django's own log of the admin, which repeats it with
    the names of things, loses its lines on them.
    """
    told = {(thing._meta.label_lower, str(thing.pk)) for thing in things}
    if gone is not None:
        told |= set(gone.values_list("target_type", "target_id"))
    for kind in {kind for kind, _ in told}:
        numbers = [number for of, number in told if of == kind]
        told_of = AuditEntry.objects.filter(target_type=kind, target_id__in=numbers)
        told_of = told_of.exclude(action__in=DELETIONS)
        forget_in_audit_log(told_of, taken)
        app, model = kind.split(".")
        lines = LogEntry.objects.filter(
            content_type__app_label=app, content_type__model=model, object_id__in=numbers
        )
        taken.delete(lines)


def forget_in_audit_log(entries: QuerySet[AuditEntry], taken: Taken, **columns: Any) -> None:
    """Who did what to them and when stays; what it was, and why, told of the person: these columns, or all such."""
    columns = columns or {"before": None, "after": None, "note": REMOVED}
    # Not again what is empty already: it was counted.
    empty = {name if text else f"{name}__isnull": text or True for name, text in columns.items()}
    with _forgetting():
        taken.replaced[AuditEntry] += entries.exclude(**empty).update(**columns)


@contextmanager
def _forgetting() -> Iterator[None]:
    """Else the log refuses every change."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person TO DEFAULT")
