"""Ladders: made, and changed in what may be changed."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import change_columns, check_columns
from accounts.models import User
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.ladders.games import name_from
from ratings.ladders.refusals import FixedError
from ratings.models import Game, Ladder
from ratings.tracks.parameters import LADDER_RULES, change_ladder_rules

__all__ = [
    "FIXED_COLUMNS",
    "FREE_COLUMNS",
    "WIDENED_COLUMNS",
    "change_ladder",
    "check_widened",
    "obtain_ladder_of",
]

# A ladder stays with its game, its mode, what it is rated by, and the teams that its tracks were made for and its
# matches played.
FIXED_COLUMNS = ("mode", "rated_by", "team_count", "team_size")
# Lowered at any time, but not raised any more: matches of fewer stay what they are.
WIDENED_COLUMNS = ("fewest_teams", "smallest_team")
FREE_COLUMNS = ("name", "description", *WIDENED_COLUMNS, "report_minutes", "abandon_minutes")


@transaction.atomic
def obtain_ladder_of(
    game: Game, slug: str, values: Mapping[str, Any], *, actor: User | None = None
) -> tuple[Ladder, bool]:
    """The ladder of this short name, in whatever game, and whether it was made now, in `game` and with these values.

    Of two that make it at once the second waits for the first, and finds it. Raises ValidationError.
    """
    given = {"name": name_from(slug), **values}
    checked = check_columns(Ladder(), {"slug": slug, **given})
    ladder, is_new = Ladder.objects.get_or_create(
        slug=checked.pop("slug"), defaults={"game": game, **checked}
    )
    if is_new:
        after = snapshot(ladder, ["game", "slug", *given])
        audit.record(actor=actor, action="ladder.added", target=ladder, after=after)
    return ladder, is_new


@transaction.atomic
def change_ladder(
    ladder: Ladder, values: Mapping[str, Any], *, actor: User | None, note: str = ""
) -> None:
    """Change columns and rules by name; every track of it follows with a version where they enter ratings.

    Raises FixedError for what is as it was made, ValidationError, and ParameterError where a system cannot work so.
    """
    hold_firmly(Lock.LADDER, ladder.pk)
    ladder.refresh_from_db()
    for name in FIXED_COLUMNS:
        if name in values and values[name] != getattr(ladder, name):
            raise FixedError(name, given=values[name], present=getattr(ladder, name))
    free = {name: values[name] for name in FREE_COLUMNS if name in values}
    check_widened(ladder, free)
    rules = {name: values[name] for name in LADDER_RULES if name in values}
    change_columns(ladder, free, actor=actor, note=note)
    change_ladder_rules(ladder=ladder, changes=rules, actor=actor, note=note)
    ladder.refresh_from_db()


def check_widened(ladder: Ladder, values: Mapping[str, Any]) -> None:
    """Raise ValidationError where the fewest teams, or players of a team, would be raised on a ladder that has begun.

    `ladder` is as it stands in the database.
    """
    wanted = {name: values[name] for name in WIDENED_COLUMNS if name in values}
    present = {
        "fewest_teams": ladder.shape.fewest_teams,
        "smallest_team": ladder.shape.smallest_team,
    }
    most = {"fewest_teams": ladder.team_count, "smallest_team": ladder.team_size}
    raised = {
        name: _("Matches may have been played with so few: give %(number)d or less.")
        % {"number": present[name]}
        for name, value in wanted.items()
        if (value or most[name]) > present[name]
    }
    if raised and (ladder.tracks.exists() or ladder.matches.exists()):
        raise ValidationError(raised)
