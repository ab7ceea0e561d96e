"""Rating periods have the same number in the administration as in the API."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from ratings.models import RatingPeriod
from ratings.wording import event_in_words
from tests.leaderboards.site import make_site

pytestmark = pytest.mark.django_db


def test_a_period_has_one_number(admin_client: Client) -> None:
    site = make_site()
    period = RatingPeriod.objects.latest("number")
    track = period.track
    answer = Client().get(f"/api/v1/players/{site.anna.pk}/history").json()
    numbers = [row["period"] for row in answer["results"]]
    assert period.number in numbers
    page = admin_client.get(reverse("admin:ratings_ratingperiod_changelist")).content.decode()
    shown = [
        int(re.sub(r"\D", "", found))
        for found in re.findall(r'field-name">(?:<a[^>]*>)?([\d,]+)', page)
    ]
    assert sorted(shown) == sorted(RatingPeriod.objects.values_list("number", flat=True))
    assert event_in_words(track, period.number).startswith(f"period {period.number}, which ends ")
