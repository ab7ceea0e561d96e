"""What correcting a result would do, before it is done: for the page on which an operator decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ratings.matches.result import Result
from ratings.matches.revising.annulment_preview import Annulment, preview_annulment
from ratings.matches.revising.correct import put_result
from ratings.models import Facet, Match, Participant, Player, RatingTrack
from ratings.runs.foresee import MOST_FORESEEN, foresee
from ratings.runs.load import UnratableMatchError

__all__ = ["CorrectionPreview", "Moved", "preview_correction"]

MOST_MOVED = 20
# Ratings that differ by less have not moved: no page shows it.
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Moved:
    """A player's rating as it is now, and as it would be."""

    player: Player
    before: float
    after: float

    @property
    def points(self) -> float:
        """By how much it would move."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """What would follow.

    replays   which tracks are computed anew
    track     the one whose ratings `moved` says, shown or the first of the ladder; None where none has rated the match
    players   how many ratings of it would move
    moved     those that move most, the most first
    is_large  the track has rated too many matches to work it out for a page
    """

    replays: Annulment
    track: RatingTrack | None = None
    players: int = 0
    moved: Sequence[Moved] = field(default_factory=list)
    is_large: bool = False


def preview_correction(match: Match, result: Result) -> CorrectionPreview:
    """Say what correcting a confirmed match would do as things are now. What it tries is taken back."""
    replays = preview_annulment(match, is_kept=True)
    seq = match.ladder_seq
    whole = [one.track for one in replays.tracks if one.track.facet == Facet.NONE]
    if seq is None or not whole or whole[0].rated_seq < seq:
        return CorrectionPreview(replays)
    track = whole[0]  # the shown one comes first
    if track.rated_seq > MOST_FORESEEN:
        return CorrectionPreview(replays, track, is_large=True)

    def alter() -> None:
        participants = list(match.participants.order_by("team", "pk"))
        put_result(participants, result)
        Participant.objects.bulk_update(participants, ["rank", "score", "minutes"])

    try:
        foreseen = foresee(track, alter)
    except UnratableMatchError:  # the run that waits for it says so
        foreseen = None
    if foreseen is None:
        return CorrectionPreview(replays, track)
    moves = np.abs(foreseen.after - foreseen.before)
    most = np.lexsort((foreseen.player, -moves))[:MOST_MOVED]
    most = most[moves[most] >= _LEAST]
    people = Player.objects.in_bulk(foreseen.player[most].tolist())
    return CorrectionPreview(
        replays,
        track,
        players=int((moves >= _LEAST).sum()),
        moved=[
            Moved(
                people[int(foreseen.player[index])],
                float(foreseen.before[index]),
                float(foreseen.after[index]),
            )
            for index in most
        ],
    )
