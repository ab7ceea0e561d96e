"""What is refused of games and ladders."""

from django.utils.translation import gettext as _

from foundation.refusals import RefusedError

__all__ = ["FixedError"]


class FixedError(RefusedError):
    """Something stays as it was made: `field` names it, `present` is what it is."""

    code = "cannot_change"

    def __init__(self, field: str, *, given: object, present: object) -> None:
        words = _(
            "“%(field)s” is %(present)s and does not change: leave it out, or give the same; you gave %(given)s."
        )
        said = {"field": field, "present": _said(present), "given": _said(given)}
        super().__init__(words % said, field=field, present=present)


def _said(value: object) -> str:
    return "null" if value is None else f"“{value}”"
