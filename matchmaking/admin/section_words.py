"""What an operator reads of the sections of a queue's settings: their names, and what each does."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

__all__ = ["SENTENCES", "STRATEGY_HELP", "TITLES"]

TITLES = {
    "exchange": _("Quality against wait"),
    "chance": _("Chance to win"),
    "language": _("Language"),
    "region": _("Region and latency"),
    "style": _("Style of play"),
    "rules": _("Optional rules"),
    "rematch": _("No rematch"),
    "avoided": _("Block lists"),
    "conduct": _("Conduct"),
    "teams": _("Teams"),
    "maps": _("Maps and sides"),
    "buckets": pgettext_lazy("strategy", "Buckets"),
    "bootstrap": _("A new pool"),
}

SENTENCES = {
    "exchange": _(
        "Who waits long may take a worse match. Here it says how much worse, and the preview shows what comes of it."
    ),
    "chance": _(
        "How sure the winner may be, by the ladder's own rating system. It knows of uncertain ratings and of sides."
    ),
    "language": _(
        "Whether players need a language in common. Who names none speaks with everyone."
    ),
    "region": _("Whether players need a region in common, and how long messages may take to it."),
    "style": _("Whether players want the same style of play. Who names none plays with everyone."),
    "rules": _("Whether players want the same optional rules. Who names none takes any."),
    "rematch": _("Whether two players may meet again right after their last match."),
    "avoided": _(
        "Whether players can be matched with those they have blocked. Nobody else sees these "
        "lists, not even you."
    ),
    "conduct": _(
        "Players with a high conduct score meet each other first, and everyone after some time."
    ),
    "teams": _("How matches of more than two players are put together, and who needs which role."),
    "maps": _(
        "What is played on. Who does not know a map counts as weaker there. On ranked ladders the weaker side gets the "
        "better place; in normal mode a lot decides, so that it tells nothing."
    ),
    "buckets": _(
        "What players have in common, from much to little. A search enters one level after the other and stays in all."
    ),
    "bootstrap": _(
        "While hardly anybody is established ratings say little, so everybody should meet everybody."
    ),
}

STRATEGY_HELP = _(
    "Filters: each player accepts more with every second, and the best matches are found among those who accept each "
    "other. Buckets: players of the same kind first, then of fewer things in common. First come, first served: the "
    "shortest waits, whoever it is."
)
