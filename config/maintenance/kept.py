"""What a site keeps about people, what for and how long, in words: for its admin and its privacy page.

Figures come from the settings and from the code that deletes: what is told cannot differ from what is done.
"""

from datetime import timedelta

from allauth.account import app_settings as entrance
from django.conf import settings
from django.utils.translation import gettext as _

from accounts import forget_unconfirmed
from accounts.entrance import failures
from accounts.mail import send
from accounts.texts.retention import Kept, for_days, for_hours
from api.contract import idempotency
from groups.membership import INVITATIONS_KEPT
from matchmaking.rounds import hold
from notifications.retention import KEPT_DAYS, SILENT_DAYS

__all__ = ["what_is_kept"]

_DAY = timedelta(days=1)


def what_is_kept() -> list[Kept]:
    """In the language of whoever reads; what concerns everybody first."""
    return [*_of_accounts(), *_of_players(), *_of_the_site()]


def _of_accounts() -> list[Kept]:
    until_deleted = _("until the account is deleted")
    sign_in = timedelta(seconds=entrance.SESSION_COOKIE_AGE)
    return [
        Kept(
            _(
                "Account: name, e-mail addresses, password (scrambled), when it was made and used last"
            ),
            _("To sign in, and to get back in"),
            until_deleted,
        ),
        Kept(
            _("Accounts whose address nobody has confirmed"),
            _("To wait for the confirmation"),
            for_days(forget_unconfirmed.KEPT / _DAY),
        ),
        Kept(
            _("Sign-ins: when, and a cookie that the browser keeps"),
            _("To stay signed in, and to see who else is"),
            _("until signing out, %(time)s at most") % {"time": for_days(sign_in / _DAY)},
        ),
        Kept(
            _("Network address and browser of a sign-in"),
            _("To recognise strangers in one's account"),
            _until_the_sign_in_ends(),
            "EVENMATCH_KEEP_SIGN_INS",
        ),
        Kept(
            _("Attempts to sign in or sign up, counted by network address and account"),
            _("To stop guessing"),
            _("%(time)s at most") % {"time": for_hours(1)},
        ),
        Kept(
            _("How often signing in to an account failed on a day"),
            _("To see when somebody guesses"),
            for_days(failures.KEPT_DAYS),
        ),
        Kept(
            _("Second factor: its secret (sealed), passkeys, recovery codes"),
            _("To ask for it at sign-in"),
            _("until it is removed"),
        ),
        Kept(
            _("Mails: kind, address and when; not their links"),
            _("To send them, and to find out why one did not arrive"),
            _("%(time)s after they were sent") % {"time": for_days(send.KEPT / _DAY)},
        ),
        Kept(
            _("Browsers that take push: their address at the browser's maker, and keys"),
            _("To push to them"),
            _("until they are removed, or sign out; %(time)s after they stop taking any")
            % {"time": for_days(SILENT_DAYS)},
        ),
        Kept(_("In which language an account reads"), _("To write mails in it"), until_deleted),
        Kept(_("Which rules an account accepted, and when"), _("To prove it"), until_deleted),
    ]


def _of_players() -> list[Kept]:
    until_deleted = _("until the person is deleted")
    return [
        Kept(
            _("Players: name, former names, id in the game"),
            _("Leaderboards, results and opponents need a name"),
            until_deleted,
        ),
        Kept(
            _("Matches, results, ratings and every change of them"),
            _("Ratings and those of all opponents rest on them"),
            _("for good; once the person is deleted under a number in place of a name"),
        ),
        Kept(
            _("Searches that found no match, offers that came to nothing, parties that ended"),
            _("To see how long people wait, and to settle complaints"),
            for_days(settings.KEEP_SEARCHES),
            "EVENMATCH_KEEP_SEARCHES",
        ),
        Kept(
            _("Rooms: their names and notes, who was in them, and who was removed"),
            _("To settle complaints about what happened there"),
            _("%(time)s after they ended") % {"time": for_days(settings.KEEP_SEARCHES)},
            "EVENMATCH_KEEP_SEARCHES",
        ),
        Kept(
            _("Rounds at set times that a player joined"),
            _("To begin them, and to say why somebody was passed over"),
            for_days(hold.KEPT / _DAY),
        ),
        Kept(
            _("In which queues a player wants to be told of searches, and when it was told last"),
            _("To tell it so, and not too often"),
            _("until it is over or switched off"),
        ),
        Kept(
            _("Challenges and appointments, with their notes"),
            _("To show both what was agreed, and to settle complaints"),
            for_days(settings.KEEP_SEARCHES),
            "EVENMATCH_KEEP_SEARCHES",
        ),
        Kept(
            _("Searches and offers that became a match"),
            _("They say why the match was made"),
            _("as long as the match"),
        ),
        Kept(
            _("Reports of results"),
            _("To find out who is right when they differ"),
            _("%(time)s, once the match is decided") % {"time": for_days(settings.KEEP_REPORTS)},
            "EVENMATCH_KEEP_REPORTS",
        ),
        Kept(
            _("Comments and links to proofs in disputes"),
            _("To decide them"),
            until_deleted,
        ),
        Kept(
            _("Reports of players, appeals, and what moderators decided of them"),
            _("To keep to the rules, and to see who is often reported, or reports in vain"),
            _("%(time)s after the decision; appeals as long as what they are against is in force")
            % {"time": for_days(settings.KEEP_CASES)},
            "EVENMATCH_KEEP_CASES",
        ),
        Kept(
            _("When a player changed its name, and to what"),
            _("To count the changes, and to hold the name before for whoever had it"),
            for_days(settings.KEEP_CASES),
            "EVENMATCH_KEEP_CASES",
        ),
        Kept(
            _("Search options, avoid list, conduct score"),
            _("To find fitting opponents"),
            until_deleted,
        ),
        Kept(
            _("Feedback: with whom somebody enjoyed playing or not, and what was ticked beside it"),
            _("To bring together who enjoys it; nobody but its author sees it"),
            _("until its author deletes it, or one of the two persons is deleted"),
        ),
        Kept(
            _(
                "What is worked out from feedback: figures that say nothing of anybody by themselves"
            ),
            _("To foresee who would enjoy playing together"),
            _("until it is worked out anew, within hours"),
        ),
        Kept(
            _("Behaviour in matches: numbers that the game counts, such as accuracy"),
            _("To estimate how strong somebody is before ratings can tell; never part of a rating"),
            until_deleted,
        ),
        Kept(
            _("Profiles: country, age group, what one plays for, tags, and who sees each"),
            _("To find fitting people; what is empty is not kept"),
            _("until it is emptied, or the person is deleted"),
        ),
        Kept(
            _("Friends, requests, whom one follows or blocks, and who may turn to one"),
            _("To let people find each other, and be left alone"),
            until_deleted,
        ),
        Kept(
            _(
                "Offences against good conduct, why they count, appeals, and who was away from a match"
            ),
            _("To match players of bad conduct among themselves, and to decide appeals"),
            _(
                "until their points have faded to a thousandth; of running appeals until they are decided"
            ),
        ),
        Kept(
            _("Groups: names, notes, who is in them, invited, or was removed"),
            _("To let people stay together"),
            _("until they are dissolved; invitations for %(time)s")
            % {"time": for_days(INVITATIONS_KEPT / _DAY)},
        ),
        Kept(
            _(
                "Clans: names, tags, notes, who is and was in them, invited, applies, or was removed"
            ),
            _(
                "To let people play under one name, and to know for which clan somebody played, and when"
            ),
            _(
                "for good; without a name once the person is deleted; invitations and applications for %(time)s"
            )
            % {"time": for_days(INVITATIONS_KEPT / _DAY)},
        ),
        Kept(
            _("Whether somebody wants suggestions, or a random group and with whom"),
            _("To suggest, and to draw"),
            _("until it is wanted no more, or has come"),
        ),
        Kept(
            _("What players write in parties, rooms and matches, where a game has that on"),
            _("So that they can read it, and to look into reports"),
            _(
                "as many days as the rules of the game's talk say; until the person is deleted at most"
            ),
        ),
        Kept(
            _("Whom a player has muted"),
            _("Not to show what they write"),
            until_deleted,
        ),
        Kept(
            _("What a player was told on the site, by mail or push, and when it was read"),
            _("To read it again"),
            for_days(KEPT_DAYS),
        ),
        Kept(
            _("Which player caused which other a mail or push, and when"),
            _("To send no more of them than the limit allows"),
            _("an hour; another at most until it is deleted"),
        ),
        Kept(
            _("By which ways a player wants to be told what, and quiet hours"),
            _("To be told so"),
            until_deleted,
        ),
        Kept(
            _("Sanctions and their reasons"),
            _("To keep to the rules, and to answer appeals"),
            until_deleted,
        ),
        Kept(
            _(
                "Of those deleted while suspended: a code from which no id can be read, from what, and until when"
            ),
            _("No suspension ends by deleting oneself"),
            _("until the suspension ends or goes on for somebody with that id"),
        ),
    ]


def _of_the_site() -> list[Kept]:
    return [
        Kept(
            _("Tokens and keys for programs, after they ended; never their secrets"),
            _("To recognise what was done with them"),
            for_days(settings.KEEP_KEYS),
            "EVENMATCH_KEEP_KEYS",
        ),
        Kept(
            _("Messages to games of what has happened"),
            _("Games that were away catch up with them"),
            for_days(settings.KEEP_EVENTS),
            "EVENMATCH_KEEP_EVENTS",
        ),
        Kept(
            _("Answers to calls of programs"),
            _("A call that is repeated is not carried out twice"),
            for_hours(idempotency.KEPT_FOR / timedelta(hours=1)),
        ),
        Kept(
            _("What operators and owners of accounts changed, when and why"),
            _("To account for it"),
            _("for good; what it tells of a person until that person is deleted"),
        ),
        Kept(
            _(
                "The site's log: which kind of page was asked for and how long it took, without names and addresses"
            ),
            _("To find faults"),
            _("as the operator of the machine has it"),
        ),
    ]


def _until_the_sign_in_ends() -> str:
    if settings.KEEP_SIGN_INS is None:
        return _("as long as the sign-in")
    return _(
        "%(time)s after its last use, then only the network; as long as the sign-in at most"
    ) % {"time": for_days(settings.KEEP_SIGN_INS)}
