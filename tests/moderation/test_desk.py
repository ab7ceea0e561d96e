"""The desk: taken by one, decided once, with what follows told to those whom it concerns, and taken back."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, User
from accounts.own_matters import OwnMatterError
from api.site.own_data import own_data
from foundation import clock
from matchmaking.conduct import appeals as conduct_appeals
from matchmaking.conduct.moderation import confirm_bad_manners
from matchmaking.conduct.own import conduct_of
from matchmaking.conduct.refusals import AlreadyAppealedError, CoolingOffError
from matchmaking.conduct.standing import check_not_cooling, standing_of
from matchmaking.models import Offence, OffenceKind
from moderation.appeal import appeal_against_sanction
from moderation.desk.acts import Wishes
from moderation.desk.cases import open_cases, release, take, waiting
from moderation.desk.decide import decide, undo
from moderation.models import Act, Appeal, Case, Decision, Queue, ReportKind
from moderation.refusals import (
    CaseDecidedError,
    CaseTakenError,
    NotAppealableError,
    OwnDecisionError,
    WrongActError,
)
from notifications.models import Notice
from ratings.models import (
    Match,
    MatchState,
    Outcome,
    Participant,
    Player,
    Sanction,
    SanctionKind,
    SuspendedFrom,
)
from ratings.sanctions import impose, in_force
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import accounts, say, text_of, words_of
from tests.moderation.office import begun, case_of, make_moderator, played, reported, visit

pytestmark = pytest.mark.django_db(transaction=True)


def told(player: int) -> set[str]:
    return set(Notice.objects.filter(player=player).values_list("kind", flat=True))


def test_one_moderator_has_a_case_at_a_time() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.NAME))
    mona, otto = make_moderator("mona"), make_moderator("otto")
    now = clock.now()
    with clock.at(now):
        take(case_id=case.pk, by=mona)
        with pytest.raises(CaseTakenError, match="mona"):
            take(case_id=case.pk, by=otto)
        with pytest.raises(CaseTakenError):
            decide(case_id=case.pk, by=otto, act=Act.NOTHING, reason="No.")
        release(case_id=case.pk, by=otto)  # not his
        with pytest.raises(CaseTakenError):
            take(case_id=case.pk, by=otto)
        release(case_id=case.pk, by=mona)
        take(case_id=case.pk, by=otto)
    with clock.at(now + timedelta(minutes=16)):
        take(case_id=case.pk, by=mona)


def test_a_case_is_decided_once_and_told_and_audited() -> None:
    hall = make_hall()
    match = played(hall)
    report = reported(hall, ReportKind.CHEATING, match)
    case, mona = case_of(report), make_moderator("mona")
    suspended = Wishes(also=Act.SUSPEND, suspended_from=SuspendedFrom.ALL, days=7)
    decision = decide(case_id=case.pk, by=mona, act=Act.ANNUL, reason="Saw it.", wishes=suspended)
    assert Match.objects.get(pk=match.pk).state == MatchState.ANNULLED
    assert decision.sanction in in_force()
    assert decision.sanction is not None
    assert decision.sanction.reason == "Saw it."
    assert told(hall.players[1].pk) == {"report.closed", "match.annulled"}
    assert told(hall.players[0].pk) == {"sanction.imposed", "match.annulled"}
    actions = set(AuditEntry.objects.filter(actor=mona).values_list("action", flat=True))
    assert {"case.decided", "match.annulled", "player.sanctioned"} <= actions
    report.refresh_from_db()
    assert report.closed_at is not None
    with pytest.raises(CaseDecidedError):
        decide(case_id=case.pk, by=mona, act=Act.NOTHING, reason="Again.")
    with pytest.raises(WrongActError, match="can't be taken back"):
        undo(decision_id=decision.pk, by=mona, reason="Oh.")
    with pytest.raises(IntegrityError), transaction.atomic():  # nor past the code
        Decision.objects.create(case=case, act=Act.NOTHING, reason="x", by=mona)


def test_what_is_refused_leaves_nothing_behind() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.CHEATING, played(hall)))
    mona = make_moderator("mona")
    with pytest.raises(WrongActError, match="suspended from"):
        decide(
            case_id=case.pk,
            by=mona,
            act=Act.ANNUL,
            reason="x",
            wishes=Wishes(also=Act.SUSPEND),
        )
    assert Match.objects.get().state == MatchState.CONFIRMED
    assert waiting().get() == case
    with pytest.raises(WrongActError, match="reason"):
        decide(case_id=case.pk, by=mona, act=Act.NOTHING, reason=" \u200b ")
    without = make_moderator("nora", "decide_case")
    with pytest.raises(WrongActError):
        decide(case_id=case.pk, by=without, act=Act.WARN, reason="x")


def test_a_decision_is_taken_back_and_the_case_waits_again() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.CHAT))
    mona, otto = make_moderator("mona"), make_moderator("otto")
    first = decide(case_id=case.pk, by=mona, act=Act.WARN, reason="Mind your words.")
    undo(decision_id=first.pk, by=otto, reason="It was a joke.")
    assert not in_force().exists()
    assert waiting().get() == case
    with pytest.raises(CaseDecidedError):
        undo(decision_id=first.pk, by=otto, reason="Twice.")
    decide(case_id=case.pk, by=otto, act=Act.NOTHING, reason="A joke.")
    assert not waiting().exists()


def test_nothing_to_be_done_comes_with_no_sanction() -> None:
    hall = make_hall()
    case, mona = case_of(reported(hall, ReportKind.CHAT)), make_moderator("mona")
    with pytest.raises(WrongActError, match="Either"):
        decide(case_id=case.pk, by=mona, act=Act.NOTHING, reason="x", wishes=Wishes(also=Act.WARN))
    assert not Sanction.objects.exists()
    assert waiting().get() == case


def test_own_matters_are_left_to_others() -> None:
    hall = make_hall()
    mona = make_moderator("mona")
    hall.players[0].user = mona
    hall.players[0].save()
    case = case_of(reported(hall, ReportKind.CHAT))
    make_moderator("otto")
    with pytest.raises(OwnMatterError):
        take(case_id=case.pk, by=mona)
    with pytest.raises(OwnMatterError):
        decide(case_id=case.pk, by=mona, act=Act.NOTHING, reason="Not me.")


@pytest.mark.full
@pytest.mark.parametrize("is_staff", [True, False])
def test_nobody_reads_at_the_desk_who_has_reported_the_own_player(is_staff: bool) -> None:
    hall = make_hall()
    mona, otto = make_moderator("mona"), make_moderator("otto")
    User.objects.filter(pk=otto.pk).update(is_staff=is_staff)
    hall.players[0].user = mona
    hall.players[0].save()
    case = case_of(reported(hall, ReportKind.CHAT))
    address = f"/desk/cases/{case.pk}/"
    for path in ("/desk/", "/desk/report/"):
        assert address not in visit(mona).get(path).content.decode()
        assert address in visit(otto).get(path).content.decode()
    name = hall.players[1].name
    for answer in (
        visit(mona).get(address, follow=True),
        visit(mona).post(f"{address}decide/", {"act": "nothing"}, follow=True),
    ):
        text = answer.content.decode()
        assert (name in text, "player of your own" in text) == (False, True)
    assert name in visit(otto).get(address).content.decode()


def test_who_is_punished_after_a_report_learns_no_match() -> None:
    hall = make_hall()
    match = played(hall)
    case = case_of(reported(hall, ReportKind.BAD_MANNERS, match))
    decide(case_id=case.pk, by=make_moderator("mona"), act=Act.MANNERS, reason="Rude words.")
    (own,) = conduct_of(hall.players[0]).offences
    assert (own.offence.match_id, own.match) == (match.pk, None)
    accounts(hall, "anna")
    account = Player.objects.get(pk=hall.players[0].pk).user
    assert account is not None
    (kept,) = own_data(account)["players"]
    assert [one["kind"] for one in kept["offences"]] == ["manners"]
    assert kept["matches_of_offences"] == []


def test_several_matches_are_shown_and_then_annulled_together() -> None:
    hall = make_hall()
    first, second = played(hall), played(hall)
    case = case_of(reported(hall, ReportKind.CHEATING, second))
    client = visit(make_moderator("mona"))
    address = f"/desk/cases/{case.pk}/decide/"
    form = {"act": "annul_many", "since": "2020-01-01", "reason": "All of them."}
    shown = client.post(address, form).content.decode()
    assert "This would annul 2 matches" in shown
    assert Match.objects.filter(state=MatchState.CONFIRMED).count() == 2
    assert client.post(address, {**form, "seen": 1}).status_code == 200  # not what is there now
    assert client.post(address, {**form, "seen": 2}).status_code == 302
    states = Match.objects.filter(pk__in=[first.pk, second.pk]).values_list("state", flat=True)
    assert set(states) == {MatchState.ANNULLED}
    assert "matches.annulled" in told(hall.players[1].pk)


def test_disputes_come_to_the_desk_and_go_when_decided_elsewhere() -> None:
    hall = make_hall()
    match = begun(hall)
    for number in (0, 1):
        say(match, hall, number, Outcome.WON)
    client = visit(make_moderator("mona"))
    assert f"Match {match.pk} on" in words_of(client, "/desk/dispute/")
    case = Case.objects.get(match=match)
    open_cases()
    assert Case.objects.count() == 1
    page = text_of(client, f"/desk/cases/{case.pk}/")
    assert "reported: won" in page
    answer = client.post(
        f"/desk/cases/{case.pk}/decide/", {"act": "resolve", "result": "1,0", "reason": "Video."}
    )
    assert answer.status_code == 302
    assert Match.objects.get().state == MatchState.CONFIRMED
    assert list(Participant.objects.order_by("team").values_list("rank", flat=True)) == [1, 0]
    other = begun(hall)
    for number in (0, 1):
        say(other, hall, number, Outcome.WON)
    open_cases()
    say(other, hall, 1, Outcome.LOST)
    assert not waiting(Queue.DISPUTE).exists()
    late = Case.objects.get(match=other)
    assert "decided elsewhere" in text_of(client, f"/desk/cases/{late.pk}/")


def test_an_appeal_is_decided_by_somebody_else_and_once() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    mona = make_moderator("mona")
    first = decide(
        case_id=case_of(reported(hall, ReportKind.CHAT)).pk,
        by=mona,
        act=Act.WARN,
        reason="Mind your words.",
    )
    assert first.sanction is not None
    page = text_of(anna, "/reports/")
    assert f"/appeals/sanctions/{first.sanction.pk}/" in page
    sent = anna.post(f"/appeals/sanctions/{first.sanction.pk}/", {"text": "I did not."})
    assert sent.status_code == 302
    with pytest.raises(AlreadyAppealedError):
        appeal_against_sanction(
            player=hall.players[0], sanction_id=first.sanction.pk, text="Again."
        )
    with pytest.raises(NotAppealableError):
        appeal_against_sanction(
            player=hall.players[1], sanction_id=first.sanction.pk, text="Not mine."
        )
    case = Case.objects.get(appeal__isnull=False)
    # Alone she decides, for nobody else could.
    take(case_id=case.pk, by=mona)
    release(case_id=case.pk, by=mona)
    otto = make_moderator("otto")
    with pytest.raises(OwnDecisionError):
        decide(case_id=case.pk, by=mona, act=Act.REFUSE, reason="I was right.")
    decide(case_id=case.pk, by=otto, act=Act.GRANT, reason="She quoted a song.")
    assert not in_force().exists()
    assert Appeal.objects.get().granted is True
    assert "appeal.granted" in told(hall.players[0].pk)
    assert "She quoted a song." in text_of(anna, "/reports/")


def test_the_page_of_own_appeals_asks_once_for_all_of_them() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    mona, asked = make_moderator("mona"), []
    for number in range(3):
        given = impose(player=hall.players[0], kind=SanctionKind.WARNING, reason="x", by=None)
        appeal_against_sanction(player=hall.players[0], sanction_id=given.pk, text="No.")
        case = Case.objects.get(appeal__sanction=given)
        decide(case_id=case.pk, by=mona, act=Act.REFUSE, reason=f"Because {number}.")
        with CaptureQueriesContext(connection) as queries:
            text = text_of(anna, "/reports/")
        asked.append(len(queries))
    assert "Because 2." in text
    assert asked[1] == asked[2]


def test_bad_manners_are_confirmed_and_taken_back() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.BAD_MANNERS, played(hall)))
    mona = make_moderator("mona")
    decision = decide(case_id=case.pk, by=mona, act=Act.MANNERS, reason="Insults.")
    (offence,) = Offence.objects.filter(player=hall.players[0])
    assert (offence.kind, decision.offence) == (OffenceKind.MANNERS, offence)
    undo(decision_id=decision.pk, by=mona, reason="A joke.")
    offence.refresh_from_db()
    assert offence.taken_back_at is not None
    assert waiting().get() == case


def test_a_moderator_lets_somebody_cool_off_and_takes_it_back() -> None:
    hall = make_hall()
    bad = hall.players[0]
    case = case_of(reported(hall, ReportKind.BAD_MANNERS, played(hall)))
    mona = make_moderator("mona")
    with pytest.raises(WrongActError, match="how many minutes"):
        decide(case_id=case.pk, by=mona, act=Act.COOL_OFF, reason="Insults.")
    client = visit(mona)
    address = f"/desk/cases/{case.pk}/decide/"
    said = {"act": "cool_off", "reason": "Insults."}
    refused = client.post(address, {**said, "minutes": 7 * 24 * 60 + 1})
    assert not standing_of([bad.pk])[bad.pk].is_cooling
    assert "10080" in refused.content.decode().replace(",", "")
    before = clock.now()
    client.post(address, {**said, "minutes": 90})
    until = standing_of([bad.pk])[bad.pk].cooling_until
    assert until is not None
    assert timedelta(minutes=89) < until - before < timedelta(minutes=91)
    with pytest.raises(CoolingOffError):
        check_not_cooling([bad.pk], own=bad.pk)
    undo(decision_id=Decision.objects.get().pk, by=mona, reason="A joke.")
    check_not_cooling([bad.pk], own=bad.pk)
    assert waiting().get() == case


def test_a_report_counts_for_conduct_once_something_is_done_and_does_not_name_its_match() -> None:
    hall = make_hall()
    case = case_of(reported(hall, ReportKind.LEFT, played(hall)))
    mona = make_moderator("mona")
    decision = decide(case_id=case.pk, by=mona, act=Act.NOTHING, reason="A crash.")
    assert not Offence.objects.exists()
    undo(decision_id=decision.pk, by=mona, reason="No.")
    decide(case_id=case.pk, by=mona, act=Act.WARN, reason="Stay.")
    (offence,) = Offence.objects.filter(player=hall.players[0])
    assert (offence.kind, offence.match) == (OffenceKind.REPORTED, None)


def test_an_appeal_against_points_is_decided_at_the_desk() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    mona, otto = make_moderator("mona"), make_moderator("otto")
    offence = confirm_bad_manners(hall.players[0], played(hall), mona, "Insults.")
    conduct_appeals.appeal(offence_id=offence.pk, player_id=hall.players[0].pk, text="A song!")
    client = visit(otto)
    assert "bad manners" in words_of(client, "/desk/appeal/")
    own = words_of(anna, "/reports/")
    assert "bad manners, confirmed by a moderator" in own
    assert "A moderator is still to look at it." in own
    case = Case.objects.get(conduct_appeal__offence=offence)
    assert "A song!" in text_of(client, f"/desk/cases/{case.pk}/")
    with pytest.raises(OwnDecisionError):
        decide(case_id=case.pk, by=mona, act=Act.REFUSE, reason="I was right.")
    decide(case_id=case.pk, by=otto, act=Act.GRANT, reason="It was a song.")
    offence.refresh_from_db()
    assert offence.taken_back_at is not None
    assert not waiting().exists()
    assert "The offence was taken back: It was a song." in words_of(anna, "/reports/")


def test_who_is_let_in() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    case = case_of(reported(hall, ReportKind.CHAT))
    decision = decide(
        case_id=case.pk, by=make_moderator("mona"), act=Act.NOTHING, reason="Nothing."
    )
    desk = visit(make_moderator("otto"))
    staff = User.objects.create_user("staff", password="a good password", is_staff=True)
    for address in ("/desk/", "/desk/report/", f"/desk/cases/{case.pk}/"):
        assert desk.get(address).status_code == 200
        for client in (anna, visit(staff)):
            assert client.get(address).status_code == 403
        assert type(anna)().get(address).status_code == 302
    for verb in ("take", "release", "decide"):
        assert anna.post(f"/desk/cases/{case.pk}/{verb}/").status_code == 403
    assert anna.post(f"/desk/decisions/{decision.pk}/undo/").status_code == 403
    assert desk.get("/desk/nothing/").status_code == 404
    assert Sanction.objects.count() == 0
