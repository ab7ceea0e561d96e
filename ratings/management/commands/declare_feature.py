"""`manage.py declare_feature`: tell what a game counts of each player in each match."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.behaviour.features import declare, words_on_faking
from ratings.models import Game

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Declare a feature of behaviour that the game sends for each player and match, such as accuracy; one that is "
        "there is changed. What is known to be easy to fake is not used unless --use is given."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="short name of the game")
        parser.add_argument("name", metavar="NAME", help="small letters, digits and underscores")
        parser.add_argument("--description", metavar="TEXT", help="for the public page")
        parser.add_argument(
            "--easy-to-fake",
            action=argparse.BooleanOptionalAction,
            help="whether a player can raise it without playing better",
        )
        parser.add_argument(
            "--use", action=argparse.BooleanOptionalAction, help="whether estimates rest on it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = Game.objects.in_use().filter(slug=options["game"]).first()
        if game is None:
            raise CommandError(_("There is no game “%s”.") % options["game"])
        try:
            feature, is_new = declare(
                game,
                options["name"],
                description=options["description"],
                easy_to_fake=options["easy_to_fake"],
                is_used=options["use"],
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        words = (
            _("Feature %s was declared.") if is_new else _("Feature %s was there; it is changed.")
        )
        self.stdout.write(words % feature.name)
        if feature.easy_to_fake:
            self.stdout.write(words_on_faking(feature.name))
