"""What waiting tickets ask for, as traits. Only what the queue looks at is read.

Words become bits: each sweep numbers those that its tickets name, the weightiest first, of equal ones that of the
oldest ticket. A ticket lends one of its n words the nth part of its weight: who names many says little by each, and a
few tickets full of invented words do not push out the one word of somebody else. Of more than 62 different ones the
lightest share the last bit where the condition is a wish: they count as one word. Where it must hold, they count for
nothing, and whoever names no other waits until there are fewer: else enough invented words would bring together who
has nothing in common.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from foundation.postgresql.bulk import Column, fetch_columns, real, whole
from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import BUILT_IN
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.preference import PreferenceKind
from matchmaking.pairing.settings import Settings
from ratings.systems.arrays import Bools, Ints

__all__ = ["BITS", "Traits", "read_traits", "roles_of"]

BITS = 62
_WAITING = """
FROM matchmaking_ticket AS ticket
WHERE ticket.queue_id = %(queue)s AND ticket.state = 'waiting' AND ticket.seen_at >= %(seen_since)s
  AND ticket.wishes <> '{}'
"""
# Of whole numbers, so that sums do not depend on the order in which they are made.
_WEIGHT, _ORDER = (
    "1000000 / count(*) OVER (PARTITION BY ticket.id)",
    "ORDER BY sum(weight) DESC, min(id), word",
)
# Lists that share their words, as the styles in which somebody plays and those that somebody wants.
_WORDS = f"""
(
    WITH ticket AS MATERIALIZED (SELECT ticket.id, ticket.wishes {_WAITING}),
    named AS MATERIALIZED (
        SELECT ticket.id, list.ordinality AS list, entry.word, {_WEIGHT} AS weight
        FROM ticket CROSS JOIN unnest(%(lists)s::text[]) WITH ORDINALITY AS list (name, ordinality)
        CROSS JOIN LATERAL jsonb_array_elements_text(ticket.wishes -> list.name) AS entry (word)
    ), vocabulary AS (
        SELECT word, row_number() OVER ({_ORDER}) - 1 AS bit FROM named GROUP BY word
    )
    SELECT id, list, bit FROM named JOIN vocabulary USING (word)
) AS found
"""  # noqa: S608 - constants
_MAPS = f"""
(
    WITH ticket AS MATERIALIZED (SELECT ticket.id, ticket.wishes {_WAITING})
    SELECT ticket.id, list.ordinality AS list, map.ordinality - 1 AS bit
    FROM ticket CROSS JOIN unnest(%(lists)s::text[]) WITH ORDINALITY AS list (name, ordinality)
    CROSS JOIN LATERAL jsonb_array_elements_text(ticket.wishes #> ARRAY['maps', list.name]) AS entry (word)
    JOIN unnest(%(maps)s::text[]) WITH ORDINALITY AS map (name, ordinality) ON map.name = entry.word
) AS found
"""  # noqa: S608
_LATENCIES = f"""
(
    WITH ticket AS MATERIALIZED (SELECT ticket.id, ticket.wishes {_WAITING}),
    named AS MATERIALIZED (
        SELECT ticket.id, region.name AS word, region.latency::float8, {_WEIGHT} AS weight
        FROM ticket CROSS JOIN LATERAL jsonb_each_text(ticket.wishes -> %(name)s::text) AS region (name, latency)
    ), vocabulary AS (
        SELECT word, row_number() OVER ({_ORDER}) - 1 AS bit FROM named GROUP BY word
    )
    SELECT id, bit, coalesce(latency, 'NaN') AS latency FROM named JOIN vocabulary USING (word)
) AS found
"""  # noqa: S608
_OWN = f"""
(
    WITH ticket AS MATERIALIZED (SELECT ticket.id, ticket.wishes {_WAITING})
    SELECT ticket.id, array_position(%(names)s::text[], own.name) AS name, own.value::float8
    FROM ticket CROSS JOIN LATERAL jsonb_each_text(ticket.wishes -> 'own') AS own (name, value)
    WHERE own.name = ANY(%(names)s::text[])
) AS found
"""  # noqa: S608
_BITS = {"ticket": whole("found.id"), "list": whole("found.list"), "bit": whole("found.bit")}

Traits = dict[str, Column]
_OF_WORDS = (PreferenceKind.WORDS, PreferenceKind.LANGUAGES, PreferenceKind.LATENCIES)


def read_traits(plan: Plan, given: Mapping[str, Any], ids: Ints) -> tuple[Traits, Bools]:
    """The traits that the plan looks at, for the tickets `ids` in that order, and who has to wait: of too many words.

    `given` names queue and moment.
    """
    settings, found = plan.settings, Traits()
    positions = _Positions(ids)
    for condition in BUILT_IN:
        if not (condition.preferences and settings.uses(condition)):
            continue
        kinds: dict[PreferenceKind, list[str]] = {}
        for preference in condition.preferences:
            kinds.setdefault(preference.kind, []).append(preference.name)
        positions.are_strict = not kinds.keys().isdisjoint(_OF_WORDS) and _must_hold(
            condition, settings
        )
        if words := [
            *kinds.get(PreferenceKind.WORDS, ()),
            *kinds.get(PreferenceKind.LANGUAGES, ()),
        ]:
            rows = fetch_columns(_BITS, _WORDS, {**given, "lists": words})
            found |= _sets(words, rows, positions)
        for name in kinds.get(PreferenceKind.LATENCIES, ()):
            found |= _latencies(name, given, positions)
        positions.are_strict = False
        if PreferenceKind.MAPS in kinds:
            maps = [one.name for one in settings.game_maps]
            rows = fetch_columns(_BITS, _MAPS, {**given, "lists": ["veto", "like"], "maps": maps})
            found |= _sets(["maps_vetoed", "maps_liked"], rows, positions)
    if own := sorted({name for condition in plan.extra for name in condition.reads}):
        found |= _own(own, given, positions)
    return found, positions.unclear


def _must_hold(condition: type[Condition], settings: Settings) -> bool:
    """Whether two never meet who have no word in common: by its use, or as buckets are divided by it."""
    section: Any = settings.of(condition)
    divides = settings.strategy == "buckets" and any(
        section.name in level.by for level in settings.levels
    )
    return divides or getattr(section, "use", None) == Use.MUST


def roles_of(settings: Settings, members: Ints) -> Ints:
    """Roles as bits, by their position in the settings, for the members `members` in that order."""
    source = """
    matchmaking_ticketmember AS member CROSS JOIN LATERAL jsonb_array_elements_text(member.roles) AS entry (word)
    JOIN unnest(%(names)s::text[]) WITH ORDINALITY AS role (name, ordinality) ON role.name = entry.word
    WHERE member.id = ANY(%(members)s::bigint[])
    """
    columns = {"member": whole("member.id"), "bit": whole("role.ordinality - 1")}
    given = {"names": list(settings.roles), "members": members.tolist()}
    found = fetch_columns(columns, source, given)
    positions = _Positions(members)
    return positions.bits(found["member"], found["bit"])


class _Positions:
    """Where each id stands; ids that are not there are left out.

    are_strict  whether words without a bit of their own count for nothing; else they share the last
    unclear     who has named words, and none that counts
    """

    def __init__(self, ids: Ints) -> None:
        self._order = np.argsort(ids)
        self._sorted = ids[self._order]
        self.are_strict = False
        self.unclear = np.zeros(len(ids), dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._sorted)

    def find(self, ids: Ints) -> tuple[Ints, Column]:
        """Positions of those that are there, and which of the rows these are."""
        at = np.searchsorted(self._sorted, ids)
        known = self._sorted.take(at, mode="clip") == ids if len(self) else np.zeros(len(ids), bool)
        return self._order[at[known]], known

    def bits(self, ids: Ints, bit: Ints) -> Ints:
        """Sets of each, as bits."""
        sets = np.zeros(len(self), dtype=np.int64)
        position, known = self.find(ids)
        bit = bit[known]
        counts = bit < BITS if self.are_strict else np.ones(len(bit), dtype=np.bool_)
        np.bitwise_or.at(sets, position[counts], np.int64(1) << np.minimum(bit[counts], BITS - 1))
        self.unclear[position] |= sets[position] == 0
        return sets


def _sets(traits: list[str], found: Traits, positions: _Positions) -> Traits:
    """One trait of bits for each list, named in their order."""
    rows = {trait: found["list"] == number for number, trait in enumerate(traits, start=1)}
    return {
        trait: positions.bits(found["ticket"][chosen], found["bit"][chosen])
        for trait, chosen in rows.items()
    }


def _latencies(name: str, given: Mapping[str, Any], positions: _Positions) -> Traits:
    """Whoever names none plays anywhere, at latencies that nobody has measured."""
    columns = {
        "ticket": whole("found.id"),
        "bit": whole("found.bit"),
        "latency": real("found.latency"),
    }
    found = fetch_columns(columns, _LATENCIES, {**given, "name": name})
    sets = positions.bits(found["ticket"], found["bit"])
    if positions.are_strict:
        counts = found["bit"] < BITS
        found = {column: values[counts] for column, values in found.items()}
    at, known = positions.find(found["ticket"])
    region = np.minimum(found["bit"][known], BITS - 1)
    latency = np.full((len(positions), int(region.max(initial=-1)) + 1), np.nan)
    latency[at] = np.inf
    measured = np.nan_to_num(found["latency"][known], nan=-1.0)
    np.minimum.at(latency, (at, region), measured)
    latency[latency < 0] = np.nan
    return {name: sets, "latency": latency}


def _own(names: list[str], given: Mapping[str, Any], positions: _Positions) -> Traits:
    """The numbers that the game's own conditions read; nan where a ticket has none, no trait where none has."""
    columns = {
        "ticket": whole("found.id"),
        "name": whole("found.name"),
        "value": real("found.value"),
    }
    found = fetch_columns(columns, _OWN, {**given, "names": names})
    traits: Traits = {}
    for number in np.unique(found["name"]):
        chosen = found["name"] == number
        at, known = positions.find(found["ticket"][chosen])
        column = traits[f"own.{names[number - 1]}"] = np.full(len(positions), np.nan)
        column[at] = found["value"][chosen][known]
    return traits
