"""Merging two players of a game who are one person: all or nothing, by one replay a track.

The ledger stays as it is. What changes is who participations count for; the tracks concerned are rated anew, and come
to what they would be had it been one player from the start.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation import clock
from ratings.matches.decide import abort
from ratings.matches.end import announcement_of
from ratings.matches.revising.annulled import Annulled, follow
from ratings.merging.moving import game_held, move_to, moving_matches
from ratings.merging.refusals import (
    CannotMergeError,
    GameBusyError,
    RunningError,
    SharedMatchesError,
)
from ratings.merging.running import end_running, open_matches, running_of
from ratings.models import Match, MatchState, Participant, Player, PlayerMerge
from ratings.players.accounts import give_to, tell
from ratings.players.map_games import uncount_maps
from ratings.players.own_matters import MAY_MERGE, MAY_MOVE, check_not_own, met_by
from ratings.players.site_ids import say_deleted
from ratings.runs.replay import request_replays
from ratings.sanctions import carry_over, check_impose, in_force

__all__ = ["Followed", "check_own", "follow_with", "merge", "shared_matches", "why_not"]

MOST_NAMED = 1000


@dataclass(frozen=True, slots=True)
class Followed:
    """A merge that was made, or undone (`is_undone`), as it is told to apps above."""

    merge: PlayerMerge
    is_undone: bool


# Called in the transaction.
_followers: list[Callable[[Followed], object]] = []


def follow_with(follower: Callable[[Followed], object]) -> None:
    """Let apps above do what a merge means for tokens and boards. Called from an app's `ready()`."""
    _followers.append(follower)


def merge(
    *,
    player: Player,
    into: Player,
    by: User | None,
    note: str,
    since: datetime | None = None,
    annul_shared: bool = False,
    end_what_runs: bool = False,
    seen: int | None = None,
) -> PlayerMerge:
    """Let a player count for another of the same game from now on, with all matches played from `since` on. Audited.

    annul_shared   matches in which both took part are annulled, disputed ones aborted; else they are refused
    end_what_runs  the player's searches, parties and open matches are ended; else they are refused
    seen           how many matches were to change hands by the preview

    An account of the player goes to the other one where that has none. Raises CannotMergeError, RunningError,
    SharedMatchesError and OwnMatterError. Waits for the locks of all ladders of the game, for seconds: GameBusyError.
    """
    if reason := why_not(player, into, since):
        raise CannotMergeError(reason)
    shared = shared_matches(player, into, since)
    if shared and not annul_shared:
        raise SharedMatchesError([match.pk for match in shared])
    running = open_matches(player) if end_what_runs else []
    check_own(player, into, since=since, by=by, ended=[*shared, *running])
    if end_what_runs:  # which does not come back: so not for a merge that is refused below
        _check_seen(moving_matches(player, into, since).count(), seen)
        with game_held(player.game_id, [player.pk, into.pk]):
            pass  # nor for one that is refused because the game is busy
        end_running(player, by=by, note=note)
    holding = game_held(player.game_id, [player.pk, into.pk])
    with _saying_what_ended(has_ended=end_what_runs), holding as held:
        player, into = held[player.pk], held[into.pk]
        if reason := why_not(player, into, since):
            raise CannotMergeError(reason)
        if still := running_of(player):
            raise RunningError(still)
        shared = shared_matches(player, into, since)
        if shared and not annul_shared:
            raise SharedMatchesError([match.pk for match in shared])
        check_own(player, into, since=since, by=by, ended=[*shared, *running])
        annulled = _annul(shared, by, note)
        moved = move_to(player=player, into=into, since=since)
        _check_seen(moved.matches, seen)
        account = player.user
        Player.objects.filter(pk=player.pk).update(user=None, merged_into=into, merged_since=since)
        comes_along = account is not None and into.user_id is None
        if account is not None and comes_along:
            give_to(into, account)
        made = PlayerMerge.objects.create(
            merged=player,
            into=into,
            since=since,
            annulled=[match.pk for match in annulled],
            account=account,
            account_came_along=comes_along,
            at=clock.now(),
            by=by,
        )
        carried = carry_over(player=player, into=into, by=by, note=note)
        replays = ask_for_replays(moved.with_numbers(annulled))
        audit.record(
            actor=by,
            action="player.merged",
            target=player,
            after={
                "into": into.pk,
                "since": since.isoformat() if since else None,
                "matches": moved.matches,
                "annulled": made.annulled[:MOST_NAMED],
                "sanctions": carried,
                "account": account.pk if account else None,
                "account_came_along": comes_along,
                "replays": replays,
            },
            note=note,
        )
        conclude(made, is_undone=False)
    return made


def why_not(player: Player, into: Player, since: datetime | None = None) -> str:
    """Why these two cannot become one, whatever they play; nothing where they can. Two queries at most."""
    names = {"player": player, "into": into}
    if player.pk == into.pk:
        return _("Choose two players: nobody is merged into oneself.")
    if player.game_id != into.game_id:
        return _("%(player)s and %(into)s play different games.") % names
    if player.kind != into.kind:
        return _("A person cannot become a clan, nor a clan a person.")
    if reason := say_deleted(player, into):
        return reason
    for one in (player, into):
        if one.merged_into_id is not None:
            words = _("%(player)s is merged into %(into)s already. Unmerge them first.")
            return words % {"player": one, "into": one.merged_into}
    if (other := Player.objects.filter(merged_into=player).first()) is not None:
        words = _(
            "%(other)s is merged into %(player)s. Merge both into %(into)s one by one: unmerge them first."
        )
        return words % {**names, "other": other}
    if since is not None and since > clock.now():
        return _("The moment from which matches count is to come. Choose one that is past.")
    return ""


def check_own(
    player: Player,
    into: Player,
    *,
    since: datetime | None,
    by: User | None,
    ended: Sequence[Match],
) -> None:
    """Raise OwnMatterError where one of the two is the operator's own, or has played with the player in a match that
    changes hands, or in one of those that are `ended`: annulled, or aborted; or has one with the player that is
    undecided or offered, for who is merged away neither reports nor searches; and where a sanction, or an account,
    would come to one with whom it has such a match.
    """
    if by is None:
        return
    changing = Q(match__in=moving_matches(player, into, since).values("pk"))
    ended_too = Q(match__in=[match.pk for match in ended])
    people = Participant.objects.values_list("player", flat=True).distinct()
    right = MAY_MERGE if player.user_id is None else MAY_MOVE
    concerned = {player.pk, into.pk, *met_by(player.pk), *people.filter(changing | ended_too)}
    gets_account = player.user_id is not None and into.user_id is None
    gets_sanction = in_force().filter(player=player).exists()
    if gets_account or gets_sanction:
        concerned |= met_by(into.pk)
    check_not_own(by, concerned, right=right)
    check_not_own(by, people.filter(ended_too))
    if gets_sanction:
        check_impose(by, into.pk)


def shared_matches(player: Player, into: Player, since: datetime | None) -> list[Match]:
    """Matches of two players, in one team or against each other, that count or wait for a decision. One query."""
    own = Participant.objects.filter(player=player).values("match")
    matches = Match.objects.filter(
        pk__in=own,
        participants__player=into,
        state__in=[MatchState.CONFIRMED, MatchState.DISPUTED],
    )
    if since is not None:
        matches = matches.filter(played_at__gte=since)
    return list(matches.select_related("ladder").order_by("pk"))


def ask_for_replays(first: dict[int, int]) -> list[int]:
    """Have the ladders' tracks rated anew, one replay a track; `first` number that is rated otherwise by ladder."""
    return [
        replay
        for ladder, seq in sorted(first.items())
        for replay in request_replays(ladder_id=ladder, from_seq=seq)
    ]


def conclude(made: PlayerMerge, *, is_undone: bool) -> None:
    """Tell of a merge, or of its end: programs, the accounts concerned, and apps above."""
    player, into = made.merged, made.into
    kind = Kind.PLAYER_UNMERGED if is_undone else Kind.PLAYER_MERGED
    topics = [f"player:{player.pk}", f"player:{into.pk}", f"game:{into.game_id}"]
    broadcast(topics, kind, player=player.pk, into=into.pk)
    if made.account is not None:
        tell([made.account])
    for follower in _followers:
        follower(Followed(made, is_undone))


@contextmanager
def _saying_what_ended(*, has_ended: bool) -> Iterator[None]:
    """Let a busy game say that not all is as it was, where searches and matches have ended for the merge."""
    try:
        yield
    except GameBusyError as error:
        if has_ended:
            raise GameBusyError(has_ended=True) from error
        raise


def _check_seen(count: int, seen: int | None) -> None:
    if seen is not None and count != seen:
        words = _("There are %(count)d matches now, so nothing was changed. Look again.")
        raise CannotMergeError(words % {"count": count}, matches=count)


def _annul(shared: Sequence[Match], by: User | None, note: str) -> list[Match]:
    """Annul those that are confirmed, and abort the others; returns those annulled."""
    ids = [match.pk for match in shared]
    held = Match.objects.filter(pk__in=ids).select_related("ladder").order_by("pk")
    confirmed = []
    for match in held.select_for_update(no_key=True, of=("self",)):
        if match.state == MatchState.CONFIRMED:
            confirmed.append(match)
        elif match.state == MatchState.DISPUTED:
            abort(match_id=match.pk, by=by, note=note)
    Match.objects.filter(pk__in=[match.pk for match in confirmed]).update(state=MatchState.ANNULLED)
    for match in confirmed:
        match.state = MatchState.ANNULLED
    uncount_maps([match.pk for match in confirmed])
    if confirmed:
        people = Participant.objects.filter(match__in=confirmed).order_by("player")
        players = list(people.values_list("player", flat=True).distinct())
        announcement_of(confirmed, Kind.MATCH_ANNULLED, players).write()
        follow(Annulled([match.pk for match in confirmed], players))
    return confirmed
