"""What hosts type and press: how a room is to be."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foundation.countries import country_choices
from groups.models import Group
from matchmaking.pages.preference_form import language_choices
from people.models import AgeGroup
from rooms.filters.declared import offered_filters
from rooms.models import Access, MapChoice, Room, StartRule, TeamChoice
from rooms.places import Place
from rooms.refusals import WrongRoomError

__all__ = ["CATEGORY_WORDS", "RoomForm"]

# Those that come with the site are translated; an operator's own stand as they are.
CATEGORY_WORDS = {
    "casual": _("casual"),
    "serious": _("serious"),
    "beginners": _("beginners"),
    "custom": _("custom"),
}
# Filters that a field has as a room keeps them.
_AS_KEPT = (
    "established", "languages", "latency", "tags", "countries", "age_groups", "conduct", "own",
)  # fmt: skip
_SEVERAL = _("One of these is enough; separated by commas.")
_LISTS = ("regions", "styles", "rules")


def category_choices(place: Place) -> list[tuple[str, Any]]:
    """The categories of a game, in words."""
    return [(name, CATEGORY_WORDS.get(name, name)) for name in place.lobby.category_names]


class RoomForm(forms.Form):
    """How a room of one ladder is to be; fields that its ladder has no use for are left out."""

    name = forms.CharField(label=_("Name of the room"), max_length=60)
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        help_text=_("Everyone who sees the room reads it."),
    )
    category = forms.ChoiceField(label=_("Category"))
    access = forms.ChoiceField(label=_("Who may come"), choices=Access.choices)
    group_id = forms.TypedChoiceField(
        label=_("Group of players"), required=False, coerce=int, empty_value=None
    )
    team_choice = forms.ChoiceField(label=_("Teams"), choices=TeamChoice.choices)
    map_choice = forms.ChoiceField(label=_("Map"), choices=MapChoice.choices)
    map = forms.ChoiceField(label=_("The host's map"), required=False)
    start_rule = forms.ChoiceField(label=_("The match begins"), choices=StartRule.choices)
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("The match counts for ratings."),
    )
    options = forms.CharField(
        label=_("Options"),
        max_length=400,
        required=False,
        help_text=_("What else holds, separated by commas: no items, best of 3."),
    )
    rating_low = forms.FloatField(
        label=_("Rating from"), required=False, min_value=-1_000_000, max_value=1_000_000
    )
    rating_high = forms.FloatField(
        label=_("Rating up to"), required=False, min_value=-1_000_000, max_value=1_000_000
    )
    chance = forms.FloatField(
        label=_("Chance to win"),
        required=False,
        min_value=1,
        max_value=50,
        help_text=_(
            "How far from even a match with the host may be, in percent: 10 lets in who wins 40 to 60 of 100. 1 to 50."
        ),
    )
    established = forms.BooleanField(label=_("Established players only"), required=False)
    languages = forms.MultipleChoiceField(
        label=_("Languages"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("One of these; whoever names none speaks with everyone."),
    )
    regions = forms.CharField(
        label=_("Regions"), required=False, max_length=200, help_text=_SEVERAL
    )
    latency = forms.FloatField(
        label=_("Latency at most, in milliseconds"), required=False, min_value=1, max_value=5000
    )
    styles = forms.CharField(
        label=_("Styles of play"), required=False, max_length=200, help_text=_SEVERAL
    )
    rules = forms.CharField(label=_("Rules"), required=False, max_length=200, help_text=_SEVERAL)
    tags = forms.MultipleChoiceField(
        label=_("Tags of profiles"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("One of these; whoever has no tags can come, too."),
    )
    countries = forms.MultipleChoiceField(
        label=_("Countries"),
        required=False,
        widget=forms.SelectMultiple(attrs={"size": 6}),
        help_text=_("One of these; whoever tells none can come, too."),
    )
    age_groups = forms.MultipleChoiceField(
        label=_("Age groups"),
        required=False,
        choices=AgeGroup.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("One of these; whoever tells none can come, too."),
    )
    conduct = forms.BooleanField(
        label=_("Good conduct only"),
        required=False,
        help_text=_("Players who often leave or offend can't come in. They are not told why."),
    )
    own = forms.BooleanField(label=_("The game's own rules for matches"), required=False)

    def __init__(
        self, *args: Any, place: Place, groups: Sequence[Group] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._place = place
        fields: dict[str, Any] = self.fields
        if groups:
            fields["group_id"].choices = [("", "–"), *((one.pk, one.title) for one in groups)]
        else:
            del fields["group_id"]
            fields["access"].choices = [one for one in Access.choices if one[0] != Access.GROUP]
        fields["category"].choices = category_choices(place)
        if place.ladder.team_size == 1:
            del fields["team_choice"]
        elif not place.shows_ratings:
            fields["team_choice"].choices = [
                one for one in TeamChoice.choices if one[0] != TeamChoice.BALANCED
            ]
        if place.maps:
            fields["map"].choices = [("", "–"), *((name, name) for name in place.maps)]
        else:
            del fields["map"], fields["map_choice"]
        fields["tags"].choices = list(place.tags.items())
        fields["countries"].choices = country_choices()
        fields["languages"].choices = language_choices()
        offered = set(offered_filters(place))
        for name in (
            "rating_low",
            "rating_high",
            "chance",
            *_LISTS,
            "languages",
            "established",
            "tags",
            "latency",
            "conduct",
            "own",
        ):
            if name.partition("_")[0] not in offered:
                del fields[name]
            elif name in _LISTS and (words := place.words(name)):
                fields[name] = forms.MultipleChoiceField(
                    label=fields[name].label,
                    required=False,
                    choices=[(word, word) for word in words],
                    widget=forms.CheckboxSelectMultiple,
                )

    @classmethod
    def of_room(cls, room: Room, place: Place, groups: Sequence[Group]) -> "RoomForm":
        """The form as the room is."""
        filters: Mapping[str, Any] = room.filters
        rating = filters.get("rating", {})
        initial: dict[str, Any] = {
            name: getattr(room, name)
            for name in (
                "name",
                "note",
                "category",
                "access",
                "group_id",
                "team_choice",
                "map_choice",
                "map",
                "start_rule",
                "rated",
            )
        }
        initial |= {
            "options": ", ".join(room.options),
            "rating_low": rating.get("low"),
            "rating_high": rating.get("high"),
            "chance": None if "chance" not in filters else round(filters["chance"] * 100, 1),
            **{name: filters.get(name) for name in _AS_KEPT},
        }
        for name in _LISTS:
            words = list(filters.get(name, ()))
            initial[name] = words if place.words(name) else ", ".join(words)
        return cls(initial=initial, place=place, groups=groups)

    @property
    def settings(self) -> dict[str, Any]:
        """What `rooms.settings` reads, from a form that is valid."""
        given = self.cleaned_data
        filters: dict[str, Any] = {name: given[name] for name in _AS_KEPT if given.get(name)}
        ends = {"low": given.get("rating_low"), "high": given.get("rating_high")}
        if rating := {end: points for end, points in ends.items() if points is not None}:
            filters["rating"] = rating
        if given.get("chance"):
            filters["chance"] = given["chance"] / 100
        for name in _LISTS:
            if words := _words(given.get(name)):
                filters[name] = words
        columns = (
            "name",
            "note",
            "category",
            "access",
            "group_id",
            "team_choice",
            "map_choice",
            "map",
            "start_rule",
            "rated",
        )
        found = {name: given[name] for name in columns if name in self.fields}
        return {**found, "options": _words(given.get("options")), "filters": filters}

    def show_wrong(self, refusal: WrongRoomError) -> None:
        """Let the fields say what the rules have refused."""
        for one in refusal.wrong:
            name = str(
                one.path[1] if one.path[0] == "filters" and len(one.path) > 1 else one.path[0]
            )
            name = {"rating": "rating_low", "group": "group_id"}.get(name, name)
            self.add_error(name if name in self.fields else None, one.words)


def _words(value: str | Sequence[str] | None) -> list[str]:
    """Words of a list, or between commas."""
    parts = value.split(",") if isinstance(value, str) else value or ()
    return list(dict.fromkeys(word.strip() for word in parts if word.strip()))
