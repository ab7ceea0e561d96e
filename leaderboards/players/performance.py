"""How well players played lately: at which rating the score of their latest games would have been expected."""

from collections import defaultdict
from collections.abc import Iterable

from ratings.ledger.forecasts import Forecaster
from ratings.models import ChangeKind, RatingChange
from ratings.systems import TRUSTED_GAMES, Performance, declaration_of, performance_rating

__all__ = ["FEWEST", "LATEST", "performances_of"]

# As many as a performance needs to be trusted (Elo 1978): who has played them has no "few games" beside it.
LATEST = TRUSTED_GAMES
# Of a handful, a single game more or less moves the figure by a lot.
FEWEST = 10


def performances_of(player_id: int, forecasters: Iterable[Forecaster]) -> dict[int, Performance]:
    """The performance in the latest games on each track, by its id, where there were enough. Two queries.

    Of systems with a logistic curve that rate at once: there the ledger knows every opponent's rating before the game.
    """
    # The parameter that has the width of the curve, by track.
    widths: dict[int, float] = {}
    for one in forecasters:
        name = declaration_of(one.track.system).class_interval_parameter
        if name and one.track.period_days is None:
            widths[one.track.pk] = float(one.newest.parameters[name])
    if not widths:
        return {}
    # The latest games on each track, by the index of histories.
    games = RatingChange.objects.filter(player=player_id, kind=ChangeKind.MATCH)
    first, *more = (games.filter(track=track).order_by("-id")[:LATEST] for track in widths)
    own = list(first.union(*more, all=True) if more else first)
    # The opponents' ratings before these games, by track and match.
    others: dict[tuple[int, int | None], float] = {}
    if own:
        rows = RatingChange.objects.filter(
            track__in={row.track_id for row in own}, match__in={row.match_id for row in own}
        ).exclude(player=player_id)
        others = {(row.track_id, row.match_id): row.value_before for row in rows}
    met: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for row in own:
        opponent = others.get((row.track_id, row.match_id))
        if opponent is not None and row.actual is not None:
            met[row.track_id].append((opponent, row.actual))
    return {
        pk: performance_rating(
            [opponent for opponent, _scored in played],
            sum(scored for _opponent, scored in played),
            class_interval=widths[pk],
        )
        for pk, played in met.items()
        if len(played) >= FEWEST
    }
