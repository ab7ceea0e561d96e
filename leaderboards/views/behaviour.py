"""The page of a game that says how first estimates are made from behaviour, and how well."""

from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import is_attended, is_unchanged, nothing_new
from matchmaking.pages.ongoing import ongoing_of
from ratings.behaviour.estimate import models_of
from ratings.models import BehaviourModel, Feature, Game
from ratings.systems.behaviour import FEWEST, GUESSES, KINDS


class _Seen(NamedTuple):
    game: Game
    features: list[Feature]
    models: list[BehaviourModel]


@require_safe
@takes_parameters()
def behaviour(request: HttpRequest, slug: str) -> HttpResponse:
    """Which features of behaviour a game has, which model is used on each ladder, and how well it foretells."""
    page = kept_page(
        request,
        "behaviour/_behaviour.html",
        look=partial(_look, slug),
        name=_name,
        context=_context,
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame = {"game": page.seen.game, "ongoing": ongoing}
    return show_kept(request, "behaviour/behaviour.html", frame, page, ongoing.player_ids)


def _look(slug: str) -> _Seen:
    features = list(Feature.objects.filter(game__slug=slug).select_related("game"))
    game = Game.objects.in_use().filter(slug=slug).first() if features else None
    if game is None:
        raise Http404
    return _Seen(game, features, models_of(track__ladder__game=game.pk))


def _name(seen: _Seen) -> object:
    return (
        (seen.game.pk, seen.game.name),
        [(it.name, it.description, it.easy_to_fake, it.is_used) for it in seen.features],
        [(it.pk, it.made_at, it.track.ladder.name) for it in seen.models],
    )


def _context(seen: _Seen, version: str) -> dict[str, Any]:
    by_ladder: dict[int, dict[str, Any]] = {}
    for model in seen.models:
        ladder = model.track.ladder
        card = by_ladder.setdefault(ladder.pk, {"ladder": ladder, "models": []})
        card["models"].append(_shown(model))
    return {
        "game": seen.game,
        "features": seen.features,
        "ladders": list(by_ladder.values()),
        "fewest": FEWEST,
        "crumbs": [(_("Games"), reverse("home")), (seen.game.name, seen.game.get_absolute_url())],
        "now": clock.now(),
    }


def _shown(model: BehaviourModel) -> dict[str, Any]:
    """A model with its rows: each guess and model with its errors, and its features by what they are worth."""
    words = {
        "start": _("always the start value"),
        "mean": _("always the mean rating"),
        "ridge": _("ridge regression"),
        "boosting": _("gradient boosting"),
    }
    rows = [
        {
            "words": words[name],
            "error": model.errors[name],
            "folds": model.folds[name],
            "is_used": name == model.chosen,
        }
        for name in (*GUESSES, *KINDS)
        if name in model.errors
    ]
    worth = sorted(zip(model.worth, model.features, strict=False), reverse=True)
    return {"model": model, "rows": rows, "worth": worth if model.chosen else []}
