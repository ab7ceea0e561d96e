"""What the words of the players of one match amount to. Pure: takes words, gives a verdict.

One word a team is enough. A player who left early speaks for the team only when all of it has spoken and nobody who
stayed has: the others may be playing on.

Where the members of a team contradict each other, the word of more than half of it is the team's; where it has none,
of two teams, the word of more than half of all players. Else one of many could keep every lost match from counting.

Of two teams, one that says it has lost speaks against itself: nobody is asked whether that is so. In a team more than
half must have said it, for one of many could give away what the others are about to win.

Of more than two teams each says which place it took; words without a place say who came first at most.
"""

from collections import defaultdict
from collections.abc import Iterable

from ratings.matches.agreed_places import judge_places, place_of
from ratings.matches.words import Said, Verdict, voice_of
from ratings.models import MatchState, Outcome

__all__ = ["Said", "Verdict", "judge", "outcome_of", "place_of"]


_OPPOSITES: dict[str, str] = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}


def judge(seats: Iterable[Said], *, is_final: bool = False) -> Verdict:
    """Return what comes of a match when this is all that its players have said; `seats` holds everyone, once.

    While a team has not spoken the match stays open, unless `is_final`: then what was said stands, and what the
    silent ones would have to say follows from it, or the match is disputed where it does not.
    """
    teams = _by_team(seats)
    if len(teams) > 2 and any(seat.place is not None for team in teams for seat in team):
        return judge_places(teams, is_final=is_final)
    words = [_words_of(team) for team in teams]
    if len(teams) == 2 and any(len(word) > 1 for word in words):
        words = _words_of_most(teams) or words
    if any(len(word) > 1 for word in words):
        return Verdict(MatchState.DISPUTED)
    spoken = [next(iter(word), "") for word in words]
    if not any(spoken):
        return Verdict(MatchState.ABANDONED if is_final else MatchState.PLAYING)
    if "" in spoken and not is_final and not _is_conceded(teams, spoken):
        return Verdict(MatchState.REPORTED)
    return _decide([word or _follows(spoken) for word in spoken])


def outcome_of(ranks: Iterable[int], team: int) -> Outcome:
    """How a team would report these ranks."""
    by_team = list(ranks)
    if by_team[team] > min(by_team):
        return Outcome.LOST
    return Outcome.WON if by_team.count(by_team[team]) == 1 else Outcome.DRAWN


def _by_team(seats: Iterable[Said]) -> list[list[Said]]:
    teams: dict[int, list[Said]] = defaultdict(list)
    for seat in seats:
        teams[seat.team].append(seat)
    return [teams[number] for number in sorted(teams)]


def _words_of(team: list[Said]) -> set[str]:
    """What the team says: one word, none yet, or several that contradict each other and none is that of the most."""
    said = [seat.outcome for seat in team if seat.outcome and not seat.left_early]
    if not said and all(seat.outcome for seat in team):
        said = [seat.outcome for seat in team]
    return voice_of(said, among=len(team))


def _words_of_most(teams: list[list[Said]]) -> list[set[str]]:
    """The words of two teams as more than half of all players have it; none where they do not agree so far."""
    first, second = teams
    said = [seat.outcome for seat in first if seat.outcome and not seat.left_early]
    said += [
        _OPPOSITES.get(seat.outcome, seat.outcome)
        for seat in second
        if seat.outcome and not seat.left_early
    ]
    voice = voice_of(said, among=len(first) + len(second))
    if len(voice) > 1:
        return []
    (word,) = voice
    return [{word}, {_OPPOSITES.get(word, word)}]


def _is_conceded(teams: list[list[Said]], spoken: list[str]) -> bool:
    """Whether one of two teams has given itself up as beaten."""
    if len(teams) != 2 or Outcome.LOST not in spoken:
        return False
    team = teams[spoken.index(Outcome.LOST)]
    return 2 * sum(seat.outcome == Outcome.LOST for seat in team) > len(team)


def _follows(spoken: list[str]) -> str:
    """The word of a silent team that follows from those of the others; empty where none does."""
    if Outcome.NOT_PLAYED in spoken:
        return Outcome.NOT_PLAYED
    if Outcome.WON in spoken or spoken.count(Outcome.DRAWN) > 1:
        return Outcome.LOST
    if spoken.count("") > 1:
        return ""
    return Outcome.DRAWN if Outcome.DRAWN in spoken else Outcome.WON


def _decide(words: list[str]) -> Verdict:
    """Either nobody played, or one team won, or several drew; all others lost."""
    count = {word: words.count(word) for word in ("", *Outcome.values)}
    if count[Outcome.NOT_PLAYED] == len(words):
        return Verdict(MatchState.ABORTED)
    has_best = (count[Outcome.WON], min(count[Outcome.DRAWN], 2)) in {(1, 0), (0, 2)}
    if count[""] or count[Outcome.NOT_PLAYED] or not has_best:
        return Verdict(MatchState.DISPUTED)
    return Verdict(MatchState.CONFIRMED, tuple(int(word == Outcome.LOST) for word in words))
