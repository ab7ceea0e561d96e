"""Which release this is, said the same everywhere."""

import tomllib

import pytest
from django.test import Client

from accounts.models import User
from config.embedded.paths import PROJECT
from config.release import VERSION


def test_the_project_and_the_release_notes_say_the_same() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    notes = (PROJECT / "CHANGELOG.md").read_text("utf-8").splitlines()
    newest = next(line for line in notes if line.startswith("## "))
    assert newest in {"## Unreleased", f"## {VERSION}"} or newest.startswith(f"## {VERSION} ")


@pytest.mark.django_db
def test_operators_see_it_at_the_foot_of_the_admin(client: Client) -> None:
    client.force_login(User.objects.create_superuser("ann", password="an old door"))
    assert f"Version {VERSION}" in client.get("/admin/").content.decode()
    client.force_login(User.objects.create_user("bob", password="an old door"))
    assert VERSION not in client.get("/admin/", follow=True).content.decode().partition("<main")[0]
