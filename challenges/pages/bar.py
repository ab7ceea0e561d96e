"""Challenges in the bar of every page, and the rematch that a match offers its two for some minutes."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from challenges.make import rematch_until
from challenges.meeting import note_seen
from foundation.postgresql.transactions import after_commit
from foundation.templatetags.names import isolated_text
from matchmaking.kept_apart import keep_away
from matchmaking.pages.further import FurtherMatter, Shown
from ratings.models import Match, Participant

__all__ = ["SHOWN", "offer_rematch"]

# The one that asks most of a player; an appointment only once its time comes.
_SQL = """(
SELECT json_build_array(one.id, one.state, one.challenger_id = player.id, other.name, one.at IS NOT NULL,
                        CASE WHEN one.challenger_id = player.id THEN one.challenger_here_at
                             ELSE one.challenged_here_at END IS NOT NULL,
                        one.rematch_of_id IS NOT NULL)
FROM challenges_challenge AS one
LEFT JOIN ratings_player AS other
    ON other.id = CASE WHEN one.challenger_id = player.id THEN one.challenged_id ELSE one.challenger_id END
WHERE (one.challenger_id = player.id OR one.challenged_id = player.id) AND one.state IN ('open', 'accepted')
  AND (one.state = 'accepted' OR one.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND NOT (one.state = 'accepted'
           AND coalesce(one.at > coalesce(%(at)s::timestamptz, now()) + interval '5 minutes', false))
  AND NOT (one.state = 'open' AND one.challenged_id = player.id AND EXISTS (
           SELECT FROM matchmaking_avoided AS list
           WHERE list.player_id = player.id AND list.avoided_id = one.challenger_id))
ORDER BY one.state = 'accepted' DESC, one.challenged_id IS NOT DISTINCT FROM player.id DESC, one.id DESC LIMIT 1
)"""


def _read(player_id: int, value: Any) -> FurtherMatter:
    """What is said of it. Whoever looks is there: a challenger need not be asked once it is accepted."""
    pk, state, is_own, name, is_appointment, is_here, is_rematch = value
    if is_own and state == "open":
        # Public pages read from a snapshot, in which nothing can be written.
        after_commit(note_seen, [player_id])
    other = "" if name is None else isolated_text(name)
    asked = "appointment" if is_appointment else "rematch" if is_rematch else "match"
    words, label = _words(state, is_own, other, asked, is_here)
    href = reverse("challenge", args=[pk])
    return FurtherMatter(("challenge", pk, state, int(is_here)), words, href, label)


# By what is asked for: to whoever is asked, and to whoever asks.
_ASKED = {
    "match": (gettext_lazy("%(name)s challenges you"), gettext_lazy("You challenge %(name)s")),
    "rematch": (
        gettext_lazy("%(name)s wants a rematch"),
        gettext_lazy("You ask %(name)s for a rematch"),
    ),
    "appointment": (
        gettext_lazy("%(name)s proposes a time"),
        gettext_lazy("You propose a time to %(name)s"),
    ),
}


def _words(state: str, is_own: bool, other: str, asked: str, is_here: bool) -> tuple[str, str]:
    """A sentence, and what its button says."""
    see = _("See the challenge")
    if state == "accepted":
        if is_here:
            return _("Waiting for %(name)s") % {"name": other}, see
        return _("You and %(name)s can play now") % {"name": other}, _("Say you're here")
    if is_own and not other:
        return _("Your link waits for somebody"), see
    return str(_ASKED[asked][is_own] % {"name": other}), see if is_own else _("Answer")


SHOWN = Shown(_SQL, _read)


def offer_rematch(
    match: Match, people: Sequence[Participant], player_ids: Collection[int], now: datetime
) -> str:
    """The template of the button, for the two of a match that has just been decided; not for one who avoids or blocks
    the other. Whether the other does tells nobody.
    """
    until = rematch_until(match, people)
    own = [one.player_id for one in people if one.player_id in player_ids]
    if not own or until is None or now >= until:
        return ""
    others = [one.player_id for one in people if one.player_id not in own]
    return "" if keep_away(own, others) else "challenges/_rematch.html"
