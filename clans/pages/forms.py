"""What a leader types: how a clan is called, and who may come."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clans.models import Access, Clan, ClanRules
from clans.models.rules import MOST_MEMBERS
from clans.texts import LONGEST_NAME, SETTINGS, SHORTEST
from ratings.models.players import LONGEST_CLAN_TAG

__all__ = ["ClanForm"]


class ClanForm(forms.Form):
    """How a clan is to be."""

    name = forms.CharField(
        label=_("Name of the clan"), min_length=SHORTEST, max_length=LONGEST_NAME
    )
    tag = forms.CharField(
        label=_("Tag"),
        min_length=SHORTEST,
        max_length=LONGEST_CLAN_TAG,
        help_text=_("2 to 6 letters and digits. It stands beside the names of all members."),
    )
    note = forms.CharField(
        label=_("Note"), max_length=300, required=False, help_text=_("Everyone reads it.")
    )
    access = forms.ChoiceField(label=_("Who may join"), choices=Access.choices)
    most = forms.IntegerField(label=_("Members at most"), min_value=2, max_value=MOST_MEMBERS)

    def __init__(self, *args: Any, clan: Clan | None, rules: ClanRules, **kwargs: Any) -> None:
        initial: dict[str, Any] = {"access": Access.APPLY, "most": rules.most_members}
        if clan is not None:
            initial = {name: getattr(clan, name) for name in SETTINGS}
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
