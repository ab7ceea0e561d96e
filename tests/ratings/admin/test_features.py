"""Features of behaviour in the admin."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.models import Behaviour, Feature
from tests.ratings.behaviour.told import told_arena

pytestmark = pytest.mark.django_db


def test_only_what_nothing_was_told_of_can_be_deleted(client: Client) -> None:
    arena, _track = told_arena(players=4, matches=5)
    assert Behaviour.objects.exists()
    fresh = Feature.objects.create(game=arena.game, name="typo")
    told = Feature.objects.get(game=arena.game, name="accuracy")
    client.force_login(User.objects.create_superuser("ottilie"))

    def delete(feature: Feature) -> int:
        address = reverse("admin:ratings_feature_delete", args=[feature.pk])
        return client.post(address, {"post": "yes"}).status_code

    assert delete(told) == 403
    assert delete(fresh) == 302
    left = Feature.objects.filter(game=arena.game).order_by("name")
    assert list(left.values_list("name", flat=True)) == ["accuracy", "apm", "luck"]
