"""Populations that nobody has measured, on the scale of a rating system."""

from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings.defaults import usual_for
from matchmaking.preview.simulation import Population
from matchmaking.preview.simulation.population import on_scale_of
from matchmaking.preview.simulation.preview import preview
from ratings.systems import create

TRUESKILL = create("trueskill")


def test_on_the_scale_of_elo_nothing_changes() -> None:
    population = Population(arrivals=3.0, languages=(2.0, 1.0))
    assert on_scale_of(create("elo"), population) == on_scale_of(None, population) == population


def test_of_a_scale_of_its_own_the_ratings_are_those_of_the_system() -> None:
    population = on_scale_of(TRUESKILL, Population(arrivals=3.0))
    assert (population.rating, population.spread, population.deviation) == (25.0, 6.4, 1.7)
    assert population.arrivals == 3.0


def test_a_preview_scales_only_what_nobody_has_measured() -> None:
    plan = Plan(system=TRUESKILL, rules=usual_for(TRUESKILL, is_duel=True).rules)
    unmatched = [
        preview(plan, population, budget_seconds=600.0).report.share_unmatched
        for population in (Population(seconds=60.0), Population(seconds=60.0, rating=1501.0))
    ]
    assert unmatched[0] is not None
    assert unmatched[1] is not None
    assert unmatched[0] < 0.3  # points of TrueSkill, in which these gaps are wide enough
    assert unmatched[1] > 0.7  # as they were given: hardly anybody is within so few points
