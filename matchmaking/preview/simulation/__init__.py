"""Queues without players: how long players would wait, and for which opponents, by its settings.

from matchmaking.preview.simulation import Population, simulate

report = simulate(plan, Population(arrivals=1.0), seeds=(1, 2, 3))
report.waits.mean, report.gaps.p95, report.share_unmatched

Pure: arrays in, arrays out, and everything random comes from the seeds.
"""

from matchmaking.preview.simulation.population import Population
from matchmaking.preview.simulation.report import Report
from matchmaking.preview.simulation.run import simulate

__all__ = ["Population", "Report", "simulate"]
