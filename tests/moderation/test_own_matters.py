"""What concerns a moderator's own player is left to others: which of many cases, and in how many queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matchmaking.conduct.appeals import appeal
from moderation.appeal import appeal_against_sanction
from moderation.desk.acts import Wishes
from moderation.desk.cases import (
    check_may_see,
    left_to_others,
    open_cases,
    reports_left_to_others,
    waiting,
)
from moderation.desk.decide import decide
from moderation.models import Act, PlayerReport, ReportKind
from ratings.models import Player
from ratings.players.own_matters import OwnMatterError
from tests.matchmaking.hall import Hall, make_hall
from tests.moderation.office import begun, case_of, make_moderator, reported

pytestmark = pytest.mark.django_db(transaction=True)


def own(player: Player, user: User) -> None:
    player.user = user
    player.save()


def reports(hall: Hall, *, more: int) -> list[int]:
    """Reports of player 0: one by its opponent in a match, and `more` by other players."""
    found = [reported(hall, ReportKind.CHEATING, begun(hall)).pk]
    for number in range(more):
        other = Player.objects.create(
            game=hall.ladder.game, external_id=f"more-{number}", name=f"More {number}"
        )
        found.append(
            PlayerReport.objects.create(
                reporter=other, reported=hall.players[0], kind=ReportKind.CHAT
            ).pk
        )
    return found


def queries_of(hall: Hall, mona: User) -> int:
    with CaptureQueriesContext(connection) as asked:
        left_to_others(mona)
        reports_left_to_others(mona)
    return len(asked)


@pytest.mark.full
def test_lists_leave_to_others_what_each_case_would() -> None:
    hall = make_hall()
    mona, otto = make_moderator("mona"), make_moderator("otto")
    reports(hall, more=0)
    cases = list(waiting())
    for users in ({0: mona}, {0: mona, 1: otto}, {1: mona}, {2: mona}, {0: otto}):
        Player.objects.update(user=None)
        for number, user in users.items():
            own(hall.players[number], user)
        for by in (mona, otto):
            refused = []
            for case in cases:
                try:
                    check_may_see(case, by)
                except OwnMatterError:
                    refused.append(case.pk)
            assert left_to_others(by) == refused, (users, by)


def test_what_came_of_the_own_report_is_for_others_to_decide_again() -> None:
    hall = make_hall()
    mona, otto = make_moderator("mona"), make_moderator("otto")
    make_moderator("pia")
    own(hall.players[1], mona)
    report = reported(hall, ReportKind.BAD_MANNERS, begun(hall))
    decision = decide(
        case_id=case_of(report).pk,
        by=otto,
        act=Act.MANNERS,
        reason="Rude words.",
        wishes=Wishes(also=Act.WARN),
    )
    assert decision.sanction is not None
    assert decision.offence is not None
    appeal_against_sanction(player=hall.players[0], sanction_id=decision.sanction.pk, text="No.")
    appeal(offence_id=decision.offence.pk, player_id=hall.players[0].pk, text="No.")
    open_cases()
    cases = list(waiting())
    assert len(cases) == 2
    assert left_to_others(mona) == [case.pk for case in cases]
    for case in cases:
        with pytest.raises(OwnMatterError):
            check_may_see(case, mona)
        check_may_see(case, otto)
    assert left_to_others(otto) == []


def test_a_player_merged_with_the_own_one_is_left_too() -> None:
    hall = make_hall()
    mona = make_moderator("mona")
    make_moderator("otto")
    (report,) = reports(hall, more=0)
    assert reports_left_to_others(mona) == []
    own(hall.players[2], mona)
    Player.objects.filter(pk=hall.players[0].pk).update(merged_into=hall.players[2])
    assert reports_left_to_others(mona) == [report]


def test_queries_do_not_grow_with_reports_and_moderators() -> None:
    hall = make_hall()
    mona = make_moderator("mona")
    make_moderator("otto")
    own(hall.players[0], mona)
    reports(hall, more=0)
    few = queries_of(hall, mona)
    reports_of_many = make_hall()
    own(reports_of_many.players[0], mona)
    found = reports(reports_of_many, more=5)
    for name in ("pia", "quentin", "rosa"):
        make_moderator(name)
    assert queries_of(reports_of_many, mona) == few
    assert set(found) <= set(reports_left_to_others(mona))
