"""Conduct: how a player stands, and why; absences from matches."""

from rest_framework import serializers

from api.contract.shapes import Shape
from matchmaking.conduct.own import OwnOffence
from matchmaking.conduct.steps import Step
from matchmaking.models import AppealState, OffenceAppeal, OffenceKind, Teller

__all__ = ["AbsenceShape", "ConductShape", "OffenceShape"]


class AppealStateShape(Shape):
    """An appeal against an offence."""

    text = serializers.CharField()
    state = serializers.ChoiceField(choices=AppealState.choices)
    made_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(help_text="Why it was decided so. Empty: it waits.")

    def get_reason(self, appeal: OffenceAppeal) -> str:
        """What moderators tell a person is for that person, as with sanctions."""
        return appeal.reason if self._caller.player is not None else ""


class OffenceShape(Shape):
    """Something that is held against a player. Who reported it is not told."""

    id = serializers.IntegerField(source="offence.pk")
    kind = serializers.ChoiceField(source="offence.kind", choices=OffenceKind.choices)
    points = serializers.FloatField(source="offence.points", help_text="What it counted at first.")
    points_now = serializers.FloatField(source="now", help_text="What is left of them.")
    at = serializers.DateTimeField(source="offence.at")
    match = serializers.IntegerField(
        allow_null=True, help_text="Null also for what was reported: it would say by whom."
    )
    reason = serializers.CharField(
        help_text="What a moderator has said. Empty: the rules say it; and for a server."
    )
    taken_back_at = serializers.DateTimeField(source="offence.taken_back_at", allow_null=True)
    appeal = AppealStateShape(allow_null=True)

    def get_reason(self, one: OwnOffence) -> str:
        """Only of what moderators decide: words of whoever reports would tell who it was. And for that person alone."""
        is_told = self._caller.player is not None and one.offence.kind == OffenceKind.MANNERS
        return one.offence.reason if is_told else ""

    def get_appeal(self, one: OwnOffence) -> object:
        """The appeal as it stands; null where there is none."""
        return getattr(one.offence, "appeal", None)


class ConductShape(Shape):
    """How a player stands."""

    points = serializers.FloatField(source="standing.score")
    step = serializers.ChoiceField(
        source="standing.step",
        choices=[(step.value, step.value) for step in Step],
        help_text="`note`: told only. `cooling_off`: may not search, accept or join until then. "
        "`among_like`: meets players like itself first.",
    )
    cooling_until = serializers.DateTimeField(source="standing.cooling_until", allow_null=True)
    among_like_until = serializers.DateTimeField(
        source="like_until", allow_null=True, help_text="If nothing is added."
    )
    clean_at = serializers.DateTimeField(
        allow_null=True, help_text="When nothing follows from the points any more."
    )
    half_life_days = serializers.FloatField(source="rules.half_life_days")
    note_from = serializers.FloatField(source="rules.note_from")
    cool_from = serializers.FloatField(source="rules.cool_from")
    cool_after = serializers.IntegerField(
        source="rules.cool_after", help_text="So many offences within a half-life, at least."
    )
    among_like_from = serializers.FloatField(source="rules.like_from")
    given = serializers.FloatField(help_text="Points that an operator has added, what is left.")
    offences = OffenceShape(many=True, help_text="The latest first, 50 at most.")


class AbsenceShape(Shape):
    """A player who is away from a match, or was."""

    match = serializers.IntegerField(source="match_id")
    player = serializers.IntegerField(source="player_id", help_text="Id of the player.")
    away_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="Back by then it costs nothing.")
    told_by = serializers.ChoiceField(
        choices=Teller.choices,
        help_text="Whose word it is: whom the server has told to be away only it can tell to be back.",
    )
    back_at = serializers.DateTimeField(allow_null=True)
