"""Telling players something: in the transaction in which it happens, two statements for however many players.

    tell("challenge.made", [player.pk], about=f"challenge:{challenge.pk}", data={"by": other.pk})

A merged player's notices go to who it is now, deleted ones are told nothing. Mails and push are rows of their own that
tasks send after the commit.

What a player sends others unasked (`sender` of its kind) is mailed and pushed so many times an hour to one receiver,
and so many from all players together, whom it does not know; what goes beyond stands on the site alone.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from accounts.mail import is_configured
from events.kinds import Kind
from events.live import Message, broadcast_all
from foundation import clock
from foundation.postgresql.transactions import after_commit
from foundation.wakeups import wake
from notifications.kinds import NoticeKind, kind_named
from notifications.models import Way
from notifications.quiet import quiet_until

__all__ = ["COUNTED_FOR", "mark_done", "take_back", "tell", "tie_with"]

COUNTED_FOR = timedelta(hours=1)  # the limit of mails and pushes that a player causes

_MEANT = """
SELECT player.id, player.game_id, account.id,
       (SELECT json_object_agg(choice.way, choice.wanted) FROM notifications_choice AS choice
        WHERE choice.player_id = player.id AND choice."group" = %(group)s),
       quiet.begins, quiet.ends, quiet.zone,
       account.id IS NOT NULL AND EXISTS (
           SELECT FROM account_emailaddress AS address WHERE address.user_id = account.id AND address.verified
       ),
       EXISTS (
           SELECT FROM notifications_pushsubscription AS browser
           WHERE browser.account_id = account.id AND (browser.player_id IS NULL OR browser.player_id = player.id)
       )
FROM (
    SELECT DISTINCT coalesce(named.merged_into_id, named.id) AS id FROM ratings_player AS named
    WHERE named.id = ANY(%(players)s::bigint[])
) AS meant
JOIN ratings_player AS player ON player.id = meant.id
LEFT JOIN accounts_user AS account ON account.id = player.user_id AND account.is_active
LEFT JOIN notifications_quiethours AS quiet ON quiet.player_id = player.id
WHERE player.kind = 'person' AND player.external_id !~ '^deleted-[0-9]+(-[0-9]+)?$'
ORDER BY player.id
"""
_GIVEN = """
    SELECT * FROM unnest(%(players)s::bigint[], %(sites)s::boolean[], %(mails)s::timestamptz[],
                         %(pushes)s::timestamptz[]) AS given (player, on_site, mail_at, push_at)
"""
# Whoever has had as many as may be reads it on the site, else it would be lost. Those of the same moment are not seen.
# Whom the receiver knows strangers cannot keep out, and whom it has blocked meanwhile count no more.
_GIVEN_BY_A_PLAYER = f"""
    SELECT player, on_site OR NOT goes_out AS on_site, CASE WHEN goes_out THEN mail_at END AS mail_at,
           CASE WHEN goes_out THEN push_at END AS push_at
    FROM ({_GIVEN}) AS wanted, LATERAL (
        SELECT (
                   {{sender_is_known}}
                   OR count(*) FILTER (WHERE NOT {{is_known}} AND NOT {{is_blocked}}) < %(from_all)s
               ) AND count(*) FILTER (WHERE sent.sender_id = %(sender)s) < %(from_one)s AS goes_out
        FROM notifications_sent AS sent
        WHERE sent.receiver_id = wanted.player AND sent.at > %(since)s::timestamptz AND sent.at <= %(now)s::timestamptz
    ) AS counted
"""  # noqa: S608
_WRITE = """
WITH given AS ({given}), told AS (
    INSERT INTO notifications_notice (player_id, kind, about, data, on_site, created_at)
    SELECT player, %(kind)s, %(about)s, %(data)s::jsonb, on_site, %(now)s::timestamptz FROM given ORDER BY player
    ON CONFLICT (player_id, kind, about) WHERE NOT (about = '') DO NOTHING
    RETURNING id, player_id
), mailed AS (
    INSERT INTO notifications_delivery (notice_id, way, due_at, until)
    SELECT told.id, 'mail', given.mail_at, %(until)s::timestamptz
    FROM told JOIN given ON given.player = told.player_id WHERE given.mail_at IS NOT NULL
), pushed AS (
    INSERT INTO notifications_delivery (notice_id, way, subscription_id, due_at, until)
    SELECT told.id, 'push', browser.id, given.push_at, %(until)s::timestamptz
    FROM told JOIN given ON given.player = told.player_id
    JOIN ratings_player AS player ON player.id = told.player_id
    JOIN notifications_pushsubscription AS browser
        ON browser.account_id = player.user_id AND (browser.player_id IS NULL OR browser.player_id = player.id)
    WHERE given.push_at IS NOT NULL
){counted}
SELECT told.player_id, told.id FROM told ORDER BY told.player_id
"""
_COUNTED = """, counted AS (
    INSERT INTO notifications_sent (receiver_id, sender_id, at)
    SELECT told.player_id, %(sender)s, %(now)s::timestamptz FROM told JOIN given ON given.player = told.player_id
    WHERE given.mail_at IS NOT NULL OR given.push_at IS NOT NULL
)"""
_WRITE_OF_THE_SITE = _WRITE.format(given=_GIVEN, counted="")
# How players know each other, as SQL with {receiver} and {sender}: see `tie_with`.
_ties = {"known": "false", "blocked": "false"}


def tie_with(*, known: str, blocked: str) -> None:
    """Let the app that knows how players stand to each other say, in SQL with places for a {receiver} and a {sender},
    whether the one knows the other, and whether it blocks it. Called from an app's `ready()`.
    """
    _ties.update(known=known, blocked=blocked)


def _write_of_a_player() -> str:
    row = {"receiver": "wanted.player", "sender": "sent.sender_id"}
    given = _GIVEN_BY_A_PLAYER.format(
        sender_is_known=_ties["known"].format(receiver="wanted.player", sender="%(sender)s"),
        is_known=_ties["known"].format(**row),
        is_blocked=_ties["blocked"].format(**row),
    )
    return _WRITE.format(given=given, counted=_COUNTED)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Who is told, and by which ways: a moment each, None where that way is not taken."""

    player: int
    game: int
    on_site: bool
    mail_at: datetime | None
    push_at: datetime | None

    @property
    def is_told(self) -> bool:
        """Whether any way is left."""
        return self.on_site or self.mail_at is not None or self.push_at is not None


def tell(
    kind: str,
    players: Iterable[int],
    *,
    about: str = "",
    data: Mapping[str, Any] | None = None,
    now: datetime | None = None,
) -> int:
    """Tell these players, by their ids, as each of them has chosen; returns how many notices were made.

    kind   code of a registered kind (`notifications.kinds`)
    about  what it is about, as "challenge:17": a player is told of it once, however often this is called. Empty: always
    data   numbers and texts for the words; players by their ids, never by name

    Raises ValueError for a kind that nobody has registered, TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(f"notice {kind} told outside a transaction")
    known = kind_named(kind)
    if known is None:
        raise ValueError(f"no kind of notice is called {kind!r}: register it in `ready()`")
    now = now or clock.now()
    readers = [one for one in _readers(known, players, now) if one.is_told]
    if not readers:
        return 0
    data = dict(data or {})
    given: dict[str, Any] = {
        "players": [one.player for one in readers],
        "sites": [one.on_site for one in readers],
        "mails": [one.mail_at for one in readers],
        "pushes": [one.push_at for one in readers],
        "kind": kind,
        "about": about,
        "data": json.dumps(data),
        "until": now + known.lasts if known.lasts else None,
        "now": now,
    }
    statement = _WRITE_OF_THE_SITE
    if (sender := data.get(known.sender)) is not None:
        statement = _write_of_a_player()
        limits = {"from_one": settings.NOTICES_FROM_ONE, "from_all": settings.NOTICES_FROM_ALL}
        given |= {"sender": sender, "since": now - COUNTED_FOR, **limits}
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        told = dict(cursor.fetchall())
    _wake(readers, told)
    return len(told)


def take_back(kind: str, about: str, *, players: Iterable[int] | None = None) -> int:
    """Take back what nobody needs to read any more, as a challenge that was withdrawn; returns how many notices went.

    What was read, mailed or pushed already cannot be taken back; the notice goes.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH those AS (
                SELECT notice.id, notice.player_id, player.game_id
                FROM notifications_notice AS notice JOIN ratings_player AS player ON player.id = notice.player_id
                WHERE notice.kind = %s AND about = %s AND about <> ''
                  AND (%s::bigint[] IS NULL OR notice.player_id = ANY(%s::bigint[]))
                ORDER BY notice.id FOR UPDATE OF notice
            ), unsent AS (
                DELETE FROM notifications_delivery AS unsent USING those WHERE unsent.notice_id = those.id
            )
            DELETE FROM notifications_notice AS notice USING those WHERE notice.id = those.id
            RETURNING those.player_id, those.game_id
            """,
            [kind, about, *[None if players is None else list(players)] * 2],
        )
        gone = cursor.fetchall()
    broadcast_all(_message(player, game) for player, game in sorted(gone))
    return len(gone)


def mark_done(kinds: Collection[str], about: str, players: Collection[int]) -> int:
    """Mark as read what these players were told about a matter that is over; returns how many notices were unread.

    Mails and push of them that wait are not sent any more.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH those AS (
                SELECT notice.id, notice.player_id, player.game_id
                FROM notifications_notice AS notice JOIN ratings_player AS player ON player.id = notice.player_id
                WHERE notice.player_id = ANY(%s::bigint[]) AND notice.kind = ANY(%s::text[]) AND about = %s
                  AND about <> '' AND read_at IS NULL
                ORDER BY notice.id FOR NO KEY UPDATE OF notice
            ), unsent AS (
                DELETE FROM notifications_delivery AS unsent USING those WHERE unsent.notice_id = those.id
            )
            UPDATE notifications_notice AS notice SET read_at = greatest(%s::timestamptz, notice.created_at)
            FROM those WHERE notice.id = those.id
            RETURNING those.player_id, those.game_id
            """,
            [list(players), list(kinds), about, clock.now()],
        )
        done = cursor.fetchall()
    broadcast_all(_message(player, game) for player, game in sorted(set(done)))
    return len(done)


def _readers(kind: NoticeKind, players: Iterable[int], now: datetime) -> list[_Reader]:
    with connection.cursor() as cursor:
        cursor.execute(_MEANT, {"players": list(players), "group": kind.group.value})
        return [_reader(kind, row, now) for row in cursor.fetchall()]


def _reader(kind: NoticeKind, row: tuple[Any, ...], now: datetime) -> _Reader:
    player, game, _account, choices, begins, ends, zone, has_mail, has_push = row
    wants = {way: (choices or {}).get(way.value, way in kind.ways) for way in Way}
    due = _due(kind, begins, ends, zone, now)
    mails = wants[Way.MAIL] and has_mail and is_configured()
    return _Reader(
        player,
        game,
        wants[Way.SITE],
        due if mails else None,
        due if wants[Way.PUSH] and has_push else None,
    )


def _due(
    kind: NoticeKind, begins: time | None, ends: time | None, zone: str, now: datetime
) -> datetime | None:
    """When a mail or push may go out; None where it would be of no use by then."""
    if begins is None or ends is None:
        return now
    until = quiet_until(begins, ends, zone, now)
    if until is None:
        return now
    return until if kind.lasts is None else None


def _wake(readers: Iterable[_Reader], told: Mapping[int, int]) -> None:
    of_told = [one for one in readers if one.player in told]
    broadcast_all(_message(one.player, one.game, told[one.player]) for one in of_told)
    if any(one.mail_at for one in of_told):
        after_commit(wake, "notifications.send_mails")
    if any(one.push_at for one in of_told):
        after_commit(wake, "notifications.send_pushes")


def _message(player: int, game: int, notice: int | None = None) -> Message:
    topics = (f"player:{player}", f"searches:{game}")
    ids = {"player": player} if notice is None else {"player": player, "notice": notice}
    return Message(topics, str(Kind.NOTICE_MADE if notice else Kind.NOTICE_CHANGED), ids)
