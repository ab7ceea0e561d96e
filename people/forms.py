"""What players choose on the page of people."""

from typing import Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from foundation.countries import country_choices
from people.models import ContactWishes, Profile
from people.profiles import MOST_TAGS, offered_tags, tags_of

__all__ = ["ContactForm", "ProfileForm"]


class ContactForm(forms.ModelForm):  # type: ignore[type-arg]
    """Who may turn to the player."""

    class Meta:
        model = ContactWishes
        fields = ("write", "challenge", "see", "ask")
        help_texts: ClassVar = {
            "write": _("You don't see what others write in parties, rooms and matches."),
        }


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What the player tells of itself, and to whom."""

    tags = forms.MultipleChoiceField(
        label=_("Tags"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=format_lazy(_("At most {most}."), most=MOST_TAGS),
    )

    class Meta:
        model = Profile
        fields = (
            "country",
            "country_told",
            "age_group",
            "age_group_told",
            "plays_for",
            "plays_for_told",
            "tags_told",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        player = self.instance.player
        self.fields["country"] = forms.ChoiceField(
            label=_("country").capitalize(), required=False, choices=self._countries()
        )
        own = tags_of(player.pk)
        offered = {tag.slug: tag for tag in [*offered_tags(player.game_id), *own]}
        field = self.fields["tags"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(slug, tag.name) for slug, tag in offered.items()]
        field.initial = [tag.slug for tag in own]
        if not offered:
            del self.fields["tags"], self.fields["tags_told"]

    def _countries(self) -> list[tuple[str, str]]:
        choices = [("", gettext("not told")), *country_choices()]
        kept = self.instance.country
        # One that is no country any more stays until another is chosen.
        return choices if kept in dict(choices) else [*choices, (kept, kept)]
