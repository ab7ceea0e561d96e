"""Who runs the site, and whom it concerns: each at a browser of their own, signed in already."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from playwright.sync_api import Browser, Locator, expect

from accounts.models import User
from accounts.roles import give_roles
from matchmaking.models import Queue
from ratings.models import Player
from tests.end_to_end.players import PASSWORD, Person, let_in, open_page, sign_in

__all__ = ["Clerk", "House", "answered_with", "page_of"]


def page_of(name: str, number: int) -> str:
    """The address of a page of the administration: of what, and its number."""
    return reverse(f"admin:{name}", args=[number])


@contextmanager
def answered_with(person: Person, status: int) -> Iterator[None]:
    """Do what is refused with a status. The console shows that in red; anything else there is wrong all the same."""
    before, said = len(person.errors), f"status of {status}"
    with person.page.expect_console_message(lambda told: said in told.text):
        yield
    assert [said in error for error in person.errors[before:]] == [True], person.errors
    del person.errors[before:]


class Clerk(Person):
    """Somebody with rights, at work in the administration."""

    def opens(self, address: str) -> None:
        """Go to a page and be let in."""
        answer = self.page.goto(address)
        assert answer is not None
        assert answer.status == 200, (address, answer.status)

    def is_refused(self, address: str) -> None:
        """Go to a page and be told that it is for others."""
        with answered_with(self, 403):
            self.page.goto(address)
        expect(self.page.get_by_role("heading", name="Not for this account")).to_be_visible()

    def finds(self, kind: str, words: str) -> None:
        """Open the list of a kind of thing ("ratings_player"), look for words, and open what has just this name."""
        self.opens(reverse(f"admin:{kind}_changelist"))
        self.page.locator("#searchbar").fill(words)
        self.page.locator("#searchbar").press("Enter")
        self.content.get_by_role("link", name=words, exact=True).click()

    def follows(self, link: str) -> None:
        """Follow a link of the page, by its words."""
        self.content.get_by_role("link", name=link, exact=True).click()

    def fills(self, fields: Mapping[str, str]) -> None:
        """Fill in fields, by their labels; of choices, what is shown."""
        for label, value in fields.items():
            found = self.content.get_by_label(f"{label}:", exact=True)
            if found.evaluate("field => field.tagName") == "SELECT":
                found.select_option(label=value)
            else:
                found.fill(value)

    def ticks(self, label: str) -> None:
        """Tick a box."""
        self.content.get_by_label(label, exact=True).check()

    def does(self, button: str) -> None:
        """Press a button that leads to another page, or to this one again."""
        with self.page.expect_navigation():
            self.content.get_by_role("button", name=button, exact=True).click()

    def is_answered(self, words: str) -> None:
        """Read what came of the last thing that was done."""
        expect(self.page.locator(".messagelist")).to_contain_text(words)

    def reads(self, *words: str) -> None:
        """Find all of these words on the page."""
        for some in words:
            expect(self.content).to_contain_text(some)

    def grows_stale(self) -> None:
        """Let the sign-in be of an hour ago."""
        cookies = {cookie["name"]: cookie["value"] for cookie in self.context.cookies()}
        session = SessionStore(cookies[settings.SESSION_COOKIE_NAME])
        for shown in session[AUTHENTICATION_METHODS_SESSION_KEY]:
            shown["at"] -= 3600
        session.modified = True
        session.save()

    @property
    def content(self) -> Locator:
        """The page without what stands around it."""
        return self.page.locator("#content")


@dataclass
class House:
    """The site, and who has a browser open on it."""

    browser: Browser
    site: str
    entered: list[Person] = field(default_factory=list)
    password: str = PASSWORD

    def operator(self) -> Clerk:
        """Olga, who may do everything."""
        return self.clerk("Olga", User.objects.create_superuser("olga", password=PASSWORD))

    def moderator(self) -> Clerk:
        """Mona, who may do what comes with the ready role."""
        give_roles()
        mona = User.objects.create_user("mona", password=PASSWORD, is_staff=True)
        mona.groups.add(Group.objects.get(name="Moderator"))
        return self.clerk("Mona", mona)

    def clerk(self, name: str, account: User) -> Clerk:
        """Anybody with rights."""
        clerk = Clerk(**vars(open_page(self.browser, self.site, name)))
        let_in(clerk, account, self.site)
        self.entered.append(clerk)
        return clerk

    def player(self, name: str, queue: Queue) -> tuple[Person, Player]:
        """Somebody with an account and a player, on a phone."""
        person = self.visitor(name)
        return person, sign_in(person, queue, self.site)

    def visitor(self, name: str) -> Person:
        """Somebody who is not signed in, on a phone."""
        person = open_page(self.browser, self.site, name, width=390)
        self.entered.append(person)
        return person
