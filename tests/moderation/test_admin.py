"""The desk's rows in the admin."""

import pytest

from accounts.models import User
from moderation.desk.decide import decide
from moderation.models import Act, ReportKind
from tests.matchmaking.hall import make_hall
from tests.moderation.office import case_of, make_moderator, reported, visit

pytestmark = pytest.mark.django_db(transaction=True)
_RIGHTS = "decide_case view_playerreport view_case change_match add_sanction"


def is_listed(user: User, name: str) -> bool:
    return name in visit(user).get("/admin/moderation/playerreport/").content.decode()


@pytest.mark.parametrize("is_decided", [False, True])
def test_nobody_reads_in_the_admin_who_has_reported_the_own_player(is_decided: bool) -> None:
    """As long as somebody else could decide it; and what has been decided stays so."""
    hall = make_hall()
    mona = make_moderator("mona", _RIGHTS)
    hall.players[0].user = mona
    hall.players[0].save()
    report = reported(hall, ReportKind.CHAT)
    if is_decided:
        by = make_moderator("olga")
        decide(case_id=case_of(report).pk, by=by, act=Act.NOTHING, reason="x")
        User.objects.filter(pk=by.pk).update(is_active=False)
    name = hall.players[1].name
    page = f"/admin/moderation/playerreport/{report.pk}/change/"
    assert is_listed(mona, name)  # nobody else could
    otto = make_moderator("otto", _RIGHTS)
    assert (is_listed(mona, name), is_listed(otto, name)) == (False, True)
    assert visit(mona).get(page).status_code == 302  # as if there were none
    assert visit(otto).get(page).status_code == 200
