"""The search options of a queue as a form: a field for each thing that the queue looks at, and no other."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings
from matchmaking.queues.settings import settings_of
from matchmaking.tickets.preferences import (
    WrongWishes,
    looked_at,
    read_character,
    read_roles,
    read_wishes,
)
from matchmaking.tickets.saved_preferences import Wanted
from ratings.models import RatingTrack

__all__ = ["SearchForm", "asks_for"]

# Codes as wishes have them, and under which name Django knows the language.
_LANGUAGES = {
    "ar": "ar", "cs": "cs", "da": "da", "de": "de", "en": "en", "es": "es", "fi": "fi", "fr": "fr", "hu": "hu",
    "it": "it", "ja": "ja", "ko": "ko", "nl": "nl", "no": "nb", "pl": "pl", "pt": "pt", "ro": "ro", "ru": "ru",
    "sv": "sv", "tr": "tr", "uk": "uk", "vi": "vi", "zh": "zh-hans",
}  # fmt: skip


def asks_for(queue: Queue, *, leads: bool = True) -> set[str]:
    """Names of the fields of a queue's search options; none: it looks at ratings only. One query.

    Who does not lead the party says what to take part with; the rest is the leader's.
    """
    asked = _asks_leaders_for(queue)
    return asked if leads else asked & {"character", "roles"}


def _asks_leaders_for(queue: Queue) -> set[str]:
    asked = set(looked_at(settings_of(queue)))
    if "maps" in asked:
        asked = asked - {"maps"} | {"maps_veto", "maps_like"}
    tracks = RatingTrack.objects.filter(ladder=queue.ladder_id, facet="character")
    return asked | ({"character"} if tracks.exists() else set())


class SearchForm(forms.Form):
    """Search options. `wanted` holds what was chosen once the form is valid."""

    def __init__(self, data: Any, *, queue: Queue, asked: set[str], before: Wanted) -> None:
        self.settings = settings_of(queue)
        super().__init__(data, initial=_initial(before), prefix="wish")
        self.before = before
        for name, make in _FIELDS.items():
            if name in asked:
                self.fields[name] = make(self.settings)

    @property
    def wanted(self) -> Wanted:
        """What was chosen; what the form did not ask for stays as it was."""
        given = {**_initial(self.before), **self.cleaned_data}
        wishes = {name: given[name] for name in _WISHES if given.get(name)}
        if "regions" in wishes:  # the site measures no latencies
            wishes["regions"] = dict.fromkeys(wishes["regions"])
        maps = {
            kind: given[f"maps_{kind}"] for kind in ("veto", "like") if given.get(f"maps_{kind}")
        }
        return Wanted(
            {**wishes, **({"maps": maps} if maps else {})},
            given.get("character", ""),
            given.get("roles", []),
        )

    def clean(self) -> dict[str, Any]:
        """Check it as a search would."""
        if not self.errors:
            wanted = self.wanted
            for read in (
                lambda: read_wishes(wanted.wishes, self.settings),
                lambda: read_roles(wanted.roles, self.settings),
                lambda: read_character(wanted.character),
            ):
                self._check(read)
        return self.cleaned_data

    def _check(self, read: Callable[[], object]) -> None:
        try:
            read()
        except WrongWishes as error:
            for wrong in error.wrong:
                name = "_".join(str(step) for step in wrong.path[:2] if not isinstance(step, int))
                field = next(
                    (one for one in (name, str(wrong.path[0])) if one in self.fields), None
                )
                self.add_error(field, wrong.words)


class _WordsField(forms.CharField):
    """Words, separated by commas."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"})
        super().__init__(required=False, max_length=400, widget=widget, **options)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        words = (word.strip() for word in super().clean(value).split(","))
        return list(dict.fromkeys(word for word in words if word))


_WISHES = ("languages", "regions", "styles", "styles_wanted", "rules")


def _initial(before: Wanted) -> dict[str, Any]:
    maps: Mapping[str, Any] = before.wishes.get("maps", {})
    kept = {name: list(before.wishes[name]) for name in _WISHES if name in before.wishes}
    marked = {f"maps_{kind}": maps.get(kind, []) for kind in ("veto", "like")}
    return {**kept, **marked, "character": before.character, "roles": before.roles}


def _boxes(choices: list[tuple[str, str]], **options: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=choices, required=False, widget=forms.CheckboxSelectMultiple, **options
    )


def _languages(settings: Settings) -> forms.Field:
    names = [(code, get_language_info(known)["name_local"]) for code, known in _LANGUAGES.items()]
    words = _("Languages you speak in a match. None ticked: any.")
    return _boxes(
        sorted(names, key=lambda one: one[1].lower()), label=_("Languages"), help_text=words
    )


def _words(settings: Settings, wish: str, *, label: Any, typed: Any, ticked: Any) -> forms.Field:
    """Boxes where the queue knows the words, else a line to type some; with its help text."""
    words = settings.vocabulary[wish]
    if words:
        return _boxes([(word, word) for word in words], label=label, help_text=ticked)
    return _WordsField(label=label, help_text=typed)


def _regions(settings: Settings) -> forms.Field:
    return _words(
        settings,
        "regions",
        label=_("Regions"),
        typed=_("Where you would play, separated by commas: eu, us-east. Empty: anywhere."),
        ticked=_("Where you would play. None ticked: anywhere."),
    )


def _styles(settings: Settings) -> forms.Field:
    return _words(
        settings,
        "styles",
        label=_("Your style"),
        typed=_("How you play, separated by commas: attack, defence."),
        ticked=_("How you play."),
    )


def _styles_wanted(settings: Settings) -> forms.Field:
    return _words(
        settings,
        "styles_wanted",
        label=_("Style you're looking for"),
        typed=_("Styles of those you would like to play with. Empty: any."),
        ticked=_("Styles of those you would like to play with. None ticked: any."),
    )


def _rules(settings: Settings) -> forms.Field:
    return _words(
        settings,
        "rules",
        label=_("Rules"),
        typed=_("Optional rules you would like, separated by commas. Empty: any."),
        ticked=_("Optional rules you would like. None ticked: any."),
    )


def _roles(settings: Settings) -> forms.Field:
    return _boxes(
        [(role, role) for role in settings.roles],
        label=_("Roles"),
        help_text=_("Roles you'd play. None ticked: any."),
    )


def _veto(settings: Settings) -> forms.Field:
    words = _("You'll never be matched on these. At least one has to be left.")
    return _boxes(_maps(settings), label=_("Maps you veto"), help_text=words)


def _like(settings: Settings) -> forms.Field:
    words = _("These are preferred.")
    return _boxes(_maps(settings), label=_("Maps you like"), help_text=words)


def _maps(settings: Settings) -> list[tuple[str, str]]:
    return [(one.name, one.name) for one in settings.game_maps]


def _character(settings: Settings) -> forms.Field:
    words = _("You're matched by your rating with it. Opponents see it once everyone has accepted.")
    return forms.CharField(
        label=_("Character"), help_text=words, required=False, max_length=60, strip=True
    )


_FIELDS: dict[str, Callable[[Settings], forms.Field]] = {
    "character": _character,
    "roles": _roles,
    "languages": _languages,
    "regions": _regions,
    "styles": _styles,
    "styles_wanted": _styles_wanted,
    "rules": _rules,
    "maps_veto": _veto,
    "maps_like": _like,
}
