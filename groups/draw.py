"""Random groups: who wants one is put together with others at set intervals, and told.

A draw of a game is one transaction, so a worker that is killed has drawn nothing, and two at once draw once. Neither
blocks nor avoid lists let two come together, either way; whoever finds no group is told the same for every reason.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import structlog

from events.kinds import Kind
from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from groups.held import hold_group, hold_player, hold_players
from groups.lifecycle import end_group
from groups.membership import INVITATIONS_KEPT
from groups.models import Access, DrawWish, Group, GroupRules, Invitation, Membership
from groups.refusals import DrawsOffError, UnknownGroupError
from groups.rules import rules_of
from groups.told import tell, tell_drawn, tell_passed_over, withdraw_invitation
from matchmaking.kept_apart import kept_apart
from matchmaking.models import Queue
from ratings.archiving import ArchivedError
from ratings.models import Player, SuspendedFrom
from ratings.players.site_ids import is_deleted
from ratings.sanctions import suspended

__all__ = ["draw_due", "end_due", "next_draw", "stop_wanting", "want", "wish_of"]

log = structlog.get_logger(__name__)

_AT_ONCE = 2_000  # wishes that one draw looks at, those that have waited longest
_ENDED_AT_ONCE = 500


def wish_of(player_id: int) -> DrawWish | None:
    """What the player wants of the next draw. One query."""
    return DrawWish.objects.filter(player=player_id).select_related("queue").first()


def want(*, player: Player, queue: Queue | None = None, language: str = "") -> DrawWish:
    """Want to be in a random group; again: with another queue or language, and the same place in line.

    Raises DrawsOffError, ArchivedError, PlayerGoneError.
    """
    if player.game.archived_at is not None:
        raise ArchivedError(player.game)
    if not rules_of(player.game_id).draws:
        raise DrawsOffError
    with briefly() as now:
        hold_player(player.pk)
        wish, _made = DrawWish.objects.update_or_create(
            player=player,
            defaults={"game_id": player.game_id, "queue": queue, "language": language},
            create_defaults={
                "game_id": player.game_id,
                "queue": queue,
                "language": language,
                "since": now,
            },
        )
    return wish


def stop_wanting(*, player: Player) -> bool:
    """Want none any more; returns whether one was wanted. A draw that goes on is waited for: it draws, or does not."""
    with briefly():
        hold_players([player.pk])
        return bool(DrawWish.objects.filter(player=player).delete()[0])


def next_draw(rules: GroupRules) -> datetime | None:
    """When the next draw of a game is due; None: with the first wish, or never."""
    if not rules.draws or rules.drawn_at is None:
        return None
    return rules.drawn_at + timedelta(hours=rules.draw_hours)


def draw_due() -> int:
    """Draw in every game in which that is due and somebody wants it; returns how many groups were made."""
    if not timekeeping.is_steady():
        return 0
    wanted = DrawWish.objects.filter(game__archived_at=None).order_by("game")
    games = list(wanted.values_list("game", flat=True).distinct())
    return sum(_draw(game) for game in games)


def end_due() -> int:
    """End random groups whose time is over, and forget invitations that nobody has answered."""
    if not timekeeping.is_steady():  # by a wrong clock every group is over
        return 0
    now, ended = clock.now(), 0
    due = Group.objects.filter(ends_at__lte=now).order_by("ends_at", "pk")
    for pk in list(due.values_list("pk", flat=True)[:_ENDED_AT_ONCE]):
        with briefly():
            try:
                held = hold_group(pk)
            except UnknownGroupError:
                continue
            if held.group.ends_at is not None and held.group.ends_at <= now:
                end_group(held)
                ended += 1
    old = Invitation.objects.filter(at__lt=now - INVITATIONS_KEPT).order_by("pk")
    for pk, group, player in list(old.values_list("pk", "group", "player")[:_ENDED_AT_ONCE]):
        with briefly():
            if Invitation.objects.filter(pk=pk).delete()[0]:
                withdraw_invitation(group, [player])
    return ended


def _draw(game_id: int) -> int:
    GroupRules.objects.get_or_create(game_id=game_id)
    with briefly() as now:
        held = GroupRules.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        rules = held.filter(game=game_id).first()
        if rules is None or not rules.draws:
            return 0
        due = next_draw(rules)
        if due is not None and due > now:
            return 0
        wishes = _good_wishes(game_id, rules)
        groups, left = _put_together(wishes, rules.draw_size)
        for together in groups:
            _make(game_id, together, rules, now)
        if left:
            tell_passed_over(game_id, [one.player_id for one in left])
        rules.drawn_at = now
        rules.save(update_fields=["drawn_at"])
    log.info("groups.drawn", game=game_id, groups=len(groups), waiting=len(left))
    return len(groups)


def _good_wishes(game_id: int, rules: GroupRules) -> list[DrawWish]:
    """Those who may be drawn, held: as they are now, the longest wait first."""
    rows = DrawWish.objects.filter(game=game_id).order_by("since", "pk")
    players = hold_players(list(rows.values_list("pk", flat=True)[:_AT_ONCE]))
    here = [pk for pk, one in players.items() if one.merged_into_id is None and not is_deleted(one)]
    kept_out = set(suspended(here, SuspendedFrom.PARTIES))
    counts: dict[int, int] = {}
    for pk in Membership.objects.filter(player__in=here).values_list("player", flat=True):
        counts[pk] = counts.get(pk, 0) + 1
    may = [pk for pk in here if pk not in kept_out and counts.get(pk, 0) < rules.most_groups]
    return list(rows.filter(player__in=may))


def _put_together(
    wishes: Sequence[DrawWish], size: int
) -> tuple[list[list[DrawWish]], list[DrawWish]]:
    """Groups of `size` who want the same, and who is left; whoever waits longest is asked first.

    Of those together no two want different queues or languages, and nobody is kept apart from another.
    """
    apart = _apart([one.player_id for one in wishes])
    left, groups, passed = list(wishes), [], []
    while left:
        first, *others = left
        together, ids = [first], {first.pk}
        queue, language = first.queue_id, first.language
        kept_out = apart[first.pk]
        for one in others:
            if len(together) == size:
                break
            fits = (one.queue_id or queue or 0) == (queue or one.queue_id or 0)
            fits = fits and (one.language or language) == (language or one.language)
            if fits and one.pk not in kept_out:
                together.append(one)
                ids.add(one.pk)
                queue, language = queue or one.queue_id, language or one.language
                kept_out = kept_out | apart[one.pk]
        if len(together) == size:
            groups.append(together)
            left = [one for one in others if one.pk not in ids]
        else:
            passed.append(first)
            left = others
    return groups, passed


def _apart(player_ids: Collection[int]) -> defaultdict[int, set[int]]:
    """By player, those with whom it does not come together: one blocks or avoids the other. Two queries."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in kept_apart(player_ids, player_ids):
        found[one].add(other)
    return found


def _make(game_id: int, wishes: Sequence[DrawWish], rules: GroupRules, now: datetime) -> None:
    players = [one.player_id for one in wishes]
    group = Group.objects.create(
        game_id=game_id,
        owner_id=players[0],
        access=Access.NOBODY,
        most=max(rules.draw_size, len(players)),
        is_drawn=True,
        ends_at=now + timedelta(days=rules.draw_days),
        created_at=now,
    )
    Membership.objects.bulk_create(
        Membership(group=group, player_id=pk, place=place, most=group.most, joined_at=now)
        for place, pk in enumerate(players)
    )
    DrawWish.objects.filter(player__in=players).delete()
    tell(Kind.GROUP_DRAWN, group.pk, players)
    tell_drawn(group, players)
