"""Push ends with the sign-in of its browser, whoever ends that, and belongs to the last one."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.access import end_access
from notifications.push.subscribe import browsers_of, subscribe
from tests.accounts.opening import sign_in
from tests.notifications.browsers import ada, add
from tests.notifications.receiver import Browser, Receiver
from tests.ratings.arena import Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def test_signing_out_ends_it_in_that_browser(receiver: Receiver, arena: Arena) -> None:
    client = Client()
    client.force_login(ada())
    given = {"endpoint": receiver.address("anna"), **Browser().keys}
    assert client.post("/notifications/browsers/add/", given).status_code == 201
    assert client.post("/notifications/browsers/add/", given).status_code == 200
    add(receiver, "other")
    client.post("/accounts/logout/")
    assert [one.endpoint for one in browsers_of(ada().pk)] == [receiver.address("other")]
    assert client.post("/notifications/browsers/add/", given).status_code == 403


AGAIN = 'data-push-again="/notifications/browsers/know/"'


def test_a_browser_that_signs_in_anew_is_asked_whether_it_takes_push_and_signing_out_ends_it(
    receiver: Receiver, arena: Arena
) -> None:
    keys = Browser().keys
    given = {"endpoint": receiver.address("anna"), **keys}
    before, now = (sign_in("Ada", "a long walk home") for _ in range(2))
    assert before.post("/notifications/browsers/add/", given).status_code == 201
    assert AGAIN not in before.get("/").content.decode()
    assert AGAIN not in Client().get("/").content.decode()
    assert AGAIN in now.get("/").content.decode()
    assert now.post("/notifications/browsers/know/", given).status_code == 204
    assert AGAIN not in now.get("/").content.decode()
    # The earlier sign-in of the same browser does not end what is this one's.
    its = UserSession.objects.get(session_key=before.session.session_key)
    now.post(f"/accounts/security/sign-in/{its.pk}/end/")
    assert [one.endpoint for one in browsers_of(ada().pk)] == [receiver.address("anna")]
    now.post("/accounts/logout/")
    assert not browsers_of(ada().pk).exists()
    assert now.post("/notifications/browsers/know/", given).status_code == 403


def test_a_browser_that_was_removed_is_asked_once_and_not_switched_on(
    receiver: Receiver, arena: Arena
) -> None:
    add(receiver, "other")
    client = sign_in("Ada", "a long walk home")
    for endpoint in (receiver.address("anna"), receiver.address("other"), "\0"):
        given = {"endpoint": endpoint, **Browser().keys}
        assert client.post("/notifications/browsers/know/", given).status_code == 204
    assert AGAIN not in client.get("/").content.decode()
    assert len(browsers_of(ada().pk)) == 1
    client.post("/accounts/logout/")
    assert len(browsers_of(ada().pk)) == 1


def test_whoever_is_signed_out_by_the_owner_is_told_nothing_any_more(
    receiver: Receiver, arena: Arena
) -> None:
    own, thief, second = (sign_in("Ada", "a long walk home") for _ in range(3))
    for name, browser in (("own", own), ("thief", thief), ("second", second)):
        given = {"endpoint": receiver.address(name), **Browser().keys}
        assert browser.post("/notifications/browsers/add/", given).status_code == 201
    its = UserSession.objects.get(session_key=second.session.session_key)
    own.post(f"/accounts/security/sign-in/{its.pk}/end/")
    left = [one.endpoint for one in browsers_of(ada().pk)]
    assert left == [receiver.address("thief"), receiver.address("own")]
    own.post("/accounts/security/end-all/")
    assert [one.endpoint for one in browsers_of(ada().pk)] == [receiver.address("own")]


def test_where_all_access_ends_so_does_push(receiver: Receiver, arena: Arena) -> None:
    add(receiver, "anybody's")
    subscribe(
        arena.players[0].pk, account=ada(), endpoint=receiver.address("of-one"), **Browser().keys
    )
    end_access(ada(), why="its second factor is new", actor=None, tokens=False)
    assert [one.player_id for one in browsers_of(ada().pk)] == [arena.players[0].pk]
    end_access(ada(), why="sold", actor=None)
    assert not browsers_of(ada().pk).exists()
