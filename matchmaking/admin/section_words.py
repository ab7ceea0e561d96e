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
        "Players who wait long may get a worse match. This says how much worse; the "
        "preview shows the effect."
    ),
    "chance": _(
        "How predictable the winner may be, by the ladder's own rating system. It "
        "takes uncertain ratings and sides into account."
    ),
    "language": _(
        "Whether players need a language in common. Players who choose none can meet anyone."
    ),
    "region": _("Whether players need a region in common, and how high the latency to it may be."),
    "style": _(
        "Whether players want the same style of play. Players who choose none can meet anyone."
    ),
    "rules": _("Whether players want the same optional rules. Players who choose none accept any."),
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
        "What is played on. Players who don't know a map count as weaker there. On "
        "ranked ladders the weaker team gets the better side; in normal mode sides "
        "are drawn by lot, so that they give nothing away."
    ),
    "buckets": _(
        "What players have in common, from most to least. A search enters one level "
        "after another and stays in all of them."
    ),
    "bootstrap": _(
        "While hardly anyone is established, ratings say little, so everyone should meet everyone."
    ),
}

STRATEGY_HELP = _(
    "Filters: each player accepts more with every second, and the best matches "
    "are found among those who accept each other. Buckets: players of the same "
    "kind first, then those with less in common. First come, first served: the "
    "shortest waits, whoever the opponents are."
)
