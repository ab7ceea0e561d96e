"""Passkeys in a real browser with an authenticator that it simulates, and the pages of the second factor on a phone."""

import pytest
from playwright.sync_api import expect

from accounts.models import AuditEntry, User
from tests.accounts.mailing import PASSWORD
from tests.end_to_end.conftest import BrowserPage
from tests.end_to_end.players import overflow_of, too_wide

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("own_cache"),
]
PAGES = ("", "totp/activate/", "webauthn/add/", "recovery-codes/", "recovery-codes/generate/")
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def sign_in(tab: BrowserPage) -> None:
    tab.open("/accounts/login/")
    tab.page.get_by_label("Username or e-mail address").fill("olga")
    tab.page.get_by_label("Password").fill(PASSWORD)
    tab.page.locator("main").get_by_role("button", name="Sign in").click()


def sign_out(tab: BrowserPage) -> None:
    """Forget the sign-in. Nothing that the page still asks for is to bring it back."""
    tab.page.goto("about:blank")
    tab.page.context.clear_cookies()


def test_a_passkey_is_the_second_step(browser_page: BrowserPage) -> None:
    User.objects.create_superuser("olga", password=PASSWORD)
    page = browser_page.page
    sign_in(browser_page)
    page.wait_for_url(f"{browser_page.site}/")
    browser_page.open("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Add a passkey")).to_be_visible()
    # Whoever turns the browser's question down is told so, and nothing is sent.
    page.evaluate("() => { navigator.credentials.create = async () => { throw new Error('no') } }")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("gave no passkey")
    page.reload()
    tool = page.context.new_cdp_session(page)
    tool.send("WebAuthn.enable")
    tool.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.get_by_label("Name").fill("My laptop")
    with page.expect_navigation():
        page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    for address in PAGES:
        assert browser_page.open(f"/accounts/2fa/{address}") == 200
        assert overflow_of(page) == 0, (address, too_wide(page))
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_out(browser_page)
    sign_in(browser_page)
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{browser_page.site}/")
    browser_page.open("/accounts/2fa/")
    expect(page.get_by_text("My laptop")).to_be_visible()
    entry = AuditEntry.objects.filter(action="user.signed_in").latest("pk")
    assert (entry.after or {})["second_factor"]
    # Removing it asks for it.
    sign_out(browser_page)
    sign_in(browser_page)
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{browser_page.site}/")
    browser_page.open("/accounts/2fa/")
    page.get_by_role("link", name="Remove My laptop").click()
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("The passkey is removed.")).to_be_visible()
    assert not User.objects.get().has_second_factor
    assert browser_page.errors == []
