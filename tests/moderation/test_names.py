"""Names: changed some times a month, held when they become free, reset by moderators."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from accounts.models import User
from foundation import clock
from moderation.appeal import appeal_against_reset
from moderation.desk.decide import decide, undo
from moderation.models import Act, Case, NameChange, ReportKind
from moderation.refusals import (
    NameChangesUsedUpError,
    NameHeldError,
    NameLockedError,
    WrongActError,
)
from moderation.rename import rename
from ratings.models import Player
from ratings.players.claim import BadNameError, NameTakenError, make_player
from ratings.players.enrol import enrol
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import accounts, text_of
from tests.moderation.office import case_of, make_moderator, reported, visit

pytestmark = pytest.mark.django_db(transaction=True)


def name_of(player: Player) -> str:
    return Player.objects.get(pk=player.pk).name


def test_some_times_a_month(settings: Settings) -> None:
    settings.NAME_CHANGES = 2
    hall = make_hall()
    accounts(hall, "anna", "berta")
    anna, now = hall.players[0], clock.now()
    with clock.at(now):
        rename(player=anna, name="Annabel")
        rename(player=anna, name="Annabel")  # the same again is no change
        rename(player=anna, name="Anna Bee")
        with pytest.raises(NameChangesUsedUpError) as refused:
            rename(player=anna, name="Annika")
        assert refused.value.extra["most"] == 2
    with clock.at(now + timedelta(days=30, seconds=1)):
        rename(player=anna, name="Annika")
    assert list(anna.former_names.order_by("pk").values_list("name", flat=True))[-3:] == [
        "Anna",
        "Annabel",
        "Anna Bee",
    ]
    settings.NAME_CHANGES = 0
    with clock.at(now + timedelta(days=90)), pytest.raises(NameChangesUsedUpError, match="can't"):
        rename(player=anna, name="Anna")


def test_names_are_checked_as_new_ones_are() -> None:
    hall = make_hall()
    accounts(hall, "anna", "berta")
    anna = hall.players[0]
    for bad in ("A", "\u202eanna", "Deleted player 7"):
        with pytest.raises(BadNameError):
            rename(player=anna, name=bad)
    with pytest.raises(NameTakenError):
        rename(player=anna, name="BERTA")
    assert name_of(anna) == "Anna"
    assert not NameChange.objects.exists()


def test_a_freed_name_is_held_for_whoever_had_it() -> None:
    hall = make_hall()
    accounts(hall, "anna", "berta")
    anna, berta = hall.players[:2]
    now = clock.now()
    with clock.at(now):
        rename(player=anna, name="Zoe")
        with pytest.raises(NameHeldError):
            rename(player=berta, name="Anna")
        stranger = User.objects.create_user("stranger")
        with pytest.raises(NameHeldError):
            make_player(game=hall.ladder.game, user=stranger, name="ANNA")
        rename(player=anna, name="Anna")  # her own she may have back
        rename(player=anna, name="Zoe")
    with clock.at(now + timedelta(days=31)):
        rename(player=berta, name="Anna")
    assert name_of(berta) == "Anna"


def test_a_moderator_resets_a_name_and_an_appeal_gives_it_back() -> None:
    hall = make_hall()
    client, _berta = accounts(hall, "anna", "berta")
    anna = hall.players[0]
    case = case_of(reported(hall, ReportKind.NAME))
    mona, otto = make_moderator("mona"), make_moderator("otto")
    decide(case_id=case.pk, by=mona, act=Act.RESET_NAME, reason="That is an insult.")
    assert name_of(anna) == f"Player {anna.pk}"
    with pytest.raises(NameLockedError):
        rename(player=Player.objects.get(pk=anna.pk), name="Anna")
    enrol(game=hall.ladder.game, external_id=anna.external_id, name="Anna")
    assert name_of(anna) == f"Player {anna.pk}"  # nor does the game put it back
    change = NameChange.objects.get()
    assert "That is an insult." in text_of(client, "/reports/")
    assert f"/appeals/names/{change.pk}/" in text_of(client, "/reports/")
    appeal_against_reset(player=anna, change_id=change.pk, text="It is my name.")
    appealed = Case.objects.get(appeal__isnull=False)
    decide(case_id=appealed.pk, by=otto, act=Act.GRANT, reason="So it is.")
    assert name_of(anna) == "Anna"
    assert not Player.objects.get(pk=anna.pk).name_locked


def test_giving_a_name_back_needs_the_right_to_change_players() -> None:
    """However it comes about: resetting asks for it, too."""
    hall = make_hall()
    accounts(hall, "anna", "berta")
    mona, nora = make_moderator("mona"), make_moderator("nora", "decide_case change_sanction")
    case = case_of(reported(hall, ReportKind.NAME))
    decide(case_id=case.pk, by=mona, act=Act.RESET_NAME, reason="x")
    appeal_against_reset(
        player=hall.players[0], change_id=NameChange.objects.get().pk, text="It is my name."
    )
    appealed = Case.objects.get(appeal__isnull=False)
    with pytest.raises(WrongActError):
        decide(case_id=appealed.pk, by=nora, act=Act.GRANT, reason="y")
    assert 'value="grant"' not in visit(nora).get(f"/desk/cases/{appealed.pk}/").content.decode()
    assert name_of(hall.players[0]) == f"Player {hall.players[0].pk}"
    olga = make_moderator("olga", "decide_case change_player")
    client = visit(olga)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": 1.0}]
    session.save()
    address = f"/desk/cases/{appealed.pk}/decide/"
    assert "reauthenticate" in client.post(address, {"act": "grant", "reason": "y"})["Location"]
    decide(case_id=appealed.pk, by=olga, act=Act.GRANT, reason="y")
    assert name_of(hall.players[0]) == "Anna"


def test_a_reset_is_taken_back_with_its_decision() -> None:
    hall = make_hall()
    accounts(hall, "anna", "berta")
    mona = make_moderator("mona")
    decision = decide(
        case_id=case_of(reported(hall, ReportKind.NAME)).pk,
        by=mona,
        act=Act.RESET_NAME,
        reason="x",
    )
    undo(decision_id=decision.pk, by=mona, reason="y")
    assert name_of(hall.players[0]) == "Anna"


def test_resetting_asks_who_it_is_once_more() -> None:
    hall = make_hall()
    accounts(hall, "anna", "berta")
    case = case_of(reported(hall, ReportKind.NAME))
    client = visit(make_moderator("mona"))
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": 1.0}]
    session.save()
    sent = client.post(f"/desk/cases/{case.pk}/decide/", {"act": "reset_name", "reason": "x"})
    assert sent.status_code == 302
    assert "reauthenticate" in sent["Location"]
    assert name_of(hall.players[0]) == "Anna"


def test_on_the_page() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    page = f"/reports/names/{hall.players[0].pk}/"
    assert f'href="{page}"' in text_of(anna, f"/players/{hall.players[0].pk}/")
    assert "3 more times" in text_of(anna, page)
    assert "is taken" in anna.post(page, {"name": "berta"}).content.decode()
    assert anna.post(page, {"name": "Zoe"}).status_code == 302
    assert name_of(hall.players[0]) == "Zoe"
    assert berta.get(page).status_code == 404
