"""What players choose on the page of people."""

from django import forms

from people.models import ContactWishes

__all__ = ["ContactForm"]


class ContactForm(forms.ModelForm):  # type: ignore[type-arg]
    """Who may turn to the player."""

    class Meta:
        model = ContactWishes
        fields = ("write", "challenge", "see", "ask")
