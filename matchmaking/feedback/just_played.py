"""The question in the bar: how it was to play with the others of a match that has just ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse

__all__ = ["ASKED_FOR", "JUST_PLAYED", "OngoingQuestion"]

# The bar asks for so long after a match; its page asks for ever.
ASKED_FOR = timedelta(minutes=30)
# A part of the query by which the bar is read, beside `player`: no page asks the database once more for it.
JUST_PLAYED = """
LEFT JOIN LATERAL (
    SELECT own.match_id AS match, (
        SELECT json_agg(json_build_array(person.id, person.name) ORDER BY other.team, other.id)
        FROM ratings_participant AS other JOIN ratings_player AS person ON person.id = other.player_id
        WHERE other.match_id = own.match_id AND other.player_id <> player.id AND NOT EXISTS (
            SELECT FROM matchmaking_feedback AS said
            WHERE said.author_id = player.id AND said.subject_id = other.player_id AND said.match_id >= own.match_id
        )
    ) AS others
    FROM (SELECT match_id, playing FROM ratings_participant
          WHERE player_id = player.id ORDER BY match_id DESC LIMIT 1) AS own
    JOIN ratings_match AS over ON over.id = own.match_id
    WHERE NOT own.playing AND over.state <> 'aborted'
      AND greatest(over.played_at, over.ended_at) > coalesce(%(at)s::timestamptz, now()) - %(asked_for)s::interval
) AS asked ON true
"""


@dataclass(frozen=True, slots=True)
class OngoingQuestion:
    """The last match, where the player has not said yet how it was to play with some of the others."""

    match: int
    others: Sequence[tuple[int, str]]

    @property
    def only(self) -> int | None:
        """Id of the one player it is about; None of several."""
        return self.others[0][0] if len(self.others) == 1 else None

    @property
    def names(self) -> str:
        """Of those it is about, in one line; nine at most."""
        return ", ".join(name for _, name in self.others[:9])

    def get_absolute_url(self) -> str:
        """Address of the match, as its players see it."""
        return reverse("play-match", args=[self.match])
