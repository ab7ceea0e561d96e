"""Small helpers of the public pages, and how many decimals a sum needs so that a reader who adds it up comes to it."""

from collections.abc import Sequence

from django import template
from django.template.defaultfilters import floatformat
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import figure, ordinal, whole
from foundation.templatetags.names import all_called, isolated, shown_name
from leaderboards.matches.detail import Calculation
from leaderboards.matches.lists import PlayerLine
from leaderboards.own import OwnStanding, standings_of
from matchmaking.pages.ongoing import Ongoing
from ratings.ledger.contributions import Contribution
from ratings.matches.summary import Team
from ratings.models import Ladder, Outcome, RatingTrack, Status
from ratings.systems import declaration_of
from ratings.wording import span_in_words, system_name

__all__ = ["decimals_of_product", "decimals_of_sum"]

register = template.Library()
_MOST = 2  # more decimals than usual


@register.filter
def decimals(track: RatingTrack | None) -> int:
    """Decimals in which ratings of a track are shown; 0 without a track."""
    return track.decimals if track else 0


@register.simple_tag
def own_standings(ongoing: Ongoing) -> list[OwnStanding]:
    """Where the visitor's players stand; nothing is read for who has none."""
    return standings_of([player.id for player in ongoing.players], ongoing.now)


@register.filter
def on_ladder(standings: Sequence[OwnStanding], ladder: Ladder) -> OwnStanding | None:
    """The standing on one ladder, if there is one."""
    return next((one for one in standings if one.ladder.pk == ladder.pk), None)


@register.filter
def more_decimals(contribution: Contribution, decimals: int) -> int:
    """How many more decimals the formula of a contribution needs to come to its points as they are shown."""
    return decimals_of_product(
        contribution.weight,
        contribution.actual,
        contribution.expected,
        contribution.points,
        decimals=decimals,
    )


@register.filter
def at_most_decimals(value: float, decimals: int) -> str:
    """A figure with so many decimals, or none where it is whole."""
    return figure(value, 0 if float(value).is_integer() else decimals)


@register.filter
def column_decimals(calculation: Calculation) -> int:
    """Decimals in which the games of a period add up to its change. Where some are not shown nobody can add."""
    if calculation.hidden_games:
        return 2
    return decimals_of_sum(
        [game.contribution.points for game in calculation.games], calculation.total
    )


@register.filter
def in_days(days: float) -> str:
    """A length of time: "30 days", "0.5 days"."""
    text = ngettext("%(number)s day", "%(number)s days", 1 if days == 1 else 2)
    return text % {"number": floatformat(days, "-2")}


register.filter("whole", whole)


register.filter("span", span_in_words)


register.filter("system_name", system_name)


@register.filter
def expected_of_two(track: RatingTrack) -> str:
    """What the expected score of a match of two sides means, by the system that rates it."""
    return _(declaration_of(track.system).expected_of_two)


@register.filter
def expected_of_many(track: RatingTrack) -> str:
    """What the expected score of a match of more than two sides means."""
    return _(declaration_of(track.system).expected_of_many)


@register.filter
def score(value: float) -> str:
    """A score: whole numbers without decimals."""
    return at_most_decimals(value, 1)


@register.filter
def points(team: Team) -> str:
    """What a result is worth: 1, ½ or 0."""
    return {Outcome.WON: "1", Outcome.DRAWN: "½", Outcome.LOST: "0", None: "–"}[team.outcome]


@register.filter
def outcome_letter(team: Team) -> str:
    """One letter for a result."""
    letters = {Outcome.WON: _("W"), Outcome.DRAWN: _("D"), Outcome.LOST: _("L"), None: "–"}
    return letters[team.outcome]


@register.filter
def outcome_word(team: Team) -> str:
    """A result in a word."""
    words = {Outcome.WON: _("won"), Outcome.DRAWN: _("drew"), Outcome.LOST: _("lost")}
    return words[team.outcome] if team.outcome else _("no result")


@register.filter
def outcome_style(team: Team) -> str:
    """The end of a CSS class for a result."""
    return {Outcome.WON: "win", Outcome.DRAWN: "draw", Outcome.LOST: "loss", None: "none"}[
        team.outcome
    ]


@register.filter
def place_in_list(line: PlayerLine) -> str:
    """Where a player finished among more than two sides: "2nd of 4"."""
    words = {"place": ordinal(line.place or 0), "of": len(line.summary.teams)}
    if line.own.is_place_shared:
        return _("tied for %(place)s of %(of)s") % words
    return _("%(place)s of %(of)s") % words


@register.filter
def names(team: Team) -> str:
    """Names of team mates, as plain text; of a partner of the game its own."""
    own = [team.partner] if team.partner else [one.player.name for one in team.members]
    return ", ".join(map(shown_name, own))


@register.filter
def named(team: Team) -> SafeString:
    """The same on a page."""
    return (
        isolated(team.partner) if team.partner else all_called(one.player for one in team.members)
    )


@register.filter
def status_kind(status: int) -> str:
    """The kind of badge for a rating's status."""
    kinds = {Status.NEW: "new", Status.PROVISIONAL: "provisional"}
    return kinds.get(Status(status), "established")


def decimals_of_product(
    weight: float, actual: float, expected: float, change: float, *, decimals: int
) -> int:
    """How many more decimals than usual make weight × (actual − expected) come to the change as it is shown.

    Usual are `decimals` for the weight, as for the change, and two for what was scored and expected.
    """
    shown = round(change, decimals)
    for more in range(_MOST):
        difference = round(actual, 2 + more) - round(expected, 2 + more)
        product = round(weight, decimals + more) * difference
        if round(product, decimals) == shown:
            return more
    return _MOST


def decimals_of_sum(parts: Sequence[float], total: float, *, least: int = 2) -> int:
    """With how many decimals the parts add up to the total, each rounded by itself; at most two more than `least`."""
    for decimals in range(least, least + _MOST):
        added = sum(round(part, decimals) for part in parts)
        if round(added, decimals) == round(total, decimals):
            return decimals
    return least + _MOST
