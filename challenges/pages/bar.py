"""Challenges in the bar of every page, and the rematch that a match offers its two for some minutes."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from challenges.make import rematch_until
from challenges.meeting import note_seen
from foundation.templatetags.names import isolated_text
from foundation.transactions import after_commit
from matchmaking.pages.further import FurtherMatter, Shown
from ratings.models import Match, Participant

__all__ = ["SHOWN", "offer_rematch"]

# The one that asks most of a player; an appointment only once its time comes.
_SQL = """(
SELECT json_build_array(one.id, one.state, one.challenger_id = player.id, other.name, one.at IS NOT NULL,
                        CASE WHEN one.challenger_id = player.id THEN one.challenger_here_at
                             ELSE one.challenged_here_at END IS NOT NULL)
FROM challenges_challenge AS one
LEFT JOIN ratings_player AS other
    ON other.id = CASE WHEN one.challenger_id = player.id THEN one.challenged_id ELSE one.challenger_id END
WHERE (one.challenger_id = player.id OR one.challenged_id = player.id) AND one.state IN ('open', 'accepted')
  AND (one.state = 'accepted' OR one.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND NOT (one.state = 'accepted'
           AND coalesce(one.at > coalesce(%(at)s::timestamptz, now()) + interval '5 minutes', false))
ORDER BY one.state = 'accepted' DESC, one.challenged_id IS NOT DISTINCT FROM player.id DESC, one.id DESC LIMIT 1
)"""


def _read(player_id: int, value: Any) -> FurtherMatter:
    """What is said of it. Whoever looks is there: a challenger need not be asked once it is accepted."""
    pk, state, is_own, name, is_appointment, is_here = value
    if is_own and state == "open":
        # Public pages read from a snapshot, in which nothing can be written.
        after_commit(note_seen, [player_id])
    other = "" if name is None else isolated_text(name)
    words, label = _words(state, is_own, other, is_appointment, is_here)
    href = reverse("challenge", args=[pk])
    return FurtherMatter(("challenge", pk, state, int(is_here)), words, href, label)


def _words(
    state: str, is_own: bool, other: str, is_appointment: bool, is_here: bool
) -> tuple[str, str]:
    """A sentence, and what its button says."""
    see = _("See the challenge")
    if state == "accepted":
        if is_here:
            return _("Waiting for %(name)s") % {"name": other}, see
        return _("%(name)s is to play you now") % {"name": other}, _("Say you're here")
    if not is_own:
        words = _("%(name)s proposes a time") if is_appointment else _("%(name)s challenges you")
        return words % {"name": other}, _("Answer")
    if not other:
        return _("Your link waits for somebody"), see
    words = _("You propose a time to %(name)s") if is_appointment else _("You challenge %(name)s")
    return words % {"name": other}, see


SHOWN = Shown(_SQL, _read)


def offer_rematch(
    match: Match, people: Sequence[Participant], player_ids: Collection[int], now: datetime
) -> str:
    """The template of the button, for the two of a match that has just been decided."""
    until = rematch_until(match, people)
    is_own = any(one.player_id in player_ids for one in people)
    return "challenges/_rematch.html" if is_own and until is not None and now < until else ""
