"""Taking a merge back: everything is as if it had never been, matches that were played since among it."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation import clock
from ratings.matches.end import announcement_of
from ratings.merging.merge import MOST_NAMED, ask_for_replays, conclude
from ratings.merging.moving import game_held, move_back, move_to
from ratings.merging.refusals import CannotMergeError
from ratings.models import Match, MatchState, Participant, Player, PlayerMerge
from ratings.players.accounts import CannotMoveError, give_to
from ratings.players.map_games import recount_maps
from ratings.players.own_matters import MAY_MERGE, MAY_MOVE, check_not_own, met_by
from ratings.players.site_ids import is_deleted
from ratings.sanctions import check_lift, end_carried, in_force

__all__ = ["check_own", "unmerge"]


def unmerge(
    *, player: Player, by: User | None, note: str, ends_carried: bool = True
) -> PlayerMerge:
    """Let a merged player count for itself again. Audited. `ends_carried`: sanctions that have come to the other from
    the player end there.

    What was reported under it goes back to it, what was reported under the other stays there. Matches that were
    annulled because both took part count again; searches, parties and open matches that were ended do not go on. An
    account that came along goes back. Raises CannotMergeError and OwnMatterError. Waits for the locks of all ladders
    of the game, for seconds: GameBusyError.
    """
    with game_held(player.game_id, [player.pk, player.merged_into_id or player.pk]) as held:
        player = held[player.pk]
        merges = PlayerMerge.objects.select_related("merged__game", "into__game", "account")
        made = merges.filter(merged=player, undone_at=None).first()
        if made is None or made.into_id not in held:
            raise CannotMergeError(_("The player is not merged into another, or no longer."))
        into = held[made.into_id]
        check_own(made, by=by)
        Player.objects.filter(pk=player.pk).update(merged_into=None, merged_since=None)
        player.merged_into = player.merged_since = None
        moved = move_back(player=player, into=into)
        others = _others(made)
        for other in others:  # in matches in which only this player was in the way
            move_to(player=other.merged, into=other.into, since=other.since)
        counting = _count_again(made, others)
        people = Participant.objects.filter(match__in=counting)
        check_not_own(by, people.values_list("player", flat=True))
        made.undone_at, made.undone_by = clock.now(), by
        made.save(update_fields=["undone_at", "undone_by"])
        _give_back(made, player, into)
        lifted = 0
        if ends_carried:
            lifted = end_carried(player=player, into=into, by=by, note=note)
        replays = ask_for_replays(moved.with_numbers(counting))
        audit.record(
            actor=by,
            action="player.unmerged",
            target=player,
            before={"into": into.pk, "since": made.since.isoformat() if made.since else None},
            after={
                "matches": moved.matches,
                "counting_again": [match.pk for match in counting][:MOST_NAMED],
                "sanctions": lifted,
                "account": made.account_id,
                "replays": replays,
            },
            note=note,
        )
        conclude(made, is_undone=True)
    return made


def check_own(made: PlayerMerge, *, by: User | None) -> None:
    """Raise OwnMatterError where one of the two is the operator's own, or has played with the player in a match that
    goes back to it or counts again; or has an undecided match with the other, who loses an account, or sanctions that
    were carried over. Ask before anything goes back.
    """
    if by is None:
        return
    returning = Participant.objects.filter(reported_as=made.merged_id).values("match")
    annulled = Q(match__in=made.annulled)
    people = Participant.objects.values_list("player", flat=True).distinct()
    both = people.filter(Q(match__in=returning) | annulled)
    right = MAY_MOVE if made.account_came_along else MAY_MERGE
    concerned = {made.merged_id, made.into_id, *both}
    if made.account_came_along:
        concerned |= met_by(made.into_id)
    check_not_own(by, concerned, right=right)
    check_not_own(by, people.filter(annulled))
    if in_force().filter(player=made.into_id, carried_from__player=made.merged_id).exists():
        check_lift(by, made.into_id)


def _others(made: PlayerMerge) -> list[PlayerMerge]:
    """Merges in force that may have to do with the same matches: into the same player, or of one who took part."""
    took_part = Participant.objects.filter(match__in=made.annulled).values("player")
    merges = PlayerMerge.objects.filter(undone_at=None).exclude(pk=made.pk)
    own = merges.filter(Q(into=made.into) | Q(merged__in=took_part))
    return list(own.select_related("merged", "into").order_by("pk"))


def _count_again(made: PlayerMerge, others: Sequence[PlayerMerge]) -> list[Match]:
    """Confirm again what the merge has annulled, unless another has decided otherwise since, such as that an import
    was taken back; and what other merges have annulled for its sake. What these would have annulled is theirs now.
    """
    ids = set(made.annulled).union(*(other.annulled for other in others))
    annulled = Match.objects.filter(pk__in=ids, state=MatchState.ANNULLED)
    held = annulled.filter(Q(source=None) | Q(source__taken_back_at=None))
    kept: set[int] = set()
    for other in others:
        shared = _shared_by(other, held)
        kept |= shared
        left = (set(other.annulled) - set(held.values_list("pk", flat=True))) | shared
        if left != set(other.annulled):
            other.annulled = sorted(left)
            other.save(update_fields=["annulled"])
    held = held.exclude(pk__in=kept)
    rows = held.select_related("ladder").order_by("pk").select_for_update(no_key=True, of=("self",))
    matches = list(rows)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(state=MatchState.CONFIRMED)
    for match in matches:
        match.state = MatchState.CONFIRMED
    recount_maps([match.pk for match in matches])
    if matches:
        people = Participant.objects.filter(match__in=matches).order_by("player")
        players = people.values_list("player", flat=True).distinct()
        announcement_of(matches, Kind.MATCH_CONFIRMED, players).write()
    return matches


def _shared_by(merge: PlayerMerge, among: QuerySet[Match]) -> set[int]:
    """Those in which both players of a merge take part, from its moment on."""
    own = among.filter(participants__player=merge.merged)
    if merge.since is not None:
        own = own.filter(played_at__gte=merge.since)
    both = own.filter(pk__in=Participant.objects.filter(player=merge.into).values("match"))
    return set(both.values_list("pk", flat=True))


def _give_back(made: PlayerMerge, player: Player, into: Player) -> None:
    """Give the account back the player it had; where that was deleted since, it has none. Raises CannotMergeError where
    it has another by now.
    """
    if made.account is None:
        return
    if made.account_came_along and into.user_id == made.account_id:
        into.user = None
        into.save(update_fields=["user"])  # tokens that the account has made there end with it
    if is_deleted(player):
        return
    try:
        give_to(player, made.account)
    except CannotMoveError as error:
        raise CannotMergeError(str(error)) from error
