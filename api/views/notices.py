"""What a player was told: reading it, and choosing by which ways and when to be told."""

from datetime import time
from re import fullmatch
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import Body, WordField
from api.contract.fields import ListOfField, TextField, TruthField, WholeField
from api.contract.pages import page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.people.notices import (
    NOTICE_GROUPS,
    NoticeChoicesShape,
    NoticesChangedShape,
    NoticeShape,
    PushBrowserShape,
    PushBrowsersShape,
)
from api.views.base import ApiView
from api.views.bodies import PageOfBody, WhoseBody
from foundation.postgresql.transactions import briefly, from_one_snapshot
from notifications import reading
from notifications.models import PushSubscription, Way
from notifications.preferences import choices_of, choose, quiet_hours_of, set_quiet_hours
from notifications.push.keys import public_key
from notifications.push.subscribe import MOST, browsers_of, forget_browser, subscribe
from notifications.words import said
from ratings.models import Player

__all__ = ["BrowserView", "BrowsersView", "ChoicesView", "NoticeView", "NoticesView", "ReadView"]

NoticesPageShape = page_shape("NoticesPageShape", NoticeShape)
_MOST_IDS = 200
_TIME_OF_DAY = "^([01][0-9]|2[0-3]):[0-5][0-9]$"


class PageOfNoticesBody(PageOfBody):
    """Whose, and which."""

    unread = serializers.BooleanField(default=False, help_text="Those alone that are unread.")


class NoticesReadBody(WhoseBody):
    """Which to mark as read."""

    ids = ListOfField(
        child=WholeField(),
        required=False,
        max_length=_MOST_IDS,
        help_text="Without it all are marked.",
    )


class NoticeWaysBody(Body):
    """By which ways a group is told: all its kinds, none, or (null) as usual; what is left out stays as it is."""

    group = WordField(choices=NOTICE_GROUPS)
    site = TruthField(required=False, allow_null=True)
    mail = TruthField(required=False, allow_null=True)
    push = TruthField(required=False, allow_null=True)


@extend_schema_field({"type": "string", "pattern": _TIME_OF_DAY})
class TimeOfDayField(serializers.TimeField):
    """A time of the day, to the minute."""

    default_error_messages = {"invalid": gettext_lazy("Must be a time such as 07:30.")}

    def to_internal_value(self, value: Any) -> time:
        """Take texts of this one form only."""
        if not isinstance(value, str) or not fullmatch(_TIME_OF_DAY, value):
            self.fail("invalid")
        return time.fromisoformat(value)


class QuietHoursBody(Body):
    """When no mail and no push comes."""

    begins = TimeOfDayField(help_text="Such as 22:00.")
    ends = TimeOfDayField(help_text="Such as 07:00.")
    zone = TextField(max_length=60, help_text="Such as Europe/Berlin.")


class NoticeChoicesBody(WhoseBody):
    """What to choose; what is left out stays as it is."""

    groups = ListOfField(child=NoticeWaysBody(), required=False, max_length=len(NOTICE_GROUPS))
    quiet_hours = QuietHoursBody(required=False, allow_null=True, help_text="null ends them.")


class PushBrowserBody(WhoseBody):
    """A browser's subscription, as it gives it."""

    endpoint = TextField(max_length=1000)
    p256dh = TextField(max_length=100)
    auth = TextField(max_length=40)


class NoticesView(ApiView):
    """What a player was told."""

    access = {"GET": MAY_ACT}
    query = {"GET": PageOfNoticesBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = "Notifications"

    @extend_schema(summary="What I was told", responses=NoticesPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The latest first. They are kept for 60 days."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        notices = reading.notices_of([player.pk])
        if given["unread"]:
            notices = notices.filter(read_at=None)
        rows, after = page_by("-pk", "n", notices, given)
        return self.page(NoticesPageShape, said(rows), after)


class ReadView(ApiView):
    """Marking as read."""

    access = {"POST": MAY_ACT}
    problems = {"POST": WHO_PROBLEMS}
    tag = "Notifications"

    @extend_schema(summary="Mark as read", request=NoticesReadBody, responses=NoticesChangedShape)
    def post(self, request: Request) -> Response:
        """Marks these as read, or all. What is read is not mailed or pushed any more."""
        given = self.body(NoticesReadBody)
        player = player_for(self.caller, given.get("player"))
        changed = reading.mark_read([player.pk], ids=given.get("ids"))
        unread = reading.unread_of([player.pk])
        return Response(self.shown(NoticesChangedShape, {"changed": changed, "unread": unread}))


class NoticeView(ApiView):
    """One notice."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "Notifications"

    @extend_schema(summary="Delete what I was told", responses={204: None})
    def delete(self, request: Request, notice_id: int) -> Response:
        """Deletes one; it is not mailed or pushed any more."""
        player = player_for(self.caller, self.parameters.get("player"))
        if not reading.delete([player.pk], ids=[notice_id]):
            raise Http404
        return Response(status=204)


class ChoicesView(ApiView):
    """By which ways a player is told, and when it is quiet."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, "wrong_quiet_hours")}
    tag = "Notifications"

    @extend_schema(summary="How I am told", responses=NoticeChoicesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Groups of kinds with the ways by which they are told, and the quiet hours."""
        player = player_for(self.caller, self.parameters.get("player"))
        return Response(self._shown(player))

    @extend_schema(
        summary="Choose how I am told",
        request=NoticeChoicesBody,
        responses={200: NoticeChoicesShape},
    )
    def post(self, request: Request) -> Response:
        """Changes what is named. Mails about the security of an account are not touched."""
        given = self.body(NoticeChoicesBody)
        player = player_for(self.caller, given.get("player"))
        with briefly():
            if "quiet_hours" in given:
                quiet: dict[str, Any] = given["quiet_hours"] or {}
                times = quiet.get("begins"), quiet.get("ends")
                set_quiet_hours(player.pk, *times, quiet.get("zone", ""))
            choose(
                player.pk,
                {
                    (one["group"], way.value): one[way.value]
                    for one in given.get("groups", ())
                    for way in Way
                    if way.value in one
                },
            )
        return Response(self._shown(player))

    def _shown(self, player: Player) -> Any:
        found = {"groups": choices_of(player.pk), "quiet_hours": quiet_hours_of(player.pk)}
        return self.shown(NoticeChoicesShape, found)


class BrowsersView(ApiView):
    """Browsers to which is pushed."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {
        "GET": (*WHO_PROBLEMS, "no_account"),
        "POST": (*WHO_PROBLEMS, "no_account", "wrong_push_address", "wrong_push_keys"),
    }
    tag = "Notifications"

    @extend_schema(summary="Browsers that get push", responses=PushBrowsersShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Those that were added for this player, and the key of this site. Those that the account has switched on
        itself are its own matter.
        """
        player = player_for(self.caller, self.parameters.get("player"))
        own = browsers_of(_account_of(player).pk).filter(player=player.pk)
        found = {"key": public_key(), "browsers": list(own[:MOST])}
        return Response(self.shown(PushBrowsersShape, found))

    @extend_schema(
        summary="Push to a browser",
        request=PushBrowserBody,
        responses={200: PushBrowserShape, 201: PushBrowserShape},
    )
    def post(self, request: Request) -> Response:
        """Takes a Web Push subscription (RFC 8030) made with this site's key. It is told of this player alone, not of
        others of the same account. A player has 10 at most.
        """
        given = self.body(PushBrowserBody)
        player = player_for(self.caller, given.get("player"))
        keys = {name: given[name] for name in ("endpoint", "p256dh", "auth")}
        pk, is_new = subscribe(player.pk, account=_account_of(player), **keys)
        row = PushSubscription.objects.get(pk=pk)
        return Response(self.shown(PushBrowserShape, row), status=201 if is_new else 200)


class BrowserView(ApiView):
    """One browser."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": (*WHO_PROBLEMS, "no_account")}
    tag = "Notifications"

    @extend_schema(summary="End push to a browser", responses={204: None})
    def delete(self, request: Request, browser_id: int) -> Response:
        """Nothing is pushed to it any more."""
        player = player_for(self.caller, self.parameters.get("player"))
        if not forget_browser(_account_of(player).pk, browser_id, player_id=player.pk):
            raise Http404
        return Response(status=204)


def _account_of(player: Player) -> User:
    account = None if player.user_id is None else User.objects.filter(pk=player.user_id).first()
    if account is None:
        raise ProblemError("no_account", _("The player belongs to no account of this site."))
    return account
