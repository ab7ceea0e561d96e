"""Conduct: what counts as an offence, what it leads to, how it fades, and how it is taken back.

Rooms and whoever else refuses or sorts players by their conduct ask `standing_of`; moderators act by
`confirm_bad_manners`, `note_report`, `take_back`, and `matchmaking.conduct.appeals.decide`.
"""

from matchmaking.conduct.moderation import confirm_bad_manners, note_report, take_back
from matchmaking.conduct.refusals import CoolingOffError, NotAvailableError
from matchmaking.conduct.standing import Standing, check_not_cooling, standing_of

__all__ = [
    "CoolingOffError",
    "NotAvailableError",
    "Standing",
    "check_not_cooling",
    "confirm_bad_manners",
    "note_report",
    "standing_of",
    "take_back",
]
