"""Feedback of those who wait, as a sweep's arrays: ties between tickets, and vectors that were learned.

Looked up player by player, as history is, and no more than the newest words of each: a sweep takes no longer in a game
of a million words.
"""

from dataclasses import dataclass

import numpy as np

from foundation.postgresql.bulk import Column, fetch_columns, whole
from matchmaking.models import Feedback, Queue, TasteModel
from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.pairing.section import OFF
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.taste.factors import scores_of
from matchmaking.pairing.taste.graph import graph_scores, steps_between
from matchmaking.pairing.taste.packing import Packed, unpack
from matchmaking.pairing.taste.words import Words
from matchmaking.pairing.tickets import Members, Ties
from ratings.systems.arrays import Floats, Ints

__all__ = ["Tastes", "has_feedback", "read_tastes"]

_NEWEST = 60  # words of each, said and heard
_SAID = """
unnest(%(players)s::bigint[]) AS waiting (player) CROSS JOIN LATERAL (
    SELECT author_id, subject_id, enjoyed FROM matchmaking_feedback
    WHERE author_id = waiting.player AND enjoyed IS NOT NULL ORDER BY id DESC LIMIT %(newest)s
) AS word
"""
# Of what was said of them by others only likes count.
_HEARD = """
unnest(%(players)s::bigint[]) AS waiting (player) CROSS JOIN LATERAL (
    SELECT author_id, subject_id, enjoyed FROM matchmaking_feedback
    WHERE subject_id = waiting.player AND enjoyed ORDER BY id DESC LIMIT %(newest)s
) AS word
"""
_COLUMNS = {
    "author": whole("word.author_id"),
    "subject": whole("word.subject_id"),
    "enjoyed": whole("word.enjoyed::int"),
}
# The model of each game that was read last in this process, with its version.
_models: dict[int, tuple[int, Packed]] = {}


@dataclass(frozen=True, slots=True)
class Tastes:
    """What a sweep's tickets get: see `matchmaking.pairing.conditions.taste`."""

    traits: dict[str, Column]
    ties: dict[str, Ties]


def has_feedback(queue: Queue, settings: Settings) -> bool:
    """Whether a queue goes by feedback, and its game has any. One query at most."""
    section = settings.section(TasteSection)
    if section.use == OFF or not section.seconds or settings.strategy == "fcfs":
        return False
    return Feedback.objects.filter(game=queue.ladder.game_id, enjoyed__isnull=False).exists()


def read_tastes(queue: Queue, members: Members) -> Tastes:
    """Read what those who wait have said and heard, and what was learned where that is used. Four queries at most."""
    given = {"players": members.player.tolist(), "newest": _NEWEST}
    said, heard = (fetch_columns(_COLUMNS, source, given) for source in (_SAID, _HEARD))
    words, players = _words(members.player, said, heard)
    waiting = np.searchsorted(players, members.player)
    model = _model_of(queue.ladder.game_id)
    one, other, steps = steps_between(words, waiting)
    score = graph_scores(steps)
    if model is None:
        return Tastes({}, {"taste": _ties(members, one, other, score)})
    row = model.rows(members.player)
    known = row >= 0
    both = known[one] & known[other]
    learned = scores_of(model.learned.leaning(row[one], row[other], steps))
    score = np.where(both & (steps.direct == 0), learned, score)
    n, f = int(members.ticket[-1]) + 1 if len(members) else 0, model.learned.author.shape[1]
    traits: dict[str, Column] = {}
    for name, vectors in (
        ("taste_author", model.learned.author),
        ("taste_subject", model.learned.subject),
    ):
        mean = np.zeros((n, f))
        np.add.at(mean, members.ticket, np.where(known[:, np.newaxis], vectors[row], 0.0))
        traits[name] = mean / np.maximum(members.sizes, 1)[:, np.newaxis]
    # Pairs of which only one direction is known are tied too: the other is what was learned.
    one, other, score = _with_ways_back(one, other, score, model, row)
    return Tastes(traits, {"taste": _ties(members, one, other, score)})


def _model_of(game_id: int) -> Packed | None:
    """What was learned in a game, where searches go by it; read again when it is another."""
    model = TasteModel.objects.filter(game=game_id, is_used=True)
    version = model.values_list("version", flat=True).first()
    if version is None:
        _models.pop(game_id, None)
        return None
    kept = _models.get(game_id)
    if kept is None or kept[0] != version:
        row = model.values_list("version", "vectors").first()
        if row is None:  # put out of use meanwhile
            return None
        kept = _models[game_id] = (row[0], unpack(bytes(row[1])))
    return kept[1]


def _words(waiting: Ints, said: dict[str, Ints], heard: dict[str, Ints]) -> tuple[Words, Ints]:
    """All words together, each once, among players numbered anew; and the players by these numbers."""
    author = np.concatenate((said["author"], heard["author"]))
    subject = np.concatenate((said["subject"], heard["subject"]))
    liked = np.concatenate((said["enjoyed"], heard["enjoyed"])) > 0
    players = np.unique(np.concatenate((waiting, author, subject)))
    author, subject = np.searchsorted(players, author), np.searchsorted(players, subject)
    once = np.unique(author * len(players) + subject, return_index=True)[1]
    words = Words(
        players=len(players), author=author[once], subject=subject[once], liked=liked[once]
    )
    return words, players


def _with_ways_back(
    one: Ints, other: Ints, score: Floats, model: Packed, row: Ints
) -> tuple[Ints, Ints, Floats]:
    """The same with the other direction of each pair, where only one was there."""
    n = len(row)
    missing = ~np.isin(other * n + one, one * n + other)
    back_one, back_other = other[missing], one[missing]
    total = np.zeros(len(back_one))
    for factor in range(model.learned.author.shape[1]):
        author, subject = model.learned.author[:, factor], model.learned.subject[:, factor]
        total += author[row[back_one]] * subject[row[back_other]]
    known = (row[back_one] >= 0) & (row[back_other] >= 0)
    found = np.where(known, scores_of(total), 0.0)
    return (
        np.concatenate((one, back_one)),
        np.concatenate((other, back_other)),
        np.concatenate((score, found)),
    )


def _ties(members: Members, one: Ints, other: Ints, score: Floats) -> Ties:
    """The mean over both directions, and over all players of the two tickets."""
    first, second = members.ticket[one], members.ticket[other]
    apart = first != second
    low = np.minimum(first, second)[apart]
    high = np.maximum(first, second)[apart]
    n = len(members.sizes) + 1
    keys, place = np.unique(low * n + high, return_inverse=True)
    total: Floats = np.bincount(place, score[apart], minlength=len(keys)).astype(np.float64)
    low, high = keys // n, keys % n
    pairs = 2 * members.sizes[low] * members.sizes[high]
    return Ties(one=low, other=high, value=total / pairs)
