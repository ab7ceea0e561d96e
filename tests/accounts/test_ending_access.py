"""Sign-ins and tokens: what their owner sees of them, and what operators end; streams close with them."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.entrance import last_used
from accounts.models import AuditEntry, User
from events.live.readers import lost_rights
from leaderboards.views.stream_rights import reader_of
from tests.accounts.mailing import PASSWORD
from tests.accounts.opening import opens, sign_in, signed_in, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password=PASSWORD)


def rights_of(client: Client, user: User) -> frozenset[str]:
    """What a stream hangs on that this browser opens."""
    request: Any = RequestFactory().get("/")
    request.user, request.session = User.objects.get(pk=user.pk), client.session
    return reader_of(request).rights


def test_operators_end_what_is_open(anna: User, client: Client) -> None:
    browser, token = sign_in("anna"), token_of(anna)
    rights = rights_of(browser, anna)
    assert lost_rights(rights) == set()
    olga = User.objects.create_superuser("olga")
    client.force_login(olga)
    page = f"/admin/accounts/user/{anna.pk}/end-access/"
    assert "127.0.0.*" in client.get(page).content.decode()
    client.post(page, {"note": "sold the account"})
    assert not signed_in(browser)
    assert not opens(token)
    assert lost_rights(rights) == rights
    entry = AuditEntry.objects.get(action="user.access_ended")
    assert (entry.actor, entry.note) == (olga, "sold the account")
    assert entry.after == {"sign_ins": 1, "tokens": 1}
    client.force_login(User.objects.create_user("hal", is_staff=True))
    assert client.get(page).status_code == 403


def test_a_browser_that_is_signed_out_hears_no_more(anna: User) -> None:
    own, other = sign_in("anna"), sign_in("anna")
    rights = rights_of(other, anna)
    their = UserSession.objects.get(session_key=other.session.session_key)
    own.post(f"/accounts/security/sign-in/{their.pk}/end/")
    assert lost_rights(rights) == {f"session:{their.session_key}"}
    assert lost_rights(rights_of(own, anna)) == set()


def test_its_owner_sees_when_one_was_used_last(
    anna: User, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    client = sign_in("anna")
    long_ago = timezone.now() - timedelta(days=3)
    sign_ins = UserSession.objects.filter(user=anna)
    sign_ins.update(last_seen_at=long_ago)
    client.get("/accounts/security/")
    assert (
        sign_ins.get().last_seen_at == long_ago
    )  # used within the minutes of which nothing is written
    monkeypatch.setattr(last_used, "_written", type(last_used._written)())
    text = client.get("/accounts/security/").content.decode()
    assert text.count("Last used:") == 1
    assert "127.0.0.*" in text
    assert timezone.now() - sign_ins.get().last_seen_at < timedelta(minutes=5)
    monkeypatch.setattr(last_used, "_written", type(last_used._written)())
    last_used._note(key := client.session.session_key or "")
    with django_assert_num_queries(0):
        last_used._note(key)
