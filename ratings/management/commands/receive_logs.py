"""`manage.py receive_logs`: hear what game servers send to `logaddress`, by UDP."""

import argparse
import signal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.logs.connectors.listener import Listener, open_socket

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Hear log lines that game servers of the Half-Life and Source family send by UDP. Goes on until it is stopped, "
        "also while PostgreSQL is away. `bin/run` starts it where EVENMATCH_LOG_PORT is set."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=int,
            default=settings.LOG_PORT or 27500,
            help="to listen on; EVENMATCH_LOG_PORT, else 27500",
        )
        parser.add_argument(
            "--bind",
            default=settings.LOG_BIND,
            help="address of this machine to listen on; EVENMATCH_LOG_BIND",
        )
        parser.add_argument("--sign", type=Path, help=argparse.SUPPRESS)  # written when it listens

    def handle(self, *args: Any, **options: Any) -> None:
        bind, port = options["bind"], options["port"]
        try:
            own = open_socket(bind, port)
        except (OSError, OverflowError) as error:
            raise CommandError(f"{bind}:{port}: {error}") from error
        is_over = False

        def stop(_number: int, _frame: object) -> None:
            nonlocal is_over
            is_over = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        with own:
            words = _("Listening on %(address)s, port %(port)d.")
            self.stdout.write(words % {"address": bind, "port": own.getsockname()[1]})
            if options["sign"] is not None:
                options["sign"].write_text(f"{own.getsockname()[1]}\n")
            Listener().listen(own, is_over=lambda: is_over)
