"""Structured logs: one event a line, readable on a terminal or as JSON."""

import logging
import logging.config

import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def _refused(record: logging.LogRecord) -> bool:
    """Leave out where in the code somebody was refused (403, or 400 for a thousand parameters): it is no fault, and
    anybody could fill the log by it.
    """
    if getattr(record, "status_code", 500) < 500:
        record.exc_info = None
    return True


def _kind_of_page(record: logging.LogRecord) -> bool:
    """Name the kind of page instead of the address that was asked for, which may hold anybody's name."""
    path = getattr(getattr(record, "request", None), "path", None)
    if path is not None and isinstance(record.args, tuple):
        match = getattr(record.request, "resolver_match", None)  # type: ignore[attr-defined]
        kind = "(no such page)" if match is None else f"/{match.route}"
        record.args = tuple(kind if arg == path else arg for arg in record.args)
    return True


def configure_logs(*, level: str, as_json: bool) -> None:
    """Send every log record, structlog's and the standard library's, through one formatter to stderr."""
    renderers: list[structlog.typing.Processor]
    if as_json:
        renderers = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # Rich tracebacks would print local variables, and with them what people typed.
        plain = structlog.dev.plain_traceback
        renderers = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": _SHARED,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    }
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"plain": formatter},
            "filters": {
                "refused": {"()": lambda: _refused},
                "kind_of_page": {"()": lambda: _kind_of_page},
            },
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": "plain",
                    "filters": ["refused", "kind_of_page"],
                }
            },
            "root": {"handlers": ["stderr"], "level": level},
            # Wake-ups come every few seconds and mostly find nothing: what they do is logged by the runs.
            "loggers": {
                name: {"level": "WARNING"}
                for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace")
            },
        }
    )
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
