"""How well players played lately: at which rating the score of their latest games would have been expected."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ratings.ledger.forecasts import Forecaster
from ratings.models import ChangeKind, RatingChange
from ratings.systems import TRUSTED_GAMES, Performance, performance_rating

__all__ = ["FEWEST", "LATEST", "performances_of"]

# As many as a performance needs to be trusted (Elo 1978): who has played them has no "few games" beside it.
LATEST = TRUSTED_GAMES
# Of a handful, a single game more or less moves the figure by a lot.
FEWEST = 10


def performances_of(player_id: int, forecasters: Iterable[Forecaster]) -> dict[int, Performance]:
    """The performance in the latest games on each track, by its id, where there were enough. Two queries.

    Of Elo that rates at once: there the ledger knows every opponent's rating before the game.
    """
    known = {one.track.pk: one for one in forecasters if _names_opponents(one)}
    own = list(_latest(player_id, list(known)))
    others = _opponents(player_id, own)
    met: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for row in own:
        opponent = others.get((row.track_id, row.match_id))
        if opponent is not None and row.actual is not None:
            met[row.track_id].append((opponent, row.actual))
    return {pk: _perform(known[pk], games) for pk, games in met.items() if len(games) >= FEWEST}


def _names_opponents(forecaster: Forecaster) -> bool:
    return forecaster.track.system == "elo" and forecaster.track.period_days is None


def _latest(player_id: int, tracks: Sequence[int]) -> Iterable[RatingChange]:
    """The latest games on each track, by the index of histories."""
    if not tracks:
        return []
    games = RatingChange.objects.filter(player=player_id, kind=ChangeKind.MATCH)
    first, *more = (games.filter(track=track).order_by("-id")[:LATEST] for track in tracks)
    return first.union(*more, all=True) if more else first


def _opponents(player_id: int, rows: Sequence[RatingChange]) -> dict[tuple[int, int | None], float]:
    """The opponents' ratings before these games, by track and match."""
    if not rows:
        return {}
    others = RatingChange.objects.filter(
        track__in={row.track_id for row in rows}, match__in={row.match_id for row in rows}
    ).exclude(player=player_id)
    return {(row.track_id, row.match_id): row.value_before for row in others}


def _perform(forecaster: Forecaster, games: Sequence[tuple[float, float]]) -> Performance:
    """Of games as pairs: the opponent's rating, and what was scored."""
    return performance_rating(
        [opponent for opponent, _scored in games],
        sum(scored for _opponent, scored in games),
        class_interval=float(forecaster.newest.parameters["class_interval"]),
    )
