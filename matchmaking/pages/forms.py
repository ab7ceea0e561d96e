"""What players type and press on their pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from ratings.models import Game, Outcome
from ratings.players.claim import LONGEST_NAME, suggest_name

__all__ = ["LEFT", "CodeForm", "NameForm", "ReportForm"]

LEFT = "left"


class NameForm(forms.Form):
    """Under which name an account plays a game."""

    name = forms.CharField(
        label=_("Your name in this game"),
        max_length=LONGEST_NAME,
        help_text=_("Everyone sees it, on leaderboards and in matches."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )

    # Where the player was about to go: the link of a party, a room or a challenge.
    then = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    @classmethod
    def suggesting(cls, game: Game, user: User) -> "NameForm":
        """Return the form with a name that is free, made from the account's."""
        return cls(initial={"name": suggest_name(game=game, user=user)})


class CodeForm(forms.Form):
    """The code of a party, as somebody has typed it."""

    code = forms.CharField(max_length=40)


class ReportForm(forms.Form):
    """How a match ended for the player who says so, or that the player left it."""

    outcome = forms.ChoiceField(
        choices=[*Outcome.choices, (LEFT, _("I left early"))], required=False
    )
    # Of more than two sides, in place of the outcome.
    place = forms.IntegerField(min_value=1, max_value=100, required=False)
    shared = forms.BooleanField(required=False)
    queue = forms.SlugField(required=False)

    def clean(self) -> dict[str, Any]:
        """One of the two, and one only."""
        given = self.cleaned_data
        if given.get("outcome") in (Outcome.NOT_PLAYED, LEFT):
            given["place"] = None  # of a list beside the button that was pressed
        if bool(given.get("outcome")) == bool(given.get("place")):
            raise forms.ValidationError(_("Choose how the match ended."))
        return given
