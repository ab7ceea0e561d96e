"""What the web server says of itself, in the form that the site's own lines have."""

import os
from typing import Any

from gunicorn.glogging import Logger

from config.monitoring.logs import configure_logs


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's, whose lines are JSON where those of the site are: a collector reads them all alike."""

    def setup(self, cfg: Any) -> None:
        """Hand the lines on to the formatter of the site."""
        super().setup(cfg)
        if os.environ.get("EVENMATCH_LOG_FORMAT") != "json":
            return
        configure_logs(level=os.environ.get("EVENMATCH_LOG_LEVEL", "INFO"), as_json=True)
        for log in (self.error_log, self.access_log):
            log.handlers.clear()
            log.propagate = True
