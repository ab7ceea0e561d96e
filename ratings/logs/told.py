"""Events of logs as the ratings take them: whom they mean, and what a frag between two of one team is.

SQL in parts, so that whatever is counted of events is counted there.
"""

from ratings.merging.meant import MEANT
from ratings.models import EventKind

__all__ = ["KINDS", "told"]

# Values for the statements.
KINDS = {
    "join": EventKind.JOIN.value,
    "leave": EventKind.LEAVE.value,
    "frag": EventKind.FRAG.value,
    "suicide": EventKind.SUICIDE.value,
    "team_kill": EventKind.TEAM_KILL.value,
}
_MEANT = MEANT.format(at="match.played_at")
# Who was on which team when something happened: each joining or leaving begins a stretch on one team, and a frag
# between two of one team kills a mate, as `ratings.systems.frags.Frag` says. A fall is a suicide.
_TOLD = """
event_of AS MATERIALIZED (
    SELECT event.log_id AS log, event.number, event.kind, event.at, event.detail, event.weight, event.counts,
           event.guest, event.guest_victim, event.player_id AS named, event.victim_id AS named_victim,
           (SELECT {meant} FROM ratings_player AS named WHERE named.id = event.player_id) AS player,
           (SELECT {meant} FROM ratings_player AS named WHERE named.id = event.victim_id) AS victim
    FROM ratings_logevent AS event JOIN ratings_match AS match ON match.id = event.log_id
    WHERE {chosen}
), role AS (
    SELECT log, number, player, CASE kind WHEN %(join)s THEN detail WHEN %(leave)s THEN '' END AS moved_to
    FROM event_of WHERE player IS NOT NULL
    UNION ALL
    SELECT log, number, victim, NULL FROM event_of WHERE victim IS NOT NULL AND victim IS DISTINCT FROM player
), stay AS (
    SELECT log, number, player, moved_to,
           count(moved_to) OVER (PARTITION BY log, player ORDER BY number) AS stretch
    FROM role
), place AS (
    SELECT log, number, player, max(moved_to) OVER (PARTITION BY log, player, stretch) AS team FROM stay
), told AS MATERIALIZED (
    SELECT event_of.*,
           CASE WHEN kind = %(frag)s AND (event_of.player = victim OR event_of.player IS NULL AND guest = '')
                THEN %(suicide)s
                WHEN kind = %(frag)s AND own.team <> '' AND own.team = other.team THEN %(team_kill)s
                ELSE kind END AS act
    FROM event_of
    LEFT JOIN place AS own
        ON own.log = event_of.log AND own.number = event_of.number AND own.player = event_of.player
    LEFT JOIN place AS other
        ON other.log = event_of.log AND other.number = event_of.number AND other.player = event_of.victim
)
"""


def told(chosen: str) -> str:
    """The parts of a WITH that end in `told`: events with their `act`, what they are taken as.

    `chosen` is the condition on `event`, in SQL; all that tells of joining and leaving must be within it. Give `KINDS`
    with the values of the statement. Who was merged is `player` and `victim` as whom it counts for, and `named` and
    `named_victim` as the server has named it.
    """
    return _TOLD.format(meant=_MEANT.strip(), chosen=chosen)
