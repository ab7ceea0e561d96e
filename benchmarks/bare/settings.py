"""Production settings with the addresses of `benchmarks.bare.urls`; for benchmarks only."""

from config.settings.production import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare.urls"
