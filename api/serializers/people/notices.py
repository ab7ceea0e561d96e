"""What a player was told, and by which ways it wants to be told."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.contract.shapes import Shape
from notifications.kinds import Group, kinds

__all__ = [
    "NOTICE_GROUPS",
    "NoticeChoicesShape",
    "NoticeShape",
    "NoticesChangedShape",
    "PushBrowserShape",
    "PushBrowsersShape",
]

# Those of which there are kinds.
NOTICE_GROUPS = [group.value for group in Group if any(kind.group == group for kind in kinds())]


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": ["integer", "string", "null"]},
    }
)
class FactsField(serializers.JSONField):
    """What a notice is made of, by name."""


class NoticeShape(Shape):
    """Something that a player was told."""

    id = serializers.IntegerField(source="notice.pk")
    kind = serializers.CharField(
        source="notice.kind",
        help_text="What has happened, such as `challenge.made`; docs/api.md lists all with their `facts`. New kinds "
        "may come with any release: show their `text`. They are no kinds of events, though some have their names.",
    )
    group = serializers.ChoiceField(
        choices=NOTICE_GROUPS, help_text="The group of kinds that it belongs to."
    )
    text = serializers.CharField(
        source="words", help_text="What it says, in the language of `Accept-Language`."
    )
    url = serializers.URLField(help_text="The page that it leads to.")
    about = serializers.CharField(
        source="notice.about",
        help_text="What it is about, such as `challenge:4`, so that the same is told once. May be empty. For ids go by "
        "`facts`.",
    )
    facts = FactsField(
        source="notice.data",
        help_text="By which the kind says it: numbers and texts, by names that follow from `kind`.",
    )
    created_at = serializers.DateTimeField(source="notice.created_at")
    read_at = serializers.DateTimeField(source="notice.read_at", allow_null=True)

    def get_url(self, said: Any) -> str:
        """With the site in front."""
        url: str = self.context["view"].request.build_absolute_uri(said.address)
        return url


class NoticesChangedShape(Shape):
    """How many were changed, and how many are unread now."""

    changed = serializers.IntegerField()
    unread = serializers.IntegerField()


class NoticeGroupShape(Shape):
    """By which ways the kinds of a group are told: all of them, none, or (null) some, as usual."""

    group = serializers.ChoiceField(source="group.value", choices=NOTICE_GROUPS)
    site = serializers.BooleanField(allow_null=True)
    mail = serializers.BooleanField(allow_null=True)
    push = serializers.BooleanField(allow_null=True)

    def get_site(self, one: Any) -> bool | None:
        """On the site, and in this list."""
        found: bool | None = one.ways["site"]
        return found

    def get_mail(self, one: Any) -> bool | None:
        """To the account's address."""
        found: bool | None = one.ways["mail"]
        return found

    def get_push(self, one: Any) -> bool | None:
        """To the account's browsers."""
        found: bool | None = one.ways["push"]
        return found


class QuietHoursShape(Shape):
    """When no mail and no push comes."""

    begins = serializers.CharField(help_text="Such as 22:00.")
    ends = serializers.CharField(help_text="Such as 07:00; past midnight where it is before.")
    zone = serializers.CharField(help_text="Such as Europe/Berlin.")

    def get_begins(self, quiet: Any) -> str:
        """To the minute."""
        return f"{quiet.begins:%H:%M}"

    def get_ends(self, quiet: Any) -> str:
        """To the minute."""
        return f"{quiet.ends:%H:%M}"


class NoticeChoicesShape(Shape):
    """What a player has chosen."""

    groups = NoticeGroupShape(many=True)
    quiet_hours = QuietHoursShape(allow_null=True)


class PushBrowserShape(Shape):
    """A browser to which is pushed; its address is not shown again."""

    id = serializers.IntegerField(source="pk")
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(
        allow_null=True, help_text="When a push was last taken by the browser's maker."
    )


class PushBrowsersShape(Shape):
    """The browsers that were added for the player."""

    key = serializers.CharField(
        help_text="`applicationServerKey` with which a browser subscribes to this site."
    )
    browsers = PushBrowserShape(many=True)
