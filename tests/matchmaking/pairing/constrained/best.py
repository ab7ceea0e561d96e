"""The best matching there is, by trying all; for few tickets."""

from functools import cache

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["best_matching"]

Value = tuple[int, tuple[int, ...], float]


def best_matching(is_allowed: Bools, cost: Floats, rank: Ints) -> tuple[list[int], float]:
    """The ranks of those matched, ascending, and the sum of costs.

    The most matched; of these the list of ranks that is the lowest; of these the least cost.
    """
    allowed, costs, ranks = is_allowed.tolist(), cost.tolist(), rank.tolist()

    @cache
    def best(left: frozenset[int]) -> Value:
        if not left:
            return 0, (), 0.0
        one = min(left)
        others = left - {one}
        found = [best(others)]
        for two in others:
            if allowed[one][two]:
                number, who, paid = best(others - {two})
                both = tuple(sorted((*who, ranks[one], ranks[two])))
                found.append((number - 1, both, paid + costs[one][two]))
        return min(found, key=lambda each: (each[0], each[1], round(each[2], 9)))

    _number, who, paid = best(frozenset(range(len(ranks))))
    return list(who), paid
