"""How often games are drawn and what a side is worth, read off a history of results."""

from ratings.evaluation.played_games import Played, UnfitError
from ratings.evaluation.setups import Setup
from ratings.systems import Duels
from ratings.systems.elo import DrawsAndSide, Elo, ahead_before, estimate_draws_and_side
from ratings.systems.parameters import gettext_noop as _

__all__ = ["likely_draws_and_side"]


def likely_draws_and_side(played: Played, setup: Setup) -> DrawsAndSide:
    """The most likely `draw_nu` and `side_gamma` of Elo, its ratings before each game taken as given.

    Raises UnfitError for another system, for games rated by period, and without games.
    """
    system = setup.system()
    if not isinstance(system, Elo) or setup.period_days is not None:
        raise UnfitError(
            _("draws and sides are estimated for elo, game by game, not for %(system)s"),
            system=setup.name,
        )
    results = played.fit(system).results
    if not isinstance(results, Duels) or not len(results):
        raise UnfitError(_("there is no game to estimate draws and sides from"))
    _after, changes = system.rate_explained(system.initial(played.players), results)
    interval = system.settings.class_interval
    return estimate_draws_and_side(
        ahead_before(changes), results.score, results.side, class_interval=interval
    )
