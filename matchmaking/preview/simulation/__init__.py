"""Queues without players: who would wait how long, and meet whom, under which settings.

from matchmaking.preview.simulation import Crowd, simulate

report = simulate(plan, Crowd(arrivals=1.0), seeds=(1, 2, 3))
report.waits.mean, report.gaps.p95, report.share_unmatched

Pure: arrays in, arrays out, and everything random comes from the seeds.
"""

from matchmaking.preview.simulation.course import Course
from matchmaking.preview.simulation.draw import Arrivals, draw_arrivals
from matchmaking.preview.simulation.population import Crowd
from matchmaking.preview.simulation.preview import Preview, preview
from matchmaking.preview.simulation.report import Band, Report, Spread, report_on
from matchmaking.preview.simulation.run import run, simulate

__all__ = [
    "Arrivals",
    "Band",
    "Course",
    "Crowd",
    "Preview",
    "Report",
    "Spread",
    "draw_arrivals",
    "preview",
    "report_on",
    "run",
    "simulate",
]
