"""What those who wait tell of themselves, where the queue compares it."""

import numpy as np

from foundation.postgresql.bulk import Column
from matchmaking.pairing.conditions.alike import Alike, AlikeSection
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Members
from matchmaking.sweep.traits import BITS
from people.profiles import told_for_matching

__all__ = ["read_alike"]


def read_alike(settings: Settings, members: Members) -> dict[str, Column]:
    """Bits of what the players of each ticket tell. Of more than 62 different values the rarest count for nothing."""
    if not settings.uses(Alike) or not len(members):
        return {}
    told = told_for_matching(members.player.tolist(), settings.section(AlikeSection).by)
    if not told:
        return {}
    often: dict[str, int] = {}
    for values in told.values():
        for value in values:
            often[value] = often.get(value, 0) + 1
    numbered = sorted(often, key=lambda value: (-often[value], value))[:BITS]
    bit = {value: 1 << place for place, value in enumerate(numbered)}
    alike = np.zeros(int(members.ticket[-1]) + 1, dtype=np.int64)
    for player, ticket in zip(members.player.tolist(), members.ticket.tolist(), strict=True):
        for value in told.get(player, ()):
            alike[ticket] |= bit.get(value, 0)
    return {"alike": alike}
