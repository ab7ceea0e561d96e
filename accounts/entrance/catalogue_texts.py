"""Texts of Django and django-allauth that our German catalogue says in its own words. Nothing uses this module."""

from django.utils.translation import gettext_noop, ngettext_lazy

__all__ = ["WORDS"]

WORDS = (
    gettext_noop("Save and add another"),
    gettext_noop("Save and continue editing"),
    gettext_noop("Reset password"),
    gettext_noop("Raw passwords are not stored, so there is no way to see the user’s password."),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("This password is too common."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("The username and/or password you specified are not correct."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
)
