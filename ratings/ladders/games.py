"""Games: made and changed."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import change_columns, check_columns
from accounts.models import User
from ratings.models import Game

__all__ = ["GAME_COLUMNS", "change_game", "name_from", "obtain_game"]

# What of a game can be said when it is made, and changed later.
GAME_COLUMNS = ("name", "description", "disputes_at_most", "appeals_to", "refused_words")


def name_from(slug: str) -> str:
    """What a thing is called that was given a short name only."""
    return slug.replace("-", " ").replace("_", " ").strip().capitalize() or slug


@transaction.atomic
def obtain_game(
    slug: str, values: Mapping[str, Any], *, actor: User | None = None
) -> tuple[Game, bool]:
    """The game of this short name, and whether it was made now, with these values by the names in GAME_COLUMNS.

    Of two that make it at once the second waits for the first, and finds it. Raises ValidationError.
    """
    given = {"name": name_from(slug), **values}
    checked = check_columns(Game(), {"slug": slug, **given})
    game, is_new = Game.objects.get_or_create(slug=checked.pop("slug"), defaults=checked)
    if is_new:
        after = snapshot(game, ["slug", *given])
        audit.record(actor=actor, action="game.added", target=game, after=after)
    return game, is_new


@transaction.atomic
def change_game(
    game: Game, values: Mapping[str, Any], *, actor: User | None, note: str = ""
) -> bool:
    """Change columns by the names in GAME_COLUMNS; returns whether any differed. Raises ValidationError."""
    held = Game.objects.select_for_update(no_key=True).get(pk=game.pk)
    is_changed = change_columns(held, values, actor=actor, note=note)
    game.refresh_from_db()
    return is_changed
