"""Who is matched: the most there can be, and among all ways to do so the oldest first."""

from matchmaking.pairing.duels.augmenting_trees import Tree
from matchmaking.pairing.duels.matching import FREE

__all__ = ["match_oldest_first"]


def match_oldest_first(neighbours: list[list[int]], partner: list[int], rank: list[int]) -> None:
    """Change `partner`, any matching, so that the list of those matched is the best.

    Sets of places that some matching covers are a matroid: taking the oldest first, whoever can be
    covered together with those taken, leads to the best list, which is of the largest, too.
    """
    for place in sorted(range(len(rank)), key=rank.__getitem__):
        if partner[place] != FREE:
            continue
        tree = Tree(neighbours, partner, place)
        if tree.end >= 0:
            tree.take_path()
        elif (youngest := max(tree.outer(), key=rank.__getitem__)) != place:
            tree.stand_in(youngest)
