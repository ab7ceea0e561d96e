"""Pages of the admin on which something is added."""

import pytest
from django.contrib import admin
from django.urls import NoReverseMatch, reverse

from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


def test_no_page_shows_an_object_of_the_program() -> None:
    """ "Add game" showed where in memory the default of the database was."""
    client, seen = operator(), 0
    for model in admin.site._registry:
        try:
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
        except NoReverseMatch:
            continue
        answer = client.get(address)
        if answer.status_code == 200:
            seen += 1
            assert " object at 0x" not in answer.content.decode(), address
    assert seen >= 3
