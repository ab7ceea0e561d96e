"""The question after a match, and who is still asked it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from matchmaking.feedback.give import over_for
from matchmaking.models import Feedback, FeedbackTag
from ratings.models import Participant, Player
from ratings.players.site_ids import is_deleted

__all__ = ["Question", "questions_about", "questions_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """One other player of a match, and what the asked one has said of playing with them; None: nothing yet.

    is_answered  whether it was answered, or skipped, since that match
    """

    subject: Player
    said: Feedback | None
    is_answered: bool

    @property
    def tags(self) -> Sequence[tuple[str, str, bool]]:
        """Each tag with its words, and whether it was chosen."""
        chosen = set(self.said.tags) if self.said else set()
        return [(value, str(words), value in chosen) for value, words in FeedbackTag.choices]


def questions_about(match_id: int, players: Collection[int]) -> list[Question]:
    """What is asked of the one of these players who took part, by whom they played with; empty for others, and until it
    is over for them. Three queries, one for others; none without players.
    """
    if not players:
        return []
    own = over_for(players).filter(match=match_id).values_list("player", flat=True).first()
    if own is None:
        return []
    people = Participant.objects.filter(match=match_id).exclude(player=own)
    others = [one.player for one in people.select_related("player").order_by("team", "pk")]
    return questions_of(own, match_id, others)


def questions_of(author_id: int, match_id: int, others: Sequence[Player]) -> list[Question]:
    """What is asked of a player for whom the match with these others is over. One query."""
    rows = Feedback.objects.filter(author=author_id, subject__in=others)
    said = {one.subject_id: one for one in rows}
    return [
        Question(one, said.get(one.pk), one.pk in said and (said[one.pk].match_id or 0) >= match_id)
        for one in others
        if not is_deleted(one)
    ]
