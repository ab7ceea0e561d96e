"""People with rights: given by a role, held by a second factor, proved afresh, ended, and on record."""

import csv
import io
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import AuditEntry, User
from accounts.roles import give_roles
from api.models import ServerKey
from foundation import clock
from tests.accounts.factors.holding import code
from tests.accounts.mailing import PASSWORD
from tests.accounts.opening import opens, token_of
from tests.end_to_end.operations.walkers import Walker, Walkers
from tests.ratings.admin_cast import make_world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOG = "/admin/accounts/auditentry/"
AN_HOUR = 3600


def leave_open(walker: Walker) -> None:
    """Let an hour pass since this browser's sign-in."""
    name = settings.SESSION_COOKIE_NAME
    (cookie,) = (one for one in walker.page.context.cookies() if one.get("name") == name)
    session = SessionStore(cookie.get("value"))
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {**record, "at": record["at"] - AN_HOUR} for record in records
    ]
    session.save()


def confirms(walker: Walker) -> None:
    """Prove it again by the password, with which what was sent is carried out."""
    walker.reads("Confirm it's you")
    walker.page.get_by_label("Password").fill(PASSWORD)
    walker.presses("Confirm")


def first_step(walker: Walker, name: str) -> None:
    """Sign in by the page, up to what comes after the password."""
    walker.opens("/accounts/login/")
    walker.page.get_by_label("Username or e-mail address").fill(name)
    walker.page.get_by_label("Password").fill(PASSWORD)
    walker.presses("Sign in")


def signs_out(walker: Walker) -> None:
    walker.opens("/accounts/logout/")
    walker.presses("Sign out")


@pytest.mark.full
def test_a_moderator_is_made_and_holds_a_second_factor(walkers: Walkers) -> None:
    give_roles()
    carl = User.objects.create_user("carl", password=PASSWORD)
    olga, support, clerk = walkers.staff(), walkers.staff("Support"), walkers.visitor(width=390)
    page = f"/admin/accounts/user/{carl.pk}/change/"
    # Before he has the role he is a player like others; who helps sees the account, and gives no rights.
    first_step(clerk, "carl")
    clerk.is_refused("/admin/login/")
    support.opens(page)
    expect(support.page.locator("#id_groups_from, #id_is_staff")).to_have_count(0)
    support.misses("Reset password", "salt")
    # A browser that was left open is not enough to give rights.
    leave_open(olga)
    olga.opens(page)
    olga.page.get_by_label("Staff status").check()
    olga.page.locator("#id_groups_from").select_option(label="Moderator")
    olga.page.locator("#id_groups_add").click()
    olga.presses("Save")
    assert not carl.groups.exists()
    confirms(olga)
    olga.reads("was changed successfully")
    assert carl.groups.get() == Group.objects.get(name="Moderator")
    # Some days of grace, with a word on every page; then setting it up comes first.
    clerk.opens("/admin/")
    expect(clerk.page.locator(".factor-due")).to_contain_text(
        "you can only work here with a second factor"
    )
    clerk.reads("Matches", "Sanctions")
    clerk.misses("Server keys", "Texts of the site")
    for refused in ("accounts/user/", "accounts/sitetext/", "api/serverkey/", "auth/group/"):
        assert clerk.status_of(f"/admin/{refused}") == 403, refused
    long_ago = timezone.now() - timedelta(days=settings.STAFF_FACTOR_DAYS or 0, hours=1)
    User.objects.filter(pk=carl.pk).update(staff_since=long_ago)
    clerk.opens("/admin/ratings/match/")
    expect(clerk.page).to_have_url(f"{clerk.site}/accounts/2fa/")
    clerk.reads("The administration asks for a second factor. Set one up.")
    clerk.follows("Set up")
    confirms(clerk)
    asked = clerk.page.get_by_role("textbox")
    asked.last.fill("000000")
    clerk.presses("Set up")
    clerk.reads("That code is wrong")
    secret = clerk.page.locator("code.secret").inner_text()
    asked.last.fill(code(secret))
    clerk.presses("Set up")
    clerk.reads("Keep them where you find them without your phone")
    codes = clerk.page.locator(".codes code").all_inner_texts()
    assert len(set(codes)) == 10
    clerk.follows("Administration")
    clerk.reads("Matches")
    expect(clerk.page.locator(".factor-due")).to_have_count(0)
    # From now on the password alone opens nothing: the app does, or a recovery code, which does so once.
    signs_out(clerk)
    first_step(clerk, "carl")
    clerk.reads("Second step")
    clerk.page.get_by_role("textbox").last.fill(code(secret, later=1))
    clerk.presses("Sign in")
    clerk.opens("/admin/ratings/match/")
    expect(clerk.page).to_have_url(f"{clerk.site}/admin/ratings/match/")
    signs_out(clerk)
    first_step(clerk, "carl")
    clerk.page.get_by_role("textbox").last.fill(codes[0])
    clerk.presses("Sign in")
    clerk.opens("/accounts/2fa/")
    clerk.reads("9 codes are left")
    olga.opens(f"{LOG}?person=carl")
    olga.reads("user.changed", "user.factor_added", "user.signed_in")


@pytest.mark.full
def test_what_matters_asks_who_it_is_once_more(walkers: Walkers) -> None:
    world = make_world()
    olga = walkers.staff()
    tune = f"/admin/ratings/ratingtrack/{world.elo.pk}/tune/"
    tuner, organiser = walkers.staff("Tuner"), walkers.staff("Organiser")
    organiser.is_refused(tune)
    tuner.opens(tune)
    tuner.is_refused("/admin/api/serverkey/add/")
    olga.opens("/admin/api/serverkey/add/")
    leave_open(olga)
    olga.page.locator("#id_game").select_option(label="Chess")
    olga.page.locator("#id_name").fill("Server of Chess")
    olga.presses("Save")
    assert not ServerKey.objects.exists()
    confirms(olga)
    olga.reads("em_srv_")
    key = ServerKey.objects.get()
    assert (key.name, key.created_by) == ("Server of Chess", olga.user)
    olga.opens(tune)
    leave_open(olga)
    olga.page.locator("[name=k_established]").fill("24")
    olga.presses("Review the change")
    confirms(olga)
    olga.presses("Apply from match 5 on")
    olga.reads("Version 2 applies from match 5 on.")


@pytest.mark.full
def test_access_is_ended_and_the_log_is_searched_and_taken_along(
    walkers: Walkers, tmp_path: Path
) -> None:
    olga, anna, elsewhere = walkers.staff(), walkers.player("anna"), walkers.visitor(width=390)
    first_step(elsewhere, "anna")
    token = token_of(anna.account)
    anna.opens("/accounts/security/")
    expect(anna.main.get_by_role("button", name="Sign out", exact=True)).to_have_count(1)
    assert opens(token)
    page = f"/admin/accounts/user/{anna.account.pk}/"
    support, moderator = walkers.staff("Support"), walkers.staff("Moderator")
    for helper in (support, moderator):
        assert helper.status_of(f"{page}end-access/") == 403
    olga.opens(f"{page}change/")
    olga.follows("End sign-ins and tokens")
    olga.reads("127.0.0.*")
    for browser in (anna, elsewhere):
        browser.expects_refusal(
            "/live/?topic=player"
        )  # the page that is open asks once more for its stream
    olga.says_why("the account was sold", "End them")
    olga.reads("All sign-ins and tokens of anna have ended.")
    for browser in (anna, elsewhere):
        browser.opens("/accounts/security/")
        browser.page.wait_for_url("**/accounts/login/**")
    assert not opens(token)
    # By date and person; what is shown is what the file has.
    today = clock.now().date()
    walkers.staff("Viewer").is_refused(LOG)
    moderator.opens(LOG)
    moderator.page.get_by_label("From", exact=True).fill(f"{today}")
    moderator.page.get_by_label("To", exact=True).fill(f"{today}")
    moderator.page.get_by_label("By or about the account").fill("anna")
    moderator.presses("Filter")
    moderator.reads("user.access_ended", "the account was sold")
    moderator.misses("clerk-viewer")
    with moderator.page.expect_download() as download:
        moderator.page.get_by_role("button", name="Download as CSV").click()
    download.value.save_as(tmp_path / "log.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "log.csv").read_text(encoding="utf-8"))))
    assert "user.access_ended" in {row["action"] for row in rows}
    assert all(row["who"] == "anna" or row["id"] == str(anna.account.pk) for row in rows)
    moderator.page.get_by_label("To", exact=True).fill(f"{today - timedelta(days=1)}")
    moderator.page.get_by_label("From", exact=True).fill("")
    moderator.presses("Filter")
    moderator.misses("the account was sold")
    taken = AuditEntry.objects.get(action="auditlog.exported")
    assert (taken.actor, (taken.after or {})["rows"]) == (moderator.user, len(rows))
