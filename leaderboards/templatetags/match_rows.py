"""Rows of tables of matches, made in one go: a page has many of them, and a template takes its time for each cell."""

from collections.abc import Iterable

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from foundation.templatetags.components import page_of, points, rating, you
from foundation.templatetags.display import figure, ordinal, signed, timed, whole
from foundation.templatetags.names import called, supplied
from leaderboards.matches.detail import OtherGame
from leaderboards.matches.lists import PlayerLine
from leaderboards.templatetags.leaderboards import (
    at_most_decimals,
    decimals,
    outcome_letter,
    outcome_style,
    outcome_word,
    place_in_list,
    score,
)
from leaderboards.templatetags.leaderboards import points as points_of_result
from ratings.ledger.forecasts import Belief
from ratings.matches.summary import Team
from ratings.models import MatchState, Mode, Participant

register = template.Library()

_LINE = """<tr>
  <td class="result">{result}</td>
  <th scope="row" class="name">{partners} {others} {opponent}</th>
  <td class="num fold-end"><a href="{page}">{score} <span class="visually-hidden">{see}</span></a></td>
  <td class="fold-break" aria-hidden="true"></td>
  {ladder}
  <td class="num fold{unexpected}" data-label="{expected_label}">{expected}</td>
  <td class="num fold{unchanged}">{change}</td>
  <td class="num fold fold-last">{when}</td>
</tr>
"""
_RESULT = (
    '<span class="result-mark {style}" title="{word}"> <span aria-hidden="true">{letter}</span>'
    ' <span class="visually-hidden">{word}</span> </span>'
)
_GAME = """<tr{current}>
  <th scope="row"><a href="{page}">{opponent}</a></th>
  <td class="num">{rating}</td>
  <td class="num">{actual}</td>
  <td class="num">{expected}</td>
  <td class="num">{weight}</td>
  <td class="num">{points}</td>
</tr>
"""
_COLON = "\u202f:\u202f"


@register.simple_tag(takes_context=True)
def match_rows(
    context: Context, lines: Iterable[PlayerLine], with_ladder: object = False
) -> SafeString:
    """A player's matches; `with_ladder`: they are of several. Marks the visitor as the tag `you` does."""
    rows = [_line(context, line, bool(with_ladder)) for line in lines]
    return SafeString("".join(rows))


def _line(context: Context, line: PlayerLine, with_ladder: bool) -> SafeString:
    match, contribution = line.match, line.contribution
    says_why = line.summary.is_unrated or not line.match.rated or _says_state(line)
    is_idle = contribution is None and not says_why
    partners: SafeString | str = ""
    if line.partners:
        partners = format_html(
            '<span class="match-partners muted"> {} {} {} </span>',
            pgettext("team mates", "with"),
            _people(context, line.partners),
            pgettext("opponents", "against"),
        )
    others = format_html_join("; ", "{}", ((_side(context, it),) for it in line.others))
    opponent: SafeString | str = ""
    shown = decimals(line.summary.track)
    if contribution is not None and contribution.opponent:
        shape = '<span class="match-opponent muted"> {} </span>'
        opponent = format_html(shape, _rating_of(contribution.opponent, shown))
    return format_html(
        _LINE,
        result=_result(line),
        partners=partners,
        others=others,
        opponent=opponent,
        page=page_of("match", match.pk),
        score=_score(line),
        see=_("see this match"),
        ladder=_ladder(line) if with_ladder else "",
        unexpected="" if contribution else " fold-hide",
        expected_label=_("Expected"),
        expected=figure(contribution.forecast, 2) if contribution else "–",
        unchanged=" fold-hide" if is_idle else "",
        change=points(contribution.points, decimals=shown) if contribution else _no_change(line),
        when=timed(match.played_at, "known"),
    )


def _result(line: PlayerLine) -> SafeString:
    if line.place:
        style = f"result-place result-{outcome_style(line.own)}"
        return format_html(
            _RESULT, style=style, word=place_in_list(line), letter=ordinal(line.place)
        )
    return format_html(
        _RESULT,
        style=f"result-{outcome_style(line.own)}",
        word=outcome_word(line.own),
        letter=outcome_letter(line.own),
    )


def _score(line: PlayerLine) -> str:
    if line.place:
        return place_in_list(line)
    if line.own.score is not None:
        # Of a team without one nothing stands there.
        scores = ["" if it.score is None else score(it.score) for it in (line.own, *line.others)]
        return _COLON.join(scores)
    if line.own.outcome:
        return _COLON.join(points_of_result(it) for it in (line.own, *line.others))
    return line.match.get_state_display()


def _ladder(line: PlayerLine) -> SafeString:
    ladder = line.match.ladder
    if ladder.mode != Mode.RANKED:  # it has no page
        return format_html('<td class="fold"> {} </td>', ladder.name)
    return format_html(
        '<td class="fold"> <a href="{}">{}</a> </td>', ladder.get_absolute_url(), ladder.name
    )


def _has_result(line: PlayerLine) -> bool:
    return bool(line.place or line.own.score is not None or line.own.outcome)


def _says_state(line: PlayerLine) -> bool:
    """Whether it stands in place of a change: without a result it is in place of that already."""
    return line.match.state != MatchState.CONFIRMED and _has_result(line)


def _no_change(line: PlayerLine) -> SafeString:
    if line.summary.is_unrated:
        why = _("not rated yet")
    elif not line.match.rated and not _says_state(line):
        why = _("not rated")
    else:
        why = line.match.get_state_display() if _says_state(line) else "–"
    return format_html('<span class="muted"> {} </span>', why)


def _side(context: Context, team: Team) -> SafeString:
    """Another side: its members, or a partner of the game."""
    return supplied(team.partner) if team.partner else _people(context, team.members)


def _people(context: Context, members: Iterable[Participant]) -> SafeString:
    """Members of a side, each with the way to their page."""
    ongoing, is_kept = context.get("ongoing"), bool(context.get("is_kept"))
    own = ongoing.player_ids if ongoing else ()
    return format_html_join(
        ", ",
        '<a href="{}">{}</a>{}',
        (
            (
                page_of("player", one.player_id),
                called(one.player),
                you(one.player_id, own, is_kept=is_kept),
            )
            for one in members
        ),
    )


@register.simple_tag(takes_context=True)
def game_rows(context: Context, games: Iterable[OtherGame], point_decimals: int) -> SafeString:
    """The games of a rating period, each with what it is worth."""
    shown = context.get("rating_decimals") or 0
    return SafeString("".join(_game(game, shown, point_decimals) for game in games))


def _game(game: OtherGame, rating_decimals: int, point_decimals: int) -> SafeString:
    known = game.contribution
    return format_html(
        _GAME,
        current=SafeString(' aria-current="true"' if game.is_this else ""),
        page=page_of("match", known.match_id),
        opponent=called(game.opponent) if game.opponent else _others(known.opponents),
        rating=_rating_of(known.opponent, rating_decimals) if known.opponent else "",
        actual=at_most_decimals(known.actual, 2),
        expected=figure(known.expected, 3),
        weight=figure(known.weight, 2),
        points=signed(known.points, point_decimals),
    )


def _others(number: int) -> str:
    """Who met several is not told their names here: the match has them."""
    text = ngettext("%(number)s opponent", "%(number)s opponents", number)
    return text % {"number": whole(number)}


def _rating_of(belief: Belief, decimals: int) -> SafeString:
    return rating(
        belief.value, belief.deviation, provisional=belief.is_provisional, decimals=decimals
    )
