"""Reports, appeals, decisions and names of a person who is taken out of the site, and what others wrote there."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Model, QuerySet

from api.site.forget_words import forget_in_logs
from api.site.naming import REMOVED, Naming
from api.site.taken import Taken
from matchmaking.conduct.moderation import LONGEST_REASON as LONGEST_REASON_OF_CONDUCT
from matchmaking.models import Offence, OffenceAppeal
from moderation.models import Appeal, Case, Decision, NameChange, PlayerReport
from moderation.models.appeals import LONGEST_APPEAL
from moderation.models.cases import LONGEST_REASON
from moderation.models.reports import LONGEST_REPORT
from ratings.models import Player

__all__ = ["cut_column", "forget_in_cases", "take_out_cases"]


def forget_in_cases(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What the person is called in what others wrote at the desk of the same games. The rest of it stays."""
    ids, games = [one.pk for one in players], {one.game_id for one in players}
    reports = PlayerReport.objects.filter(reported__game__in=games).exclude(reported__in=ids)
    cut_column(reports.exclude(reporter__in=ids), "text", LONGEST_REPORT, naming, taken)
    appeals = Appeal.objects.filter(player__game__in=games).exclude(player__in=ids)
    cut_column(appeals, "text", LONGEST_APPEAL, naming, taken)
    cut_column(Decision.objects.all(), "reason", LONGEST_REASON, naming, taken)
    offences = Offence.objects.filter(player__game__in=games).exclude(player__in=ids)
    for column in ("reason", "taken_back_because"):
        cut_column(offences, column, LONGEST_REASON_OF_CONDUCT, naming, taken)
    of_points = OffenceAppeal.objects.filter(offence__in=offences)
    cut_column(of_points, "text", LONGEST_APPEAL, naming, taken)
    cut_column(of_points, "reason", LONGEST_REASON_OF_CONDUCT, naming, taken)
    _cut_lines(reports, lambda line: naming.are_in(_said(line)), naming.cut_from, taken)


def take_out_cases(player: Player, taken: Taken) -> None:
    """The player's own: what others reported of it goes with its cases, what it said of others loses its words."""
    about = Case.objects.filter(report__reported=player) | Case.objects.filter(
        appeal__player=player
    )
    forget_in_logs(list(about), taken)
    taken.delete(PlayerReport.objects.filter(reported=player))
    taken.delete(Appeal.objects.filter(player=player))
    taken.delete(NameChange.objects.filter(player=player))
    taken.replace(PlayerReport.objects.filter(reporter=player), text="")
    _cut_lines(
        PlayerReport.objects.exclude(lines=[]),
        lambda line: line.get("player") == player.pk,
        lambda _: REMOVED,
        taken,
    )


def cut_column(rows: QuerySet[Any], column: str, most: int, naming: Naming, taken: Taken) -> None:
    """Replace what the person is called in a text of these rows; the rest of it stays."""
    texts = rows.exclude(**{column: ""}).values_list("pk", column)
    named = [pk for pk, text in texts.iterator() if naming.are_in(text)]
    held = rows.model._default_manager.filter(pk__in=named).order_by("pk")
    for pk, text in list(held.select_for_update(no_key=True).values_list("pk", column)):
        cut = naming.cut_from(text)[:most]
        taken.replace(rows.model._default_manager.filter(pk=pk), **{column: cut})


def _cut_lines(
    reports: QuerySet[PlayerReport],
    is_theirs: Callable[[dict[str, Any]], bool],
    cut: Callable[[str], str],
    taken: Taken,
) -> None:
    kept: Iterable[tuple[int, list[dict[str, Any]]]] = reports.exclude(lines=[]).values_list(
        "pk", "lines"
    )
    for pk, lines in list(kept):
        if not any(is_theirs(line) for line in lines):
            continue
        rows: QuerySet[Model] = PlayerReport.objects.filter(pk=pk)
        without = [
            {**line, "name": cut(line["name"]), "text": cut(line["text"])}
            if is_theirs(line)
            else line
            for line in lines
        ]
        taken.replace(rows, lines=without)


def _said(line: dict[str, Any]) -> str:
    return f"{line.get('name', '')}\n{line.get('text', '')}"
