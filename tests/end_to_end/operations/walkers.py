"""People who walk through the pages of the site, each with a browser of their own, signed in by what they may."""

from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from accounts.models import User
from accounts.roles import ROLES, give_roles
from tests.accounts.mailing import PASSWORD
from tests.end_to_end.browser import PATIENCE
from tests.end_to_end.players import is_wrong, overflow_of, too_wide

__all__ = ["OPERATOR", "Walker", "Walkers"]

OPERATOR = "operator"  # beside the ready roles: a superuser


@dataclass
class Walker:
    """Somebody at a browser. `user`: None for a visitor who has no account."""

    user: User | None
    page: Page
    site: str
    errors: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)

    @property
    def account(self) -> User:
        assert self.user is not None
        return self.user

    def note(self, told: ConsoleMessage) -> None:
        """Keep what the console shows in red, but for pages that are to be refused: it names these too."""
        where = told.location.get("url", "")
        is_refusal = told.text.startswith("Failed to load resource") and where in self.refused
        if is_wrong(told) and not is_refusal:
            self.errors.append(f"{told.text} ({where})")

    def opens(self, path: str) -> None:
        """A page that must be there, and fit its window."""
        answer = self.page.goto(self.site + path)
        assert answer is not None
        assert answer.status == 200, (path, answer.status)
        self.fits()

    def is_refused(self, path: str, words: str = "Not for this account", status: int = 403) -> None:
        """A page that answers by `status`, and says why."""
        self.expects_refusal(path)
        answer = self.page.goto(self.site + path)
        assert answer is not None
        assert answer.status == status, (path, answer.status)
        expect(self.main).to_contain_text(words)
        self.fits()

    def expects_refusal(self, path: str) -> None:
        """Let the console say that this page is refused."""
        self.refused.add(self.site + path)

    def status_of(self, path: str) -> int:
        """What an address answers to this browser, without showing it."""
        return self.page.context.request.get(self.site + path, max_redirects=0).status

    def follows(self, link: str) -> None:
        """Follow the link of this name on the page itself."""
        with self.page.expect_navigation():
            self.main.get_by_role("link", name=link, exact=True).first.click()
        self.fits()

    def presses(self, button: str) -> None:
        """Press the button of this name on the page itself, which sends a form."""
        with self.page.expect_navigation():
            self.main.get_by_role("button", name=button, exact=True).click()
        self.fits()

    def says_why(self, why: str, button: str) -> None:
        """Do what the page of an action is for; it is refused as long as nobody says why."""
        self.presses(button)
        self.reads("Say why, so that others can understand it later.")
        self.page.locator("#id_note").fill(why)
        self.presses(button)

    def reads(self, *words: str) -> None:
        """The page says all of this."""
        for one in words:
            expect(self.main).to_contain_text(one)

    def misses(self, *words: str) -> None:
        """The page says none of this."""
        for one in words:
            expect(self.main).not_to_contain_text(one)

    def fits(self) -> None:
        """The page is not wider than its window."""
        assert overflow_of(self.page) == 0, (self.page.url, too_wide(self.page))

    @property
    def main(self) -> Locator:
        """What is on the page itself, without its header and footer."""
        return self.page.locator("main").first


class Walkers:
    """Brings people in, and sends them home."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site = browser, site
        self.contexts: list[BrowserContext] = []
        self.walkers: list[Walker] = []

    def visitor(self, *, width: int = 1280) -> Walker:
        """Somebody who is not signed in."""
        return self._come(None, width)

    def player(self, name: str, *, width: int = 1280) -> Walker:
        """Somebody with an account and no rights."""
        return self._come(User.objects.create_user(name, password=PASSWORD), width)

    def staff(self, role: str = OPERATOR) -> Walker:
        """Somebody of a ready role, a superuser, or ("") somebody of staff who may do nothing."""
        name = f"clerk-{role or 'without'}".lower()
        if role == OPERATOR:
            return self._come(User.objects.create_superuser("olga", password=PASSWORD), 1280)
        user = User.objects.create_user(name, password=PASSWORD, is_staff=True)
        if role:
            assert role in ROLES
            give_roles()
            user.groups.add(Group.objects.get(name=role))
        return self._come(user, 1280)

    def go_home(self) -> list[str]:
        """Close all browsers; what went wrong in them."""
        for context in self.contexts:
            context.close()
        return [error for walker in self.walkers for error in walker.errors]

    def _come(self, user: User | None, width: int) -> Walker:
        context = self.browser.new_context(
            locale="en",
            reduced_motion="reduce",  # to draw what moves takes a fifth of the processor time
            viewport={"width": width, "height": 850},
        )
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        walker = Walker(user, context.new_page(), self.site)
        walker.page.on("console", walker.note)
        walker.page.on("pageerror", lambda error: walker.errors.append(str(error)))
        self.walkers.append(walker)
        if user is not None:
            sign_in_past_the_page(walker)
        return walker


def sign_in_past_the_page(walker: Walker) -> None:
    """Give the browser a session of the account, as if the password had just been typed."""
    client = Client()
    client.force_login(walker.account)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": walker.site}
    walker.page.context.add_cookies([cookie])  # type: ignore[list-item]
