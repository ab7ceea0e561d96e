"""Examples for the description of the API: what to send, what comes back, and where that leads. Tests hold them so.

They tell one story: Ann and Ben, a party, search for a match of two against two, and win it against Cy and Dee.
"""

from api.schema.examples import (
    admin,
    alerts,
    behaviour,
    challenges,
    clans,
    conduct,
    feedback,
    groups,
    matches,
    moderation,
    notices,
    parties,
    partners,
    people,
    public,
    queues,
    rooms,
    rounds,
    servers,
    statistics,
    talk,
    tickets,
)
from api.schema.examples.example import Example
from api.schema.examples.links import LINKS

__all__ = ["EXAMPLES", "LINKS"]

# By the operation's id in the description.
EXAMPLES: dict[str, Example] = {
    **public.EXAMPLES,
    **queues.EXAMPLES,
    **rounds.EXAMPLES,
    **tickets.EXAMPLES,
    **conduct.EXAMPLES,
    **parties.EXAMPLES,
    **partners.EXAMPLES,
    **feedback.EXAMPLES,
    **behaviour.EXAMPLES,
    **people.EXAMPLES,
    **rooms.EXAMPLES,
    **clans.EXAMPLES,
    **groups.EXAMPLES,
    **challenges.EXAMPLES,
    **notices.EXAMPLES,
    **alerts.EXAMPLES,
    **matches.EXAMPLES,
    **servers.EXAMPLES,
    **statistics.EXAMPLES,
    **talk.EXAMPLES,
    **admin.EXAMPLES,
    **moderation.EXAMPLES,
}
