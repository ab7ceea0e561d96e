"""Learning from the feedback of each game, and whether what was learned is used."""

from dataclasses import dataclass

import numpy as np
import structlog
from django.db.models import Count, Max

from foundation import clock
from foundation.postgresql.bulk import fetch_columns, whole
from foundation.postgresql.transactions import briefly
from matchmaking.models import Feedback, FeedbackTag, TasteModel
from matchmaking.pairing.taste.factors import learn
from matchmaking.pairing.taste.gate import judge
from matchmaking.pairing.taste.packing import Packed, pack
from matchmaking.pairing.taste.words import Words
from ratings.models import Game
from ratings.systems.arrays import Ints

__all__ = ["WordsOfGame", "learn_due", "read_words"]

log = structlog.get_logger(__name__)

_MOST = 1_000_000  # words of a game that are learned from, the newest
_WORDS = """
(
    SELECT word.author_id, word.subject_id, word.enjoyed, word.tags FROM matchmaking_feedback AS word
    JOIN ratings_player AS author ON author.id = word.author_id AND author.merged_into_id IS NULL
    JOIN ratings_player AS subject ON subject.id = word.subject_id AND subject.merged_into_id IS NULL
    WHERE word.game_id = %(game)s AND word.enjoyed IS NOT NULL ORDER BY word.id DESC LIMIT %(most)s
) AS word
"""
_COLUMNS = {
    "author": whole("word.author_id"),
    "subject": whole("word.subject_id"),
    "enjoyed": whole("word.enjoyed::int"),
    "tags": whole(
        "("
        + " + ".join(
            f"('{tag}' = ANY(word.tags))::int * {1 << bit}"
            for bit, tag in enumerate(FeedbackTag.values)
        )
        + ")"
    ),
}


@dataclass(frozen=True, slots=True)
class WordsOfGame:
    """The words of a game, and the ids of the players by the numbers that they have in them."""

    words: Words
    players: Ints


def learn_due() -> list[int]:
    """Learn anew in each game in which something was said, or taken back, since the last time; returns these games.

    What nobody has said any more is not kept: without feedback there is no model.
    """
    said = Feedback.objects.filter(enjoyed__isnull=False).values("game").order_by("game")
    now = {
        row["game"]: (row["number"], row["latest"])
        for row in said.annotate(number=Count("pk"), latest=Max("at"))
    }
    known = dict(TasteModel.objects.values_list("game", "feedback"))
    made = dict(TasteModel.objects.values_list("game", "made_at"))
    TasteModel.objects.exclude(game__in=now).delete()
    due = [
        game
        for game, (number, latest) in now.items()
        if known.get(game) != number or latest >= made[game]
    ]
    for game in due:
        _learn(game, now[game][0])
    return due


def read_words(game_id: int) -> WordsOfGame:
    """All that counts in a game, of players who were not merged into others."""
    found = fetch_columns(_COLUMNS, _WORDS, {"game": game_id, "most": _MOST})
    players = np.unique(np.concatenate((found["author"], found["subject"])))
    bits = 1 << np.arange(len(FeedbackTag.values))
    words = Words(
        players=len(players),
        author=np.searchsorted(players, found["author"]),
        subject=np.searchsorted(players, found["subject"]),
        liked=found["enjoyed"] > 0,
        tags=((found["tags"][:, np.newaxis] & bits) > 0).astype(np.float64),
    )
    return WordsOfGame(words, players)


def _learn(game_id: int, number: int) -> None:
    began = clock.now()
    of_game = read_words(game_id)
    judged = judge(of_game.words)
    # Without use nothing of anybody is kept.
    vectors = b""
    if judged.is_better:
        vectors = pack(Packed(players=of_game.players, learned=learn(of_game.words)))
    with briefly():
        if not Game.objects.select_for_update(no_key=True).filter(pk=game_id).exists():
            return
        before = TasteModel.objects.filter(game=game_id).first()
        TasteModel.objects.update_or_create(
            game_id=game_id,
            defaults={
                "version": 1 + (before.version if before else 0),
                "made_at": began,
                "feedback": number,
                "held_out": judged.held_out,
                "auc_graph": judged.graph,
                "auc_learned": judged.learned,
                "gain_at_least": judged.gain_at_least,
                "is_used": judged.is_better,
                "vectors": vectors,
            },
        )
    log.info("taste.learned", game=game_id, feedback=number, used=judged.is_better)
