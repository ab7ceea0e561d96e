"""A form with the place of each team of a match, beside what its players have said."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.admin_actions import NoteForm
from ratings.matches.result import Result, place_of
from ratings.models import Participant

__all__ = ["NOT_PLAYED", "PlacesForm", "VerdictOfMany"]

PLACED, NOT_PLAYED = "placed", "not_played"


@dataclass(frozen=True, slots=True)
class MemberFields:
    """A player, and the fields of what is known of this one alone."""

    participant: Participant
    fields: Sequence[BoundField]


@dataclass(frozen=True, slots=True)
class TeamFields:
    """A team: its members, and the field of its place."""

    members: Sequence[MemberFields]
    place: BoundField


class PlacesForm(NoteForm):
    """Where each team finished; teams with the same place share it."""

    # What is asked of each player besides: names of fields, without the player's number.
    of_players: Sequence[str] = ()

    def __init__(self, *args: Any, participants: Sequence[Participant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_team = groupby(participants, key=lambda one: one.team)
        self.teams = [list(members) for _team, members in by_team]
        last = len(self.teams)
        for number, members in enumerate(self.teams):
            self.fields[_place(number)] = forms.IntegerField(
                label=_("Place of %(names)s") % {"names": _names(members)},
                min_value=1,
                max_value=last,
                initial=self.place_before(members),
                widget=forms.NumberInput(attrs={"min": 1, "max": last, "inputmode": "numeric"}),
                error_messages={"required": _("Give every team a place.")},
            )

    def place_before(self, members: Sequence[Participant]) -> int | None:
        """The place that stands in a field before anybody has written into it. None: it is empty."""
        return None

    @property
    def rows(self) -> list[TeamFields]:
        """The fields as a table shows them."""
        return [
            TeamFields(
                [
                    MemberFields(one, [self[f"{name}_{one.player_id}"] for name in self.of_players])
                    for one in members
                ],
                self[_place(number)],
            )
            for number, members in enumerate(self.teams)
        ]

    @property
    def other_fields(self) -> list[BoundField]:
        """Those that stand outside the table."""
        inside = {
            field.name
            for team in self.rows
            for field in (team.place, *(it for one in team.members for it in one.fields))
        }
        return [field for field in self.visible_fields() if field.name not in inside]

    @property
    def is_incomplete(self) -> bool:
        """Whether something in the table must be mended."""
        return any(
            field.errors
            for team in self.rows
            for field in (team.place, *(it for one in team.members for it in one.fields))
        )

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks that a valid form says, by team."""
        places = [self.cleaned_data[_place(number)] for number in range(len(self.teams))]
        return tuple(place_of(places, team) - 1 for team in range(len(places)))

    def check_best(self) -> None:
        """Refuse places of which none is the first."""
        places = [self.cleaned_data.get(_place(number)) for number in range(len(self.teams))]
        if None not in places and min(place for place in places if place is not None) > 1:
            self.add_error(_place(0), _("One team at least has the first place."))


class VerdictOfMany(PlacesForm):
    """How a match of more than two teams ended, as an operator sees it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(len(self.teams)):
            self.fields[_place(number)].required = False
        self.fields["outcome"] = forms.ChoiceField(
            label=_("The match"),
            choices=[(PLACED, _("ended with these places")), (NOT_PLAYED, _("was not played"))],
            initial=PLACED,
            widget=forms.RadioSelect,
            error_messages={"required": _("Choose how the match ended.")},
        )
        self.order_fields(["outcome", "note"])

    def place_before(self, members: Sequence[Participant]) -> int | None:
        """What the team itself says, where its members say the same."""
        reports = [report for one in members if (report := getattr(one, "said", None)) is not None]
        said = {report.place for report in reports}
        return said.pop() if len(said) == 1 else None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("outcome") == PLACED:
            names = [_place(number) for number in range(len(self.teams))]
            missing = [
                name for name in names if cleaned.get(name) is None and name not in self.errors
            ]
            if missing:
                text = ngettext(
                    "%(count)d team has no place yet. Teams that share a place get the same number.",
                    "%(count)d teams have no place yet. Teams that share a place get the same number.",
                    len(missing),
                )
                self.add_error(None, text % {"count": len(missing)})
            self.check_best()
        return cleaned

    @property
    def result(self) -> Result | None:
        """What a valid form says; None: not played."""
        is_placed = self.cleaned_data["outcome"] == PLACED
        return Result(ranks=self.ranks) if is_placed else None


def _place(number: int) -> str:
    return f"place_{number}"


def _names(members: Sequence[Participant]) -> str:
    return ", ".join(one.player.name for one in members)
