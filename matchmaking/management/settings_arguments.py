"""Settings of a queue as a command line gives them: `--set language.use=must`."""

import argparse
from collections.abc import Sequence

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from matchmaking.pairing.settings import SECTIONS, Settings
from ratings.systems.parameters import ParameterError, Value

__all__ = ["add_set_argument", "read_settings"]


def add_set_argument(parser: argparse.ArgumentParser, *, such_as: str) -> None:
    """`--set`, any number of them, as `read_settings` takes them."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.NAME=VALUE",
        help=f"a parameter such as {such_as}; may be repeated",
    )


def read_settings(strategy: str, given: Sequence[str]) -> dict[str, dict[str, Value]]:
    """Read `section.name=value` of the command line; returns what was said, a default that was named too.

    Raises CommandError naming what is unknown or out of its range, and what would be right.
    """
    settings: dict[str, dict[str, Value]] = {}
    for text in given:
        path, equals, value = text.partition("=")
        section, dot, name = path.strip().partition(".")
        if not equals or not dot:
            raise CommandError(_("--set %r: must be SECTION.NAME=VALUE") % text)
        if section not in SECTIONS:
            known = ", ".join(SECTIONS)
            raise CommandError(
                _("--set %(text)r: section %(section)r is unknown; known are %(known)s")
                % {"text": text, "section": section, "known": known}
            )
        parameters = {parameter.name: parameter for parameter in SECTIONS[section].described()}
        if name not in parameters:
            known = ", ".join(parameters)
            raise CommandError(
                _("--set %(text)r: %(section)s has no %(name)r; it has %(known)s")
                % {"text": text, "section": section, "name": name, "known": known}
            )
        try:
            settings.setdefault(section, {})[name] = parameters[name].parse(value)
        except ParameterError as error:
            where = f"{section}.{error.parameter}"
            wrong = ParameterError(where, value, error.template, **error.words)
            raise CommandError(str(wrong)) from error
    try:
        Settings.build(strategy, settings)
    except ParameterError as error:
        raise CommandError(str(error)) from error
    return settings
