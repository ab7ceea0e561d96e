"""Accepting rules in a form: the box says what is accepted, and a hidden field which words were linked to."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.texts.consent import accept_rules
from accounts.texts.current import forget, site_texts
from accounts.texts.models import SiteText

__all__ = ["AcceptForm", "WithRules"]


class WithRules(forms.Form):
    """Asks for the rules where some are written. What is accepted is what the page linked to, and nothing newer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.texts = site_texts()
        row = self.texts.row_of(SiteText.Kind.RULES)
        if row is None:
            return
        self.fields["accepts"] = forms.BooleanField(
            label=SafeString(
                render_to_string(
                    "texts/_what_is_accepted.html",
                    {"has_privacy": self.texts.row_of(SiteText.Kind.PRIVACY)},
                ).strip()
            ),
            error_messages={"required": _("Accept the rules to go on.")},
        )
        self.fields["rules"] = forms.IntegerField(widget=forms.HiddenInput, initial=row)

    def clean(self) -> dict[str, Any] | None:
        """Refuse where other rules hold by now: nobody has read them yet."""
        cleaned: dict[str, Any] | None = super().clean()
        row = self.texts.row_of(SiteText.Kind.RULES)
        if row is None or "rules" not in self.fields:
            return cleaned
        said = self.cleaned_data.get("rules")
        if said not in self._rows_of_rules():  # other processes may know of newer ones already
            forget()
            self.texts = site_texts()
            row = self.texts.row_of(SiteText.Kind.RULES)
        if row is None:  # taken down just now
            del self.fields["rules"]
        elif said not in self._rows_of_rules():
            # The form is shown once more, with what holds now and nothing accepted.
            shown = {name: self.data[name] for name in self.data if name != "accepts"}
            self.data = {**shown, "rules": str(row)}
            self.errors.pop("rules", None)
            words = _("The rules have changed just now. Please read them and accept them again.")
            raise ValidationError(words)
        return cleaned

    def keep_consent(self, user: User) -> None:
        """Write down what was accepted, if there were rules."""
        if "rules" in self.fields:
            text = SiteText.objects.get(pk=self.cleaned_data["rules"])
            accept_rules(user, text, self.texts.version)

    def _rows_of_rules(self) -> set[int]:
        """In every language: somebody may have read one and sent the form in another."""
        rows = self.texts.rows.items()
        return {row for (kind, _), row in rows if kind == SiteText.Kind.RULES}


class AcceptForm(WithRules):
    """Accepting the rules, for an account that is there."""
