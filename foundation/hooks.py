"""What is done once a transaction has committed."""

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import ParamSpec

from django.db import transaction

__all__ = ["after_commit"]

Given = ParamSpec("Given")


def after_commit(
    function: Callable[Given, object], *args: Given.args, **kwargs: Given.kwargs
) -> None:
    """Call it then; at once where there is no transaction. What it raises is logged, and keeps nothing else from
    being done: what was committed is committed, and whoever did so is told so.
    """
    # Django names in its log what has failed, and a partial has no name.
    transaction.on_commit(update_wrapper(partial(function, *args, **kwargs), function), robust=True)
