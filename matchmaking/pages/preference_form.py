"""The search options of a queue as a form: a field for each thing that the queue looks at, and no other."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Queue
from matchmaking.pairing.conditions import PREFERENCES
from matchmaking.pairing.preference import PreferenceDeclaration, PreferenceKind
from matchmaking.pairing.settings import Settings
from matchmaking.queues.settings import settings_of
from matchmaking.tickets.preferences import (
    InvalidPreferences,
    looked_at,
    read_character,
    read_preferences,
    read_roles,
)
from matchmaking.tickets.saved_preferences import Wanted
from ratings.models import RatingTrack

__all__ = ["SearchForm", "asks_for", "language_choices"]

# Codes as preferences have them, and under which name Django knows the language.
_LANGUAGES = {
    "ar": "ar", "cs": "cs", "da": "da", "de": "de", "en": "en", "es": "es", "fi": "fi", "fr": "fr", "hu": "hu",
    "it": "it", "ja": "ja", "ko": "ko", "nl": "nl", "no": "nb", "pl": "pl", "pt": "pt", "ro": "ro", "ru": "ru",
    "sv": "sv", "tr": "tr", "uk": "uk", "vi": "vi", "zh": "zh-hans",
}  # fmt: skip


def language_choices() -> list[tuple[str, str]]:
    """Codes of languages as preferences have them, with what each calls itself, in the order of that."""
    names = [(code, get_language_info(known)["name_local"]) for code, known in _LANGUAGES.items()]
    return sorted(names, key=lambda one: one[1].lower())


def asks_for(queue: Queue, *, leads: bool = True) -> set[str]:
    """Names of the fields of a queue's search options; none: it looks at ratings only. One query.

    Who does not lead the party says what to take part with; the rest is the leader's.
    """
    asked: set[str] = set()
    for name in looked_at(settings_of(queue)):
        asked.update(_parts_of(PREFERENCES[name]) if name in PREFERENCES else [name])
    tracks = RatingTrack.objects.filter(ladder=queue.ladder_id, facet="character")
    if tracks.exists():
        asked.add("character")
    return asked if leads else asked & {"character", "roles"}


class SearchForm(forms.Form):
    """Search options. `wanted` holds what was chosen once the form is valid."""

    def __init__(self, data: Any, *, queue: Queue, asked: set[str], before: Wanted) -> None:
        self.settings = settings_of(queue)
        super().__init__(data, initial=_initial(before), prefix="wish")
        self.before = before
        if "character" in asked:
            words = _(
                "You're matched by your rating with it. Opponents see it once everyone has accepted."
            )
            self.fields["character"] = forms.CharField(
                label=_("Character"), help_text=words, required=False, max_length=60, strip=True
            )
        if "roles" in asked:
            self.fields["roles"] = _boxes(
                [(role, role) for role in self.settings.roles],
                label=_("Roles"),
                help_text=_("Roles you'd play. None ticked: any."),
            )
        for preference in PREFERENCES.values():
            for name, part in _parts_of(preference).items():
                if name in asked:
                    self.fields[name] = _field_of(preference, part, self.settings)

    @property
    def wanted(self) -> Wanted:
        """What was chosen; what the form did not ask for stays as it was."""
        given = {**_initial(self.before), **self.cleaned_data}
        wanted: dict[str, Any] = {}
        for name, preference in PREFERENCES.items():
            if preference.parts:
                parts = {part.name: given.get(f"{name}_{part.name}") for part in preference.parts}
                wanted[name] = {part: value for part, value in parts.items() if value}
            elif preference.kind is PreferenceKind.LATENCIES:  # the site measures none
                wanted[name] = dict.fromkeys(given.get(name, ()))
            else:
                wanted[name] = given.get(name)
        return Wanted(
            {name: value for name, value in wanted.items() if value},
            given.get("character", ""),
            given.get("roles", []),
        )

    def clean(self) -> dict[str, Any]:
        """Check it as a search would."""
        if self.errors:
            return self.cleaned_data
        wanted = self.wanted
        for read in (
            lambda: read_preferences(wanted.preferences, self.settings),
            lambda: read_roles(wanted.roles, self.settings),
            lambda: read_character(wanted.character),
        ):
            try:
                read()
            except InvalidPreferences as error:
                for wrong in error.wrong:
                    steps = [str(step) for step in wrong.path[:2] if not isinstance(step, int)]
                    names = ("_".join(steps), str(wrong.path[0]))
                    field = next((name for name in names if name in self.fields), None)
                    self.add_error(field, wrong.words)
        return self.cleaned_data


def _initial(before: Wanted) -> dict[str, Any]:
    """What was wanted before, by name of the field."""
    found: dict[str, Any] = {"character": before.character, "roles": before.roles}
    for name, preference in PREFERENCES.items():
        if preference.parts:
            kept: Mapping[str, Any] = before.preferences.get(name, {})
            found |= {f"{name}_{part.name}": kept.get(part.name, []) for part in preference.parts}
        elif name in before.preferences:
            found[name] = list(before.preferences[name])
    return found


def _parts_of(preference: PreferenceDeclaration) -> dict[str, PreferenceDeclaration]:
    """The lists that a preference is made up of, by name of the field; most are one."""
    if not preference.parts:
        return {preference.name: preference}
    return {f"{preference.name}_{part.name}": part for part in preference.parts}


def _field_of(
    preference: PreferenceDeclaration, part: PreferenceDeclaration, settings: Settings
) -> forms.Field:
    """Boxes where there are words to choose from, else a line to type some."""
    match preference.kind:
        case PreferenceKind.LANGUAGES:
            choices = language_choices()
        case PreferenceKind.MAPS:
            choices = [(one.name, one.name) for one in settings.game_maps]
        case _:
            choices = [(word, word) for word in settings.vocabulary.get(preference.name, ())]
            if not choices:
                return _WordsField(label=_(part.label), help_text=_(part.typed))
    return _boxes(choices, label=_(part.label), help_text=_(part.ticked))


def _boxes(choices: list[tuple[str, str]], **options: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=choices, required=False, widget=forms.CheckboxSelectMultiple, **options
    )


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
