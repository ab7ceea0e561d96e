"""Taking a merge back: everything is as if it had never been, matches that were played since among it."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation import clock
from ratings.matches.end import announcement_of
from ratings.merging.merge import MOST_NAMED, ask_for_replays, conclude
from ratings.merging.moving import hold_game, move_back
from ratings.merging.refusals import CannotMergeError
from ratings.models import Match, MatchState, Participant, Player, PlayerMerge
from ratings.players.accounts import CannotMoveError, give_to
from ratings.players.map_games import recount_maps
from ratings.sanctions import end_carried

__all__ = ["unmerge"]


def unmerge(*, player: Player, by: User | None, note: str) -> PlayerMerge:
    """Let a merged player count for itself again. Audited.

    What was reported under it goes back to it, what was reported under the other stays there. Matches that were
    annulled because both took part count again; searches, parties and open matches that were ended do not go on. An
    account that came along goes back. Raises CannotMergeError. Waits for the locks of all ladders of the game.
    """
    with transaction.atomic():
        held = hold_game(player.game_id, [player.pk, player.merged_into_id or player.pk])
        player = held[player.pk]
        merges = PlayerMerge.objects.select_related("merged__game", "into__game", "account")
        made = merges.filter(merged=player, undone_at=None).first()
        if made is None or made.into_id not in held:
            raise CannotMergeError(_("The player is not merged into another, or no longer."))
        into = held[made.into_id]
        Player.objects.filter(pk=player.pk).update(merged_into=None, merged_since=None)
        player.merged_into = player.merged_since = None
        moved = move_back(player=player, into=into)
        counting = _count_again(made)
        made.undone_at, made.undone_by = clock.now(), by
        made.save(update_fields=["undone_at", "undone_by"])
        _give_back(made, player, into)
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


def _count_again(made: PlayerMerge) -> list[Match]:
    """Confirm again what the merge has annulled, unless another has decided otherwise since."""
    held = Match.objects.filter(pk__in=made.annulled, state=MatchState.ANNULLED)
    rows = held.select_related("ladder").order_by("pk").select_for_update(no_key=True, of=("self",))
    matches = list(rows)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(state=MatchState.CONFIRMED)
    for match in matches:
        match.state = MatchState.CONFIRMED
        if match.map:
            recount_maps(match)
    if matches:
        people = Participant.objects.filter(match__in=matches).order_by("player")
        players = people.values_list("player", flat=True).distinct()
        announcement_of(matches, Kind.MATCH_CONFIRMED, players).write()
    return matches


def _give_back(made: PlayerMerge, player: Player, into: Player) -> None:
    """Give the account back the player it had. Raises CannotMergeError where it has another by now."""
    if made.account is None:
        return
    if made.account_came_along and into.user_id == made.account_id:
        into.user = None
        into.save(update_fields=["user"])  # tokens that the account has made there end with it
    try:
        give_to(player, made.account)
    except CannotMoveError as error:
        raise CannotMergeError(str(error)) from error
