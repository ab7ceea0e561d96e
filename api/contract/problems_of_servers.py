"""How game servers, and what they tell, are refused: code, status, title, and why it comes and what helps."""

from http import HTTPStatus

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

__all__ = ["OF_SERVERS"]

Words = str | Promise

OF_SERVERS: list[tuple[str, HTTPStatus, Words, Words]] = [
    ("unknown_server", HTTPStatus.NOT_FOUND, _("No such game server"),
     _("The game has no server of this short name; `detail` names those it has. `PUT /servers/{server}` makes one.")),
    ("not_rated_by_events", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not rated by events"),
     _("The ladder takes results of matches. Game servers tell events on ladders that were made with "
       "`rated_by` `events`.")),
    ("rated_by_events", HTTPStatus.CONFLICT, _("Rated by events"),
     _("Matches of this ladder come from game servers alone, event by event: nobody else begins, reports, decides or "
       "corrects one. Servers send `POST /servers/{server}/events`.")),
    ("wrong_event", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not an event"),
     _("The event is not one, or does not fit its match; `field` names what is wrong. Send it again under the same "
       "number once it is mended: those behind it wait for it.")),
    ("event_differs", HTTPStatus.CONFLICT, _("Another event has this number"),
     _("The match has an event of this number that tells something else. What was stored first stays. Numbers count "
       "from 1 in each match, and each stands for one event.")),
    ("event_given_up", HTTPStatus.CONFLICT, _("The event came too late"),
     _("It was missing for so long that those behind it count without it. Go on with the next one.")),
    ("match_over", HTTPStatus.CONFLICT, _("The match is over"),
     _("It has ended, by its event `end` or because its server told nothing for long. What goes on is another match, "
       "with a name of its own.")),
]  # fmt: skip
