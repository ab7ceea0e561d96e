"""A table of the powers of two between 1 and 2, with the same bits on every machine."""

import math
from decimal import Decimal, localcontext

__all__ = ["table_of_powers"]

_BITS = 128


def table_of_powers(steps: int, factor: float) -> list[float]:
    """factor · 2^(k/steps) for k from 0 to steps - 1, each correctly rounded.

    Whole numbers with 128 bits behind the point: each product loses less than the last one of
    them, and a float holds the first 53.
    """
    with localcontext(prec=60):
        ratio = int(Decimal(2) ** (Decimal(1) / steps) * (1 << _BITS))
        power = int(Decimal(factor) * (1 << _BITS))
    table = []
    for _ in range(steps):
        table.append(math.ldexp(power, -_BITS))
        power = power * ratio >> _BITS
    return table
