"""Celery's `worker` and `beat`, as `bin/run` starts them: with the whole of its command line a shell would be loaded,
a tenth of each start.
"""

import sys

from celery.bin.base import CLIContext
from celery.bin.beat import beat
from celery.bin.worker import worker

from config.celery import app

if __name__ == "__main__":
    command = {"worker": worker, "beat": beat}[sys.argv[1]]
    command.main(
        sys.argv[2:],
        prog_name=f"celery {command.name}",
        obj=CLIContext(app=app, no_color=False, workdir=None),
        auto_envvar_prefix=f"CELERY_{sys.argv[1].upper()}",
    )
