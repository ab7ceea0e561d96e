"""What is taken back needs the rights of what was done."""

import pytest

from moderation.desk.acts import Wishes
from moderation.desk.decide import decide, undo
from moderation.models import Act, ReportKind
from moderation.refusals import WrongActError
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import text_of
from tests.moderation.office import case_of, make_moderator, played, reported, visit

pytestmark = pytest.mark.django_db(transaction=True)


def test_taking_back_needs_the_rights_of_what_is_taken_back() -> None:
    hall = make_hall()
    hall.players[0].call("Rude name")
    hall.players[0].save()
    mona, nora = make_moderator("mona"), make_moderator("nora", "decide_case")
    for kind, act in (
        (ReportKind.CHAT, Act.WARN),
        (ReportKind.NAME, Act.RESET_NAME),
        (ReportKind.OTHER, Act.MANNERS),
        (ReportKind.BAD_MANNERS, Act.COOL_OFF),
        (ReportKind.CHAT, Act.NOTHING),
    ):
        match = played(hall) if kind == ReportKind.BAD_MANNERS else None
        case = case_of(reported(hall, kind, match))
        decision = decide(case_id=case.pk, by=mona, act=act, reason="x", wishes=Wishes(minutes=5))
        offered = f"/desk/decisions/{decision.pk}/undo/"
        if act == Act.NOTHING:
            undo(decision_id=decision.pk, by=nora, reason="Look once more.")
            continue
        with pytest.raises(WrongActError, match="no right"):
            undo(decision_id=decision.pk, by=nora, reason="No.")
        assert offered not in text_of(visit(nora), f"/desk/cases/{case.pk}/")
        assert offered in text_of(visit(mona), f"/desk/cases/{case.pk}/")
        undo(decision_id=decision.pk, by=mona, reason="No.")


def test_taking_back_a_warning_whose_report_counted_needs_the_right_to_take_points_back() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.CHAT))
    decision = decide(case_id=case.pk, by=make_moderator("mona"), act=Act.WARN, reason="x")
    assert decision.offence is not None
    nora = make_moderator("nora", "decide_case add_sanction change_sanction")
    with pytest.raises(WrongActError, match="no right"):
        undo(decision_id=decision.pk, by=nora, reason="No.")
    olga = make_moderator("olga", "decide_case change_sanction change_offence")
    undo(decision_id=decision.pk, by=olga, reason="No.")
    decision.offence.refresh_from_db()
    assert decision.offence.taken_back_at is not None
