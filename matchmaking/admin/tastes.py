"""What the page of a queue says of feedback: whether it goes by it, and how well that is foreseen."""

from typing import Any

from matchmaking.models import Feedback, Queue, TasteModel
from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.pairing.section import OFF
from matchmaking.pairing.taste.gate import LEAST_GAIN
from matchmaking.queues.settings import settings_of

__all__ = ["tastes_of"]


def tastes_of(queue: Queue) -> dict[str, Any]:
    """Words for the template `tastes.html`. Two queries."""
    said = Feedback.objects.filter(game=queue.ladder.game_id, enjoyed__isnull=False)
    section = settings_of(queue).section(TasteSection)
    return {
        "taste_model": TasteModel.objects.defer("vectors")
        .filter(game=queue.ladder.game_id)
        .first(),
        "has_feedback": said.exists(),
        "heeds_feedback": section.use != OFF and section.seconds > 0,
        "least_gain": LEAST_GAIN,
    }
