"""What the places that more than two teams say they took amount to. Pure: takes words, gives a verdict.

Places are counted as in sports: two who share the first place are followed by the third, and both must say that they
share it. Whoever left without naming a place comes last, with all others who did.
"""

from collections.abc import Sequence

from ratings.matches.words import Said, Verdict, voice_of
from ratings.models import MatchState, Outcome

__all__ = ["judge_places", "place_of"]

# A place, and whether it was shared; or the outcome alone of who left or did not play.
_Word = tuple[int, bool] | str


def judge_places(teams: Sequence[Sequence[Said]], *, is_final: bool) -> Verdict:
    """Return what comes of the words of all teams, each of which is a list of its players'."""
    words = [_words_of(team) for team in teams]
    if any(len(word) > 1 for word in words):
        return Verdict(MatchState.DISPUTED)
    if not any(words):
        return Verdict(MatchState.ABANDONED if is_final else MatchState.PLAYING)
    spoken = [next(iter(word), None) for word in words]
    if None in spoken and not is_final:
        return Verdict(MatchState.REPORTED)
    places = _complete(spoken)
    if places is None:
        return Verdict(MatchState.DISPUTED)
    order = sorted(set(places))
    return Verdict(MatchState.CONFIRMED, tuple(order.index(place) for place in places))


def place_of(ranks: Sequence[int], team: int) -> int:
    """The place that a team took by these ranks."""
    return 1 + sum(rank < ranks[team] for rank in ranks)


def _words_of(team: Sequence[Said]) -> set[_Word]:
    """What a team says: the word of more than half of it; else several words contradict each other.

    Who left early speaks for the team only when all of it has spoken and nobody who stayed has.
    """
    said = [_word_of(one) for one in team if one.outcome and not one.left_early]
    if not said and all(one.outcome for one in team):
        said = [_word_of(one) for one in team]
    return voice_of(said, among=len(team))


def _word_of(said: Said) -> _Word:
    is_shared = said.outcome == Outcome.DRAWN
    if said.place is not None:
        return said.place, is_shared
    return (1, is_shared) if is_shared or said.outcome == Outcome.WON else said.outcome


def _complete(spoken: Sequence[_Word | None]) -> list[int] | None:
    """Everybody's place; None where what was said is no order, or leaves open what the silent ones took.

    The silent share the one place that is left for them.
    """
    if Outcome.NOT_PLAYED in spoken:
        return None
    last = len(spoken) + 1 - sum(word == Outcome.LOST for word in spoken)
    told = [word[0] if isinstance(word, tuple) else last if word else None for word in spoken]
    candidates = ([place or open_place for place in told] for open_place in range(1, len(told) + 1))
    return next((places for places in candidates if _is_agreed(places, spoken)), None)


def _is_agreed(places: Sequence[int], spoken: Sequence[_Word | None]) -> bool:
    """Whether everybody's place is one more than the number of those before, and shared by those who say so."""
    return all(
        place == 1 + sum(other < place for other in places)
        and (not isinstance(word, tuple) or word[1] == (places.count(place) > 1))
        for place, word in zip(places, spoken, strict=True)
    )
