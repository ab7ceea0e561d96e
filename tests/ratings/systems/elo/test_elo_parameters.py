"""What can be tuned of both Elo systems: defaults and ranges, as the pages for operators say."""

import pytest

from ratings.systems import parameters_of

POINTS, SHARE = (0, 100_000), (0, 1)
ELO = {
    "start": (1500, *POINTS),
    "floor": (0, *POINTS),
    "class_interval": (200, 1, 10_000),
    "k_new": (50, 0, 1000),
    "k_provisional": (40, 0, 1000),
    "k_established": (32, 0, 1000),
    "halve_against_provisional": (True, None, None),
    "established_after": (30, 1, 10_000),
    "k_by_rating": ("none", None, None),
    "step_lower": (2100, *POINTS),
    "step_upper": (2400, *POINTS),
    "step_middle_share": (0.75, *SHARE),
    "step_high_share": (0.5, *SHARE),
    "edge_lower": (500, *POINTS),
    "edge_upper": (2500, *POINTS),
    "edge_share": (0.25, *SHARE),
    "inflation": (0, 0, 100),
    "draw_nu": (0, 0, 100),
    "side_gamma": (1, 0.01, 100),
    "placement_games": (0, 0, 1000),
}
ELO_NORMAL = {
    "start": (1500, *POINTS),
    "floor": (0, *POINTS),
    "beta": (200, 1, 10_000),
    "alpha": (0.07, 0.001, 0.999),
    "established_after": (30, 1, 10_000),
}


@pytest.mark.parametrize(("system", "table"), [("elo", ELO), ("elo_normal", ELO_NORMAL)])
def test_defaults_and_ranges(system: str, table: dict[str, tuple[object, ...]]) -> None:
    described = {p.name: (p.default, p.minimum, p.maximum) for p in parameters_of(system)}
    assert described == table


def test_ways_to_lower_k_by_rating() -> None:
    by_name = {parameter.name: parameter for parameter in parameters_of("elo")}
    assert by_name["k_by_rating"].choices == ("none", "step", "edges")
