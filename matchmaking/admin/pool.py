"""The life of a pool: when its players search and play, how many are new and lost, and who quits."""

import csv
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import DataError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.audited_admin import may_see
from foundation import clock
from foundation.postgresql.transactions import one_snapshot
from matchmaking.admin.pool_week import FIGURES, heat_map
from matchmaking.models import Queue
from matchmaking.pool.activity import Activity, activity_of
from matchmaking.pool.people import LEAST, habits_of
from matchmaking.pool.period import ABSENT, LONGEST, Period, as_far_as_possible
from matchmaking.pool.searches import Searches, searches_of
from ratings.models import Game, Ladder

__all__ = ["show_pool"]

TEMPLATE = "admin/matchmaking/queue/pool.html"
DAYS = {
    "7": gettext_lazy("the last 7 days"),
    "28": gettext_lazy("the last 28 days"),
    "91": gettext_lazy("the last 91 days"),
    "": gettext_lazy("these days:"),
}
_SEES = (
    "matchmaking.queue",
    "matchmaking.ticket",
    "matchmaking.offer",
    "ratings.match",
    "ratings.player",
)
_DIGITS = 18  # of ids
_FILES = ("week", "stretches", "searches", "people")
# Days from which one can still count back and on.
_DAYS = (MinValueValidator(date(1971, 1, 1)), MaxValueValidator(date(9000, 12, 31)))


def _zone(name: str) -> None:
    """Both lists count: Python's is that of the machine, and PostgreSQL may have another, or an older one."""
    is_known = name in available_timezones()
    if is_known:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT now() AT TIME ZONE %s", [name])
        except DataError:
            is_known = False
    if not is_known:
        raise forms.ValidationError(
            _("“%(name)s” is no time zone: take a name such as Europe/Berlin or UTC.")
            % {"name": name}
        )


class PoolForm(forms.Form):
    """What is looked at."""

    game = forms.ModelChoiceField(
        label=gettext_lazy("Game"), queryset=Game.objects.order_by("name", "pk"), empty_label=None
    )
    queue = forms.ModelChoiceField(
        label=gettext_lazy("Queue"),
        queryset=Queue.objects.none(),
        required=False,
        empty_label=gettext_lazy("all, and matches without a queue"),
    )
    days = forms.ChoiceField(label=gettext_lazy("Time"), choices=list(DAYS.items()), required=False)
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        validators=_DAYS,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=gettext_lazy("To"),
        required=False,
        validators=_DAYS,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    zone = forms.CharField(
        label=gettext_lazy("Time zone"), max_length=60, required=False, validators=[_zone]
    )
    figure = forms.ChoiceField(
        label=gettext_lazy("By hour"), choices=list(FIGURES.items()), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game, queues = self["game"].value(), self.fields["queue"]
        number = str(game) if str(game).isdecimal() and len(str(game)) < _DIGITS else "0"
        queues.queryset = Queue.objects.filter(ladder__game=int(number)).order_by("name", "pk")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = said.get("since"), said.get("until")
        if said.get("days", "") == "" and not self.errors:
            if since is None or until is None:
                missing = "since" if since is None else "until"
                self.add_error(missing, _("Choose a day, or one of the times above."))
            elif until < since:
                self.add_error("until", _("The last day comes before the first."))
            elif until - since >= LONGEST:
                most = {"days": LONGEST.days}
                self.add_error("until", _("At most %(days)s days can be looked at.") % most)
        return said

    def period(self) -> Period:
        """What a valid form says; days begin at midnight of its zone."""
        said, now = self.cleaned_data, clock.now()
        zone = ZoneInfo(said["zone"] or timezone.get_default_timezone_name())
        if said["days"]:
            since, until = now - timedelta(days=int(said["days"])), now
        else:
            since = datetime.combine(said["since"], time(), zone)
            until = min(datetime.combine(said["until"] + timedelta(days=1), time(), zone), now)
            since = min(since, until)
        queues = [said["queue"]] if said["queue"] else self.fields["queue"].queryset  # type: ignore[attr-defined]
        ladders = Ladder.objects.filter(game=said["game"]).order_by("pk")
        return Period(
            ladders=tuple(ladders.values_list("pk", flat=True)),
            queues=tuple(queue.pk for queue in queues),
            is_queue=said["queue"] is not None,
            since=since,
            until=until,
            zone=zone,
        )


@require_safe
def show_pool(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """The page, or one of its tables as a file: `csv=week`, `stretches`, `searches` or `people`."""
    if not all(may_see(request, kind) for kind in _SEES):
        raise PermissionDenied
    name = request.GET.get("csv")
    if name is not None and name not in _FILES:
        words = {"name": name, "names": ", ".join(_FILES)}
        told = _("csv=%(name)s: must be one of %(names)s.") % words
        return HttpResponse(told, status=400, content_type="text/plain; charset=utf-8")
    form = PoolForm(_asked(request))
    context: dict[str, Any] = {
        **site.each_context(request),
        "opts": Queue._meta,
        "title": _("Who plays, and when"),
        "form": form,
    }
    if not form.is_valid():
        has_games = Game.objects.exists()
        return TemplateResponse(
            request, TEMPLATE, context | {"has_games": has_games}, status=400 if has_games else 200
        )
    with one_snapshot():
        asked = form.period()
        period = as_far_as_possible(asked)
        activity, searches = activity_of(period), searches_of(period, clock.now())
        habits = habits_of(period)
        earlier = as_far_as_possible(period.before)
        before = None
        if earlier == period.before:  # else it is no stretch of the same length
            before = (activity_of(earlier).totals, searches_of(earlier, clock.now()))
    tables = _tables(period, activity, searches, habits)
    if name is not None:
        return _file(name, tables[name])
    figure = form.cleaned_data["figure"] or "searches"
    query = request.GET.copy()
    query.pop("csv", None)
    return TemplateResponse(
        request,
        TEMPLATE,
        context
        | {
            "has_games": True,
            "period": period,
            "is_cut": period.since > asked.since,
            "totals": _totals(activity, searches, before),
            "figure": FIGURES[figure],
            "heat": heat_map(figure, period, activity, searches),
            "activity": activity,
            "searches": searches,
            "habits": [(_HABITS[name], rows) for name, rows in habits.items()],
            "least": LEAST,
            "absent": ABSENT.days,
            "query": query.urlencode(),
        },
    )


_HABITS = {
    "left": gettext_lazy("Leave matches early"),
    "declined": gettext_lazy("Decline offers"),
    "passed": gettext_lazy("Let offers pass"),
}


def _asked(request: HttpRequest) -> dict[str, Any]:
    """What the address says; of what it leaves out the first game, and four weeks."""
    asked = {name: request.GET[name] for name in PoolForm.base_fields if name in request.GET}
    queue, of_queue = asked.get("queue", ""), None
    if queue.isdecimal() and len(queue) < _DIGITS:
        games = Queue.objects.filter(pk=int(queue)).values_list("ladder__game", flat=True)
        of_queue = games.first()
    if "game" not in asked:
        first = of_queue or Game.objects.order_by("name", "pk").values_list("pk", flat=True).first()
        asked["game"] = "" if first is None else str(first)
    elif of_queue is not None and str(of_queue) != asked["game"]:
        del asked["queue"]  # another game was chosen beside a queue of the one before
    if "days" not in asked and "since" not in asked:
        asked["days"] = "28"
    asked.setdefault("zone", timezone.get_default_timezone_name())
    return asked


def _totals(
    activity: Activity, searches: Searches, before: tuple[Any, Searches] | None
) -> list[tuple[str, Any, Any, bool]]:
    """Name, figure, the same of as long before (None where that is not known), and whether it is a wait."""
    then, searched = before or (None, None)
    of_players = [
        (_("Matches"), "matches"),
        (_("Players"), "players"),
        (_("of them new"), "new"),
        (_("of them returned"), "returning"),
        (_("Lost"), "lost"),
    ]
    of_searches = [
        (_("Searches that ended"), "number", False),
        (_("Half found a match within"), "p50", True),
        (_("Nine in ten within"), "p90", True),
    ]
    rows: list[tuple[str, Any, Any, bool]] = [
        (words, getattr(activity.totals, name), then and getattr(then, name), False)
        for words, name in of_players
    ]
    return rows + [
        (words, getattr(searches, name), searched and getattr(searched, name), is_wait)
        for words, name, is_wait in of_searches
    ]


def _tables(
    period: Period, activity: Activity, searches: Searches, habits: dict[str, Any]
) -> dict[str, list[list[Any]]]:
    """Rows of each file, headings first; these are for programs, and the same in every language."""
    names = list(FIGURES)
    columns: dict[str, Sequence[float | None]] = {**searches.cells, **activity.cells}
    return {
        "week": [
            ["weekday", "hour", "zone", *names],
            *(
                [
                    cell // 24 + 1,
                    cell % 24,
                    period.zone.key,
                    *(columns[name][cell] for name in names),
                ]
                for cell in range(7 * 24)
            ),
        ],
        "stretches": [
            [period.step, "matches", "players", "new", "returning"],
            *(
                [one.begins, one.matches, one.players, one.new, one.returning]
                for one in activity.stretches
            ),
        ],
        "searches": [
            ["waited_at_least", "matched", "cancelled", "expired", "live"],
            *(
                [one.at_least, one.matched, one.cancelled, one.expired, one.live]
                for one in searches.ended
            ),
        ],
        "people": [
            ["habit", "player", "name", "number", "of"],
            *(
                [habit, one.player_id, one.name, one.number, one.of]
                for habit, rows in habits.items()
                for one in rows
            ),
        ],
    }


def _file(name: str, rows: list[list[Any]]) -> HttpResponse:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerows([[_plain(value) for value in row] for row in rows])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="pool-{name}.csv"'
    return answer


def _plain(value: Any) -> Any:
    """A name must not be a formula to whoever opens the file as a table."""
    is_formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if is_formula else value
