"""What a player chooses when making a token."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from api.auth.issue import end_of
from api.auth.scopes import PLAYER_SCOPES, choices_of
from api.models import PlayerToken
from foundation import clock
from ratings.models import Player

__all__ = ["DeleteForm", "TokenForm"]

MOST_TOKENS = 50
FOR_EVER = "0"
_DAYS = [
    ("7", _("in 7 days")),
    ("30", _("in 30 days")),
    ("90", _("in 90 days")),
    ("365", _("in a year")),
    (FOR_EVER, _("never")),
]


class DeleteForm(forms.Form):
    """The account's name, typed: nobody deletes an account by a slip."""

    name = forms.CharField(
        label=_("Your account's name"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        """It must be the account's."""
        name: str = self.cleaned_data["name"]
        if name != self.user.get_username():
            text = _("This is not the account's name. Nothing was deleted; the name is “%(name)s”.")
            raise ValidationError(text % {"name": self.user.get_username()})
        return name


class TokenForm(forms.Form):
    """For which player, what it may do, and for how long."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        help_text=_("Where you'll use it, such as “my bot”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Allowed to"),
        choices=choices_of(PLAYER_SCOPES),
        initial=[scope.value for scope in PLAYER_SCOPES],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(label=_("Expires"), choices=_DAYS, initial="90")

    def __init__(self, players: Sequence[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {player.pk: player for player in players}
        choices = [(pk, f"{player.name} · {player.game}") for pk, player in self.players.items()]
        field = self.fields["player"]
        if isinstance(field, forms.TypedChoiceField):
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Refuse one token too many."""
        given: dict[str, Any] = super().clean() or {}
        tokens = PlayerToken.objects.filter(player=given.get("player"), revoked_at=None)
        if tokens.exclude(expires_at__lte=clock.now()).count() >= MOST_TOKENS:
            words = _("This player has %(most)d tokens. Revoke one first.")
            raise forms.ValidationError(words, params={"most": MOST_TOKENS})
        return given

    def chosen(self) -> dict[str, Any]:
        """What `issue_token` takes, of a valid form."""
        given = self.cleaned_data
        days = None if given["days"] == FOR_EVER else float(given["days"])
        return {
            "player": self.players[given["player"]],
            "name": given["name"],
            "scopes": given["scopes"],
            "expires_at": end_of(days),
        }
