"""Reporting a player: what it needs, how often, and that the reported learns nothing of it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from foundation import clock
from moderation import report as module
from moderation.models import NEEDS_MATCH, Case, PlayerReport, Queue, ReportKind
from moderation.refusals import (
    NotInMatchTogetherError,
    ReportOpenError,
    ReportsItselfError,
    TooManyReportsError,
    WrongReportError,
)
from moderation.report import MOST_A_DAY, lines_with, report_player
from ratings.models import Player
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import accounts, text_of
from tests.moderation.office import played, reported

pytestmark = pytest.mark.django_db


def test_a_report_opens_a_case_in_its_list() -> None:
    hall = make_hall()
    match = played(hall)
    report = reported(hall, ReportKind.CHEATING, match)
    assert Case.objects.get(report=report).queue == Queue.REPORT
    named = report_player(reporter=hall.players[1], reported=hall.players[0], kind=ReportKind.NAME)
    assert Case.objects.get(report=named).queue == Queue.NAME


def test_the_first_kinds_name_a_match_of_both() -> None:
    hall = make_hall()
    match = played(hall)
    for kind in (ReportKind.LEFT, ReportKind.BAD_MANNERS, ReportKind.CHEATING):
        with pytest.raises(WrongReportError, match="in which match"):
            reported(hall, kind)
    with pytest.raises(NotInMatchTogetherError):
        report_player(
            reporter=hall.players[2],
            reported=hall.players[0],
            kind=ReportKind.LEFT,
            match_id=match.pk,
        )
    with pytest.raises(NotInMatchTogetherError):
        report_player(
            reporter=hall.players[1],
            reported=hall.players[0],
            kind=ReportKind.LEFT,
            match_id=10**9,
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        PlayerReport.objects.create(
            reporter=hall.players[1], reported=hall.players[0], kind=ReportKind.LEFT
        )


def test_nobody_reports_themselves_and_nobody_twice() -> None:
    hall = make_hall()
    with pytest.raises(ReportsItselfError):
        report_player(reporter=hall.players[0], reported=hall.players[0], kind=ReportKind.NAME)
    first = reported(hall, ReportKind.NAME)
    with pytest.raises(ReportOpenError) as refused:
        reported(hall, ReportKind.CHAT)
    assert refused.value.extra == {"report": first.pk}
    with pytest.raises(IntegrityError), transaction.atomic():  # nor past the code
        PlayerReport.objects.create(
            reporter=hall.players[1], reported=hall.players[0], kind=ReportKind.CHAT
        )
    PlayerReport.objects.filter(pk=first.pk).update(closed_at=clock.now())
    reported(hall, ReportKind.CHAT)


def test_so_many_a_day() -> None:
    hall = make_hall()
    crowd = [
        Player.objects.create(game=hall.ladder.game, external_id=f"crowd-{n}", name=f"Crowd {n}")
        for n in range(MOST_A_DAY + 1)
    ]
    now = clock.now()
    for number, other in enumerate(crowd[:-1]):
        with clock.at(now + timedelta(minutes=number)):
            report_player(reporter=hall.players[0], reported=other, kind=ReportKind.NAME)
    with clock.at(now + timedelta(hours=23)), pytest.raises(TooManyReportsError) as refused:
        report_player(reporter=hall.players[0], reported=crowd[-1], kind=ReportKind.NAME)
    assert refused.value.retry_after == 3600
    with clock.at(now + timedelta(hours=24, seconds=1)):
        report_player(reporter=hall.players[0], reported=crowd[-1], kind=ReportKind.NAME)


def test_hostile_text_is_harmless_and_lines_come_from_the_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = make_hall()
    monkeypatch.setattr(module, "_lines", [])
    lines_with(lambda reporter, reported, match, now: [{"name": reported.name, "text": "boo"}])
    report = report_player(
        reporter=hall.players[1],
        reported=hall.players[0],
        kind=ReportKind.CHAT,
        text="a\u202eb\x00c\u200bd\r\n\r\n\r\n\r\ne",
    )
    assert report.text == "abcd\n\ne"
    assert report.lines == [{"name": hall.players[0].name, "text": "boo"}]


def test_the_reported_learns_nothing_of_it() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = played(hall)
    assert "Report this player" in text_of(berta, f"/players/{hall.players[0].pk}/")
    assert f"/reports/players/{hall.players[0].pk}/?match={match.pk}" in text_of(
        berta, f"/matches/{match.pk}/"
    )
    page = f"/reports/players/{hall.players[0].pk}/"
    assert f"#{match.pk}" in text_of(berta, page)
    sent = berta.post(page, {"kind": "cheating", "match": match.pk, "text": "<b>walls</b>"})
    assert sent.status_code == 302
    own = text_of(berta, "/reports/")
    assert "&lt;b&gt;walls&lt;/b&gt;" in own
    for address in ("/reports/", "/play/", f"/players/{hall.players[0].pk}/"):
        assert "walls" not in text_of(anna, address)
    again = berta.post(page, {"kind": "cheating", "match": match.pk})
    assert "already reported" in again.content.decode()
    assert PlayerReport.objects.count() == 1
    assert anna.get(page).status_code == 404  # oneself


def test_who_has_never_met_a_player_is_not_asked_for_a_match() -> None:
    hall = make_hall()
    _anna, berta = accounts(hall, "anna", "berta")
    page = f"/reports/players/{hall.players[0].pk}/"
    shown = text_of(berta, page)
    assert 'name="match"' not in shown
    for kind in ReportKind:
        assert (f'value="{kind}"' in shown) == (kind not in NEEDS_MATCH)
    assert berta.post(page, {"kind": "chat", "text": "rude"}).status_code == 302
    match = played(hall)
    shown = text_of(berta, page)
    assert f'<option value="{match.pk}"' in shown
    assert all(f'value="{kind}"' in shown for kind in ReportKind)
