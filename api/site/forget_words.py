"""Words about a person who is taken out of the site, where more than that person is told of: in the audit log, beside
matches, in corrections and sanctions. What stays says who did what and when, and nothing of the person.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.models import Model, Q, QuerySet

from accounts.models import AuditEntry
from api.site.naming import REMOVED, Naming
from matchmaking.models import Conduct, TicketMember
from ratings.models import (
    Correction,
    ImportedFile,
    Match,
    Participant,
    Player,
    Sanction,
    Statement,
)
from ratings.models.sanctions import LONGEST_REASON

__all__ = [
    "Taken",
    "forget_conduct_in_logs",
    "forget_further_columns",
    "forget_in_audit_log",
    "forget_in_carried",
    "forget_in_decisions",
    "forget_in_exports",
    "forget_in_logs",
    "forget_in_sanctions",
    "forget_in_statements",
]

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
_SANCTIONS = ("player.sanctioned", "player.sanction_lifted", "conduct.added", "conduct.changed")
_ENDED = ("ticket.cancelled", "party.dissolved")
# About what several people had part in: they stay, but for what a note tells of one.
_DECISIONS = (_MANY, _TAKEN_BACK, *_OF_A_MATCH, *_MERGES, *_ENDED)


@dataclass(slots=True)
class Taken:
    """What is taken out of the site, or would be.

    players   ids of those that are taken out, and stay under a number
    renamed   names and ids in games, and what takes their place
    deleted   rows that go, by model
    replaced  rows that stay without what they tell of the person, by model
    """

    players: list[int] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    deleted: Counter[type[Model]] = field(default_factory=Counter)
    replaced: Counter[type[Model]] = field(default_factory=Counter)

    def delete(self, rows: QuerySet[Any]) -> None:
        """Delete these, and what goes with them."""
        for label, number in rows.delete()[1].items():
            self.deleted[apps.get_model(label)] += number

    def replace(self, rows: QuerySet[Any], **columns: Any) -> None:
        """Let these columns of those rows that hold something else tell nothing."""
        self.replaced[rows.model] += rows.exclude(**columns).update(**columns)


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
    reasons = corrections.filter(naming.may_be_in("reason")).values_list("pk", "reason")
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
    noted = AuditEntry.objects.filter(naming.may_be_in("note"), action__in=_DECISIONS)
    told = [
        entry.pk
        for entry in noted
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
    notes = ImportedFile.objects.filter(naming.may_be_in("taken_back_note"), pk__in=files)
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
    asked = naming.may_be_in("after__filter__person") | naming.may_be_in("after__filter__q")
    exported = AuditEntry.objects.filter(asked, action="auditlog.exported")
    named = [
        pk
        for pk, after in exported.values_list("pk", "after")
        if any(naming.are_in((after or {})["filter"].get(column, "")) for column in columns)
    ]
    forget_in_audit_log(AuditEntry.objects.filter(pk__in=named), taken)


def forget_in_statements(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What others said of the person to whoever decides their matches: comments and links that name the person go."""
    ids = [one.pk for one in players]
    own = Participant.objects.filter(Q(player__in=ids) | Q(reported_as__in=ids))
    said = Statement.objects.filter(match__in=own.values("match")).exclude(player__in=ids)
    for pk, comment, proof in list(said.values_list("pk", "comment", "proof")):
        columns: dict[str, str] = {}
        if naming.are_in(comment):
            columns["comment"] = REMOVED
        if naming.are_in(unquote(proof)):
            columns["proof"] = ""
        if columns:
            taken.replace(Statement.objects.filter(pk=pk), **columns)


def forget_in_sanctions(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """Names in reasons of sanctions on others who have been in a match with the person, and in what the audit log tells
    of these: a usual word that somebody was called by goes from nobody else's. The rest of a reason stays: it holds for
    the other.
    """
    ids = [one.pk for one in players]
    own = Participant.objects.filter(Q(player__in=ids) | Q(reported_as__in=ids))
    seats = Participant.objects.filter(match__in=own.values("match"))
    merged = seats.exclude(reported_as=None).values("reported_as")
    met = Player.objects.filter(Q(pk__in=seats.values("player")) | Q(pk__in=merged))
    others = met.exclude(pk__in=ids)
    imposed = Sanction.objects.filter(naming.may_be_in("reason"), player__in=others)
    # Those that were carried over from the person: forget_in_carried.
    carried = Sanction.objects.filter(player__in=ids).values("pk")
    imposed = imposed.exclude(carried_from__in=carried).order_by("pk")
    # Held, for somebody else may be deleted now whom the same reason names.
    for pk, reason in list(imposed.select_for_update(no_key=True).values_list("pk", "reason")):
        cut = naming.cut_from(reason)
        if cut != reason:
            taken.replace(Sanction.objects.filter(pk=pk), reason=cut[:LONGEST_REASON])
    noted = (
        naming.may_be_in("note")
        | naming.may_be_in("before__reason")
        | naming.may_be_in("after__reason")
    )
    of_players = AuditEntry.objects.filter(noted, action__in=_SANCTIONS).order_by("pk")
    for entry in list(of_players.select_for_update(no_key=True)):
        had = {"before": entry.before, "after": entry.after, "note": entry.note}
        has = {
            "before": _without(naming, entry.before),
            "after": _without(naming, entry.after),
            "note": naming.cut_from(entry.note),
        }
        if has != had and others.filter(pk=int(entry.target_id)).exists():
            forget_in_audit_log(AuditEntry.objects.filter(pk=entry.pk), taken, **has)


def _without(naming: Naming, told: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the audit log tells of a sanction, with what names the person cut from its reason."""
    if told is None or not isinstance(told.get("reason"), str):
        return told
    return {**told, "reason": naming.cut_from(told["reason"])}


def forget_in_logs(
    things: Iterable[Model], taken: Taken, gone: QuerySet[AuditEntry] | None = None
) -> None:
    """What the audit log tells of these, and of such as are gone already, of which it has the entries `gone`.

    Django's own log of the admin, which repeats it with the names of things, loses its lines on them.
    """
    told = {(thing._meta.label_lower, str(thing.pk)) for thing in things}
    if gone is not None:
        told |= set(gone.values_list("target_type", "target_id"))
    for kind in {kind for kind, _ in told}:
        numbers = [number for of, number in told if of == kind]
        told_of = AuditEntry.objects.filter(target_type=kind, target_id__in=numbers)
        forget_in_audit_log(told_of, taken)
        app, model = kind.split(".")
        lines = LogEntry.objects.filter(
            content_type__app_label=app, content_type__model=model, object_id__in=numbers
        )
        taken.delete(lines)


def forget_in_audit_log(entries: QuerySet[AuditEntry], taken: Taken, **columns: Any) -> None:
    """Who did what to them and when stays; what it was, and why, told of the person: these columns, or all such."""
    columns = columns or {"before": None, "after": None, "note": REMOVED}
    with connection.cursor() as cursor:  # else the log refuses every change
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
    # Not again what is empty already: it was counted.
    empty = {name if text else f"{name}__isnull": text or True for name, text in columns.items()}
    taken.replaced[AuditEntry] += entries.exclude(**empty).update(**columns)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person TO DEFAULT")
