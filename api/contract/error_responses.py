"""From an exception to an answer: every error of the API leaves as `application/problem+json` (RFC 9457)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.utils.translation import gettext as _
from psycopg import errors as pg
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract.problems import MEDIA_TYPE, PROBLEMS, ProblemError
from foundation.postgresql.connections import is_database_away
from foundation.refusals import RefusedError
from foundation.requests.time_limits import is_time_over
from leaderboards.archived import archived_at, is_worth_another_look
from ratings.sanctions import SuspendedError

__all__ = ["answer_exception", "not_allowed", "plain_problem_response", "unavailable"]

log = structlog.get_logger(__name__)

_BACK_AFTER = 5  # seconds after which a database that is away is worth another try

# Another has it, or came first: nothing was done, and the same request may succeed.
_TRY_AGAIN = (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure, pg.QueryCanceled)


def answer_exception(error: Exception, context: Mapping[str, Any]) -> Response:
    """Return the answer to `error`, whatever it is. REST_FRAMEWORK's EXCEPTION_HANDLER."""
    request: HttpRequest = context["request"]._request
    if isinstance(error, Http404 | exceptions.NotFound):
        archived = archived_at(request.resolver_match)
        error = archived or error
        if archived is None and is_worth_another_look(request.resolver_match, request.method):
            view = context["view"]
            try:
                again: Response = view.get(context["request"], *view.args, **view.kwargs)
            except Exception as second:
                error = second
            else:
                return again
    if isinstance(error, SuspendedError) and not _is_player(context["request"]):
        error = SuspendedError(error.sanction, is_own=False)
    if isinstance(error, RefusedError):
        body = _body(error.code, error.status, str(error.detail), request, error.extra)
        retry_after = getattr(error, "retry_after", None)
        headers = None if retry_after is None else {"Retry-After": str(retry_after)}
        return Response(body, status=error.status, content_type=MEDIA_TYPE, headers=headers)
    problem = error if isinstance(error, ProblemError) else None
    if problem is None and is_database_away(error):
        if isinstance(error.__cause__, _TRY_AGAIN):
            log.warning("api.busy", error=str(error))
            words = _("What this needs is in use. Nothing was changed; try again.")
            problem = ProblemError("busy", words, headers={"Retry-After": "1"})
        elif isinstance(error.__cause__, pg.DiskFull):
            log.error("api.no_room", error=str(error))
            words = _("The disk of this site is full. Nothing was changed; try again later.")
            problem = ProblemError("no_room", words, headers={"Retry-After": "10"})
        else:
            event = "api.time_over" if is_time_over(request) else "api.database_away"
            log.error(event, error=str(error))
            problem = unavailable(request)
    problem = problem or _refusal_of_framework(error, request)
    if problem is None:
        # A fault of ours: told to whoever listens for faults (the test client raises it), not to the caller.
        got_request_exception.send(sender=None, request=request)
        log.error("api.failed", path=request.path, exc_info=error)
        words = _("Something went wrong here. It is in the log.")
        problem = ProblemError("internal_error", words)
    return problem_response(problem, request)


def unavailable(request: HttpRequest) -> ProblemError:
    """The refusal where the database was waited for in vain, or for longer than a request may take."""
    if is_time_over(request):
        words = _(
            "The time of this request was over before it was answered. Try again, with the same Idempotency-Key."
        )
    else:
        words = _("The database does not answer. Try again, with the same Idempotency-Key.")
    return ProblemError("unavailable", words, headers={"Retry-After": str(_BACK_AFTER)})


def problem_response(error: ProblemError, request: HttpRequest) -> Response:
    """Return a problem as an answer."""
    problem = error.problem
    members: dict[str, object] = {} if error.errors is None else {"errors": error.errors}
    body = _body(problem.code, problem.status, str(error.detail), request, members | error.extra)
    response = Response(body, status=problem.status, content_type=MEDIA_TYPE)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="api"'
    for name, value in error.headers.items():
        response[name] = value
    return response


def plain_problem_response(error: ProblemError, request: HttpRequest) -> HttpResponse:
    """Return a problem as an answer outside of any view of the API, where nothing renders it later."""
    response = problem_response(error, request)
    answer = JsonResponse(response.data, status=response.status_code, content_type=MEDIA_TYPE)
    for name, value in response.items():
        answer.setdefault(name, value)
    return answer


def not_allowed(request: HttpRequest, *methods: str) -> HttpResponse:
    """Refuse a method that a page does not take."""
    allowed = {"Allow": ", ".join(methods)}
    return plain_problem_response(_wrong_method(request, headers=allowed), request)


def _body(
    code: str, status: HTTPStatus, detail: str, request: HttpRequest, extra: Mapping[str, object]
) -> dict[str, object]:
    problem = PROBLEMS.get(code)
    return {
        "type": problem.get_absolute_url() if problem else "about:blank",
        "title": str(problem.title) if problem else status.phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        "instance": request.get_full_path(),
        **extra,
    }


def _wrong_method(request: HttpRequest, **more: Any) -> ProblemError:
    words = _("%(method)s is not possible here.") % {"method": request.method}
    return ProblemError("method_not_allowed", words, **more)


def _refusal_of_framework(error: Exception, request: HttpRequest) -> ProblemError | None:
    """Say in our own codes what Django and the REST framework raise."""
    if isinstance(error, Http404 | exceptions.NotFound | PermissionDenied):
        return ProblemError("not_found", _("There is nothing here that you may see."))
    if isinstance(error, exceptions.MethodNotAllowed):
        return _wrong_method(request)
    if isinstance(error, exceptions.UnsupportedMediaType):
        words = _("The body must be JSON, with “Content-Type: application/json”.")
        return ProblemError("unsupported_media_type", words)
    if isinstance(error, exceptions.ParseError):
        return ProblemError("malformed_body", str(error.detail))
    if isinstance(error, UnreadablePostError):
        if isinstance(error.__cause__, TimeoutError):
            words = _("The body was not there after %(seconds)g seconds.")
            return ProblemError("body_too_slow", words % {"seconds": settings.BODY_SECONDS})
        return ProblemError("malformed_body", _("The body ended too early."))
    return None


def _is_player(request: Request) -> bool:
    """Whether a player calls, not a server that acts for one."""
    caller: Any = request.auth
    return caller is not None and caller.player is not None
