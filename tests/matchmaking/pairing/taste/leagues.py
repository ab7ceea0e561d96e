"""Leagues whose players have hidden tastes, none of them of the form that is learned."""

import numpy as np

from matchmaking.pairing.taste.words import TAGS, Words

__all__ = ["league"]


def league(kind: str, *, players: int, words: int, seed: int) -> Words:
    """So many words between players drawn by lot; `noise`: nobody has any taste."""
    random = np.random.default_rng(seed)
    author, subject = random.integers(0, players, (2, words * 3))
    keys = np.unique((author * players + subject)[author != subject])
    keys = random.permutation(keys)[:words]
    author, subject = keys // players, keys % players
    tags = random.random((players, TAGS)) < 0.3
    match kind:
        case "clusters":
            group = random.integers(0, 5, players)
            odds = np.where(group[author] == group[subject], 1.5, -0.7)
        case "asymmetric":
            has, wants = random.integers(0, 4, (2, players))
            odds = np.where(has[subject] == wants[author], 1.5, -0.6)
        case "tags":
            odds = (random.normal(0, 1, (players, TAGS))[author] * tags[subject]).sum(axis=1)
        case _:
            odds = np.zeros(len(author))
    seen = tags[subject] & (random.random((len(author), TAGS)) < 0.35)
    return Words(
        players=players,
        author=author,
        subject=subject,
        liked=random.random(len(author)) < 1 / (1 + np.exp(-odds)),
        tags=seen.astype(np.float64),
    )
