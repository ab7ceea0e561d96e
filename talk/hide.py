"""Hiding a line: moderators take what harms others out of sight. It stays for those who look into reports."""

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.postgresql.transactions import briefly
from ratings.players.own_matters import check_not_own, met_by
from talk.models import Line

__all__ = ["check_hide", "hide"]

_RIGHT = "talk.change_line"


def hide(*, line_id: int, by: User, note: str) -> Line:
    """Show a line to no player any more. Audited, without its words. Raises OwnMatterError, Line.DoesNotExist."""
    with briefly():
        line = Line.objects.select_for_update(no_key=True).get(pk=line_id)
        check_hide(by, line)
        if line.hidden_at is not None:
            return line
        line.hidden_at = clock.now()
        line.save(update_fields=["hidden_at"])
        after = {
            "author": line.author_id,
            "party": line.party_id,
            "room": line.room_id,
            "match": line.match_id,
        }
        audit.record(actor=by, action="line.hidden", target=line, after=after, note=note)
    return line


def check_hide(by: User, line: Line) -> None:
    """Raise OwnMatterError of the own player's lines, and of those of whom it is in a match with."""
    check_not_own(by, {line.author_id, *met_by(line.author_id)}, right=_RIGHT)
