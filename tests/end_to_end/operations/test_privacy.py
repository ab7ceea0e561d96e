"""What a site says of itself and of its rules, and what people take along, or take away, of their own."""

import json
from io import StringIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from playwright.sync_api import expect

from accounts.models import AuditEntry, Consent, User
from matchmaking.models import Ticket
from ratings.models import Player
from ratings.players.claim import make_player
from tests.accounts.mailing import PASSWORD
from tests.emptying import rows_by_table
from tests.end_to_end.operations.walkers import Walker, Walkers
from tests.end_to_end.players import make_queue
from tests.leaderboards.site import make_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = "/admin/accounts/sitetext/"


def write_text(
    olga: Walker, kind: str, language: str, text: str, *, asks_again: bool = False
) -> None:
    """From the list to the form of a text, and save it."""
    page = olga.page
    if not page.url.endswith(TEXTS):
        olga.opens(TEXTS)
    with page.expect_navigation():
        page.locator(f'a[href$="/write/{kind}/{language}/"]').click()
    page.locator("#id_text").fill(text)
    if asks_again:
        page.get_by_label("Everybody is asked again").check()
    olga.presses("Save")
    olga.reads("Saved. It is on all pages within seconds.")


def speaks(walker: Walker, language: str) -> None:
    """Choose the language at the top of the page."""
    with walker.page.expect_navigation():
        walker.page.locator(f".languages button[value={language}]").first.click()
    walker.fits()


@pytest.mark.full
def test_what_the_site_says_of_itself_and_who_accepts_its_rules(walkers: Walkers) -> None:
    queue = make_queue()
    olga, visitor = walkers.staff(), walkers.visitor(width=390)
    anna = walkers.player("anna")
    make_player(game=queue.ladder.game, user=anna.account, name="Anna")
    support = walkers.staff("Support")
    support.is_refused(TEXTS)
    support.is_refused(f"{TEXTS}write/rules/en/")
    assert walkers.staff("Moderator").status_of(f"{TEXTS}kept/") == 403
    visitor.is_refused("/imprint/", "has not written this page yet", 404)
    # A suggestion is no page yet: what only the operator knows must be filled in.
    write_text(olga, "name", "en", "Chess & Co")
    write_text(olga, "name", "de", "Schach & Co")
    olga.opens(f"{TEXTS}write/imprint/en/")
    olga.follows("Begin with a suggested text")
    olga.presses("Save")
    olga.reads("Fill in or delete what stands in double brackets")
    write_text(olga, "imprint", "en", "## Who runs this\n\nOlga Smith, One Street 1, Town")
    write_text(olga, "imprint", "de", "## Wer dahintersteht\n\nOlga Schmidt, Straße 1, Stadt")
    olga.opens(f"{TEXTS}write/privacy/en/")
    olga.page.locator("#id_text").fill("We *keep*:\n\n[kept]")
    olga.presses("Preview")
    expect(olga.page.locator(".text-preview em")).to_have_text("keep")
    olga.presses("Save")
    write_text(olga, "rules", "en", "Be nice.")
    write_text(olga, "rules", "de", "Sei nett.")
    olga.opens(TEXTS)
    olga.follows("What is kept, and for how long")
    olga.reads("EVENMATCH_KEEP_SEARCHES", "90 days")
    # In the footer of every page, in the language of whoever reads.
    footer = visitor.page.locator("footer")
    visitor.opens("/")
    expect(footer.get_by_role("link")).to_contain_text(["Imprint", "Privacy", "Rules"])
    expect(visitor.page.locator(".brand-name")).to_have_text("Chess & Co")
    with visitor.page.expect_navigation():
        footer.get_by_role("link", name="Imprint").click()
    visitor.reads("Olga Smith")
    speaks(visitor, "de")
    visitor.reads("Olga Schmidt", "Wer dahintersteht")
    expect(visitor.page).to_have_title("Impressum · Schach & Co")
    visitor.opens("/privacy/")
    visitor.reads("Diese Seite gibt es nicht in deiner Sprache", "90 days")
    speaks(visitor, "en")
    visitor.misses("not there in your language")
    # Whoever comes accepts the rules; whoever was there is asked once the operator says so.
    visitor.opens("/accounts/signup/")
    page = visitor.page
    page.get_by_label("Username").fill("bernd")
    for field in ("password1", "password2"):
        page.locator(f"input[name={field}]").fill(PASSWORD)
    expect(page.get_by_label("I accept the rules")).not_to_be_checked()
    page.get_by_label("I accept the rules").check()
    visitor.presses("Create account")
    assert Consent.objects.get().account.username == "bernd"
    search_page = "/play/in/blitz/"
    search = anna.page.get_by_role("button", name="Find a match")
    anna.opens(search_page)
    search.click()
    anna.reads("Searching for an opponent")
    anna.page.get_by_role("button", name="Cancel search").click()
    expect(search).to_be_visible()
    write_text(olga, "rules", "en", "Be nicer.", asks_again=True)
    search.click()
    anna.page.wait_for_url("**/rules/accept/**")
    anna.reads("asks everybody to accept its rules")
    anna.fits()
    assert not Ticket.objects.filter(state="waiting").exists()
    anna.page.get_by_label("I accept the rules").check()
    anna.presses("Accept")
    anna.page.wait_for_url(f"**{search_page}")
    anna.reads("You've accepted the rules.")
    search.click()
    anna.reads("Searching for an opponent")
    olga.opens("/admin/accounts/consent/")
    olga.reads("anna", "bernd")


NAME, MAIL = "Quirinus", "quirinus@somewhere.example"


def holding(word: str) -> list[str]:
    """Tables in which a word is left."""
    return [table for table, rows in rows_by_table().items() if word.lower() in rows.lower()]


def a_known_person(walkers: Walkers) -> tuple[Walker, Player]:
    """Somebody with an address, whose player has won matches."""
    player = make_site(system="elo", days=None).anna
    own = walkers.player(NAME, width=390)
    EmailAddress.objects.create(user=own.account, email=MAIL, verified=True, primary=True)
    player.call(NAME)
    player.user = own.account
    player.save()
    return own, player


def test_people_take_their_data_along_and_delete_themselves(
    walkers: Walkers, tmp_path: Path
) -> None:
    own, player = a_known_person(walkers)
    visitor, support = walkers.visitor(), walkers.staff("Support")
    own.opens("/accounts/security/")
    own.follows("Your data")
    with own.page.expect_download() as download:
        own.page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "evenmatch-data.json"
    download.value.save_as(tmp_path / "data.json")
    data = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))
    assert (data["account"]["name"], data["account"]["addresses"][0]["email"]) == (NAME, MAIL)
    (told,) = data["players"]
    assert (told["name"], len(told["matches"])) == (NAME, 6)
    visitor.opens(f"/search/?q={NAME}")
    visitor.reads(NAME)
    # Whoever helps may look, and delete nobody.
    support.opens(f"/admin/accounts/user/{own.account.pk}/change/")
    support.is_refused(f"/admin/accounts/user/{own.account.pk}/delete/")
    own.follows("Delete the account")
    own.reads("This cannot be taken back.", f"{NAME}")
    own.page.get_by_label("Your account's name").fill("Somebody")
    own.presses("Delete the account")
    own.reads("Nothing was deleted")
    assert holding(MAIL)
    own.page.get_by_label("Your account's name").fill(NAME)
    own.presses("Delete the account")
    own.reads("Your account is deleted.")
    for word in (NAME, MAIL):
        assert holding(word) == [], word
    visitor.opens(f"/search/?q={NAME}")
    visitor.reads("No player matches")
    visitor.opens(f"/players/{player.pk}/")
    visitor.reads(f"Deleted player {player.pk}")
    support.opens(f"/admin/accounts/auditentry/?q={own.account.pk}")
    support.reads("user.person_deleted")
    support.misses(NAME)
    own.opens("/accounts/data/")
    own.page.wait_for_url("**/accounts/login/**")


@pytest.mark.full
def test_an_operator_deletes_a_person(walkers: Walkers) -> None:
    own, player = a_known_person(walkers)
    olga = walkers.staff()
    own.opens("/accounts/security/")
    out = StringIO()
    call_command("delete_person", "--account", NAME, "--note", "asked by mail", stdout=out)
    for word in (NAME, MAIL):
        assert holding(word) == [], word
    # The open page leads to signing in, which nothing opens any more.
    own.opens("/accounts/data/")
    own.page.wait_for_url("**/accounts/login/**")
    own.page.get_by_label("Username or e-mail address").fill(NAME)
    own.page.get_by_label("Password").fill(PASSWORD)
    own.presses("Sign in")
    own.reads("The username")
    olga.opens(f"/admin/accounts/user/?q=deleted-{own.account.pk}")
    olga.reads(f"deleted-{own.account.pk}")
    olga.opens(f"/admin/ratings/player/{player.pk}/change/")
    olga.reads(f"Deleted player {player.pk}")
    olga.opens("/admin/accounts/auditentry/?q=person_deleted")
    olga.reads("asked by mail", "user.person_deleted")
    entry = AuditEntry.objects.get(action="user.person_deleted")
    assert entry.actor is None
    assert not User.objects.get(pk=own.account.pk).is_active
