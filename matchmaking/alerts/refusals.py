"""What the rules of alerts do not allow."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = ["NearnessHiddenError", "NoAlertsError"]


class NearnessHiddenError(RefusedError):
    """The ladder does not show ratings: an alert about somebody near would tell of them."""

    code = "nearness_hidden"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self) -> None:
        super().__init__(
            _("Ratings are hidden here: you can only be told of anybody who searches.")
        )


class NoAlertsError(RefusedError):
    """The queue tells nobody of searches."""

    code = "no_alerts"

    def __init__(self, queue: str) -> None:
        super().__init__(_("Nobody is told of searches in this queue."), queue=queue)
