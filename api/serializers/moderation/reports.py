"""Reports of players, appeals, and names, as their own players see them."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from moderation.models import Appeal, PlayerReport, ReportKind

__all__ = ["AppealShape", "NameShape", "PlayerReportShape"]


class PlayerReportShape(Shape):
    """A report by the player."""

    id = serializers.IntegerField(source="pk")
    reported = PlayerRefShape()
    kind = serializers.ChoiceField(choices=ReportKind.values)
    match = serializers.IntegerField(source="match_id", allow_null=True)
    text = serializers.CharField()
    lines = serializers.IntegerField(help_text="How many lines of talk the site has added.")
    at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(
        allow_null=True, help_text="When a moderator had looked at it; null: none has yet."
    )

    def get_lines(self, report: PlayerReport) -> int:
        return len(report.lines)


class AppealShape(Shape):
    """An appeal of the player."""

    id = serializers.IntegerField(source="pk")
    sanction = serializers.IntegerField(
        source="sanction_id", allow_null=True, help_text="Against this sanction."
    )
    name_change = serializers.IntegerField(
        source="name_change_id", allow_null=True, help_text="Against this reset of the name."
    )
    text = serializers.CharField()
    at = serializers.DateTimeField()
    granted = serializers.BooleanField(allow_null=True, help_text="null: not decided yet.")
    answer = serializers.CharField(help_text="Why it was decided so; empty until then.")

    def get_answer(self, appeal: Appeal) -> str:
        holding = [one for one in appeal.case.decisions.all() if one.undone_at is None]
        return holding[0].reason if holding else ""


class NameShape(Shape):
    """The player's name, and how often it may change now."""

    name = serializers.CharField()
    locked = serializers.BooleanField(help_text="Moderators have fixed it.")
    changes_left = serializers.IntegerField(help_text="In the 30 days up to now.")
    next_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next change can be, where none is left."
    )
