"""The page of a game that says how well behaviour foretells ratings."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from foundation import clock
from ratings.behaviour.features import declare
from ratings.models import BehaviourModel, Feature, Mode, RatingTrack
from tests.leaderboards.site import Site, make_site

pytestmark = pytest.mark.django_db

PAGE = "/games/go/behaviour/"
LINK = f'href="{PAGE}"'


@pytest.fixture
def site() -> Site:
    made = make_site()
    declare(made.arena.game, "accuracy", description="Shots that hit, of all shots.")
    declare(made.arena.game, "apm")
    return made


def add_model(track: RatingTrack, site: Site, *, is_used: bool = True) -> BehaviourModel:
    errors = {"start": 301.25, "mean": 300.5, "ridge": 130.75, "boosting": 140.125}
    return BehaviourModel.objects.create(
        track=track,
        matches=10,
        made_at=site.now - timedelta(hours=3),
        features=["accuracy"],
        players=432,
        errors=errors,
        folds={name: [error + fold for fold in range(5)] for name, error in errors.items()},
        gain_at_least=0.7 if is_used else -0.1,
        chosen="ridge" if is_used else "",
        worth=[88.5],
        learned={} if is_used else None,
    )


def test_says_which_model_is_used_and_how_well_it_foretells(site: Site) -> None:
    add_model(site.track, site)
    text = site.text(PAGE)
    assert "Shots that hit, of all shots." in text
    assert "Learned from 432 established players." in text
    assert "Estimates are 131 rating points off" in text
    assert "ridge regression · in use" in text
    assert text.count("· in use") == 1
    for figure in ("301.3", "300.5", "130.8", "140.1", "134.8", "88.5"):
        assert figure in text
    assert "not in use · easy to fake" in text


def test_says_when_no_model_is_used(site: Site) -> None:
    add_model(site.track, site, is_used=False)
    text = site.text(PAGE)
    assert "No model is sure to beat a guess" in text
    assert "300.5" in text
    assert "88.5" not in text


def test_says_when_nothing_is_learned_yet(site: Site) -> None:
    assert "Nothing learned yet" in site.text(PAGE)


def test_ladders_whose_ratings_are_hidden_are_left_out(site: Site) -> None:
    add_model(site.track, site)
    site.arena.ladder.mode = Mode.NORMAL
    site.arena.ladder.save()
    text = site.text(PAGE)
    assert "432" not in text
    assert "Nothing learned yet" in text


def test_is_there_for_games_with_features_alone(site: Site) -> None:
    assert LINK in site.text("/games/go/")
    Feature.objects.all().delete()
    assert site.get(PAGE).status_code == 404
    with clock.at(site.now + timedelta(minutes=1)):
        assert LINK not in Client().get("/games/go/").content.decode()


def test_operators_see_what_was_learned_and_are_warned(site: Site) -> None:
    model = add_model(site.track, site)
    client = Client()
    client.force_login(User.objects.create_superuser("ada", "ada@example.org", "difference"))
    page = client.get(f"/admin/ratings/behaviourmodel/{model.pk}/change/").content.decode()
    for shown in ("ridge: 130.8", "accuracy: 88.5", "131.8"):
        assert shown in page
    apm = Feature.objects.get(name="apm")
    address = f"/admin/ratings/feature/{apm.pk}/change/"
    sent = {"description": "", "easy_to_fake": "on", "is_used": "on"}
    answer = client.post(address, sent, follow=True).content.decode()
    apm.refresh_from_db()
    assert apm.is_used
    assert "easy to fake: whoever knows" in answer
