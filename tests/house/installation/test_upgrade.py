"""`bin/upgrade` on a site that runs: a backup, another release, its tables, and the same site with it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.embedded.paths import database_url
from config.release import VERSION
from tests.house.site import ONE_PROCESS, PATIENCE, Site, copy_project, environment, none_is_left

pytestmark = pytest.mark.full

NEW = "99.1.0"
MIGRATION = """
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("demo", "0001_simulated_players")]
    operations = [migrations.RunSQL("CREATE TABLE of_the_new_release ()", "DROP TABLE of_the_new_release")]
"""
AS_SOMEBODY = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")


def git(project: Path, *words: str) -> None:
    command = ["git", "-C", str(project), *AS_SOMEBODY, *words]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with two releases, at the older one; git is told of."""
    project = copy_project(tmp_path_factory.mktemp("clone") / "evenmatch")
    git(project, "init", "--quiet")
    for tag in ("old", "new"):
        if tag == "new":
            release = project / "config" / "release.py"
            release.write_text(release.read_text().replace(VERSION, NEW))
            (project / "demo" / "migrations" / "0002_more.py").write_text(MIGRATION)
            with (project / "static" / "css" / "base.css").open("a") as style:
                style.write("/* of the new release */\n")
            page = project / "templates" / "account" / "login.html"
            page.write_text("{% load of_the_new_release %}")
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "--message", tag)
        git(project, "tag", tag)
    git(project, "checkout", "--quiet", "old")
    return project


@pytest.fixture(scope="module")
def site(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(
        tmp_path_factory.mktemp("data"), "--no-workers", project=project, environ=ONE_PROCESS
    )
    yield site.wait_until_up()
    site.close()


def upgrade(
    site: Site, project: Path, *options: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(project / "bin" / "upgrade"), "--data-dir", str(site.data), *options],
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def version(site: Site) -> str:
    return str(json.loads(site.page("/health/ready"))["version"])


def style_of(site: Site) -> str:
    """The style sheet that pages name."""
    found = re.search(r"/static/css/base\.\w+\.css", site.page("/"))
    assert found is not None
    return found[0]


def test_the_running_site_becomes_the_new_release(site: Site, project: Path) -> None:
    changed = project / "README.md"
    changed.write_text("mine")
    refused = upgrade(site, project, "--to", "new")
    assert "README.md" in refused.stderr
    assert "Commit or take back what you have changed" in refused.stderr
    git(project, "checkout", "--", "README.md")
    refused = upgrade(site, project, "--to", "nothing-like-it")
    assert "There is no release nothing-like-it. Nothing was changed." in refused.stderr
    assert not list((site.data / "backups").glob("before-upgrade-*"))
    assert version(site) == VERSION
    gone = site.data / "no-disk"
    refused = upgrade(site, project, EVENMATCH_BACKUP_DIR=str(gone))
    assert f"There is no folder {gone} for the backup. Nothing was changed." in refused.stderr

    before = site.process.pid
    old_style = style_of(site)
    done = upgrade(site, project, "--to", "new")
    assert done.returncode == 0, done.stderr + done.stdout
    assert f"This is Evenmatch {NEW}. It was {VERSION} (" in done.stdout
    assert version(site) == NEW
    assert site.process.poll() is None
    assert site.process.pid == before  # a supervisor sees no end
    assert site.output().count("Ctrl-C") == 2
    assert style_of(site) != old_style
    assert site.status(old_style) == 200  # pages that are open somewhere name it
    backups = sorted((site.data / "backups").glob("before-upgrade-*.zip"))
    assert str(backups[-1]) in done.stdout
    assert backups[-1].stat().st_mode & 0o777 == 0o600
    with psycopg.connect(database_url(site.data)) as session:
        session.execute("SELECT FROM of_the_new_release")

    # The way back: the old release on the new tables.
    back = upgrade(site, project, "--to", "old")
    assert back.returncode == 0, back.stderr + back.stdout
    assert version(site) == VERSION
    assert site.is_well("/health/ready")
    git(project, "checkout", "--quiet", "new")  # as while an upgrade installs what it needs
    assert site.status("/accounts/login/") == 200
    git(project, "checkout", "--quiet", "old")
    assert site.stop() == 0
    assert none_is_left(site.data)


def test_without_git_and_without_a_site_it_takes_what_is_there(
    site: Site, project: Path, tmp_path: Path
) -> None:
    told = subprocess.run(
        [str(project / "bin" / "run"), "--version"],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout == f"Evenmatch {VERSION}\n"
    shutil.move(project / ".git", tmp_path / "aside")
    refused = upgrade(site, project, "--to", "new")
    assert "is no clone of git: unpack the release over it" in refused.stderr
    done = upgrade(site, project)
    assert done.returncode == 0, done.stderr
    assert "bin/run does not run on this data folder. Start it" in done.stdout
    assert f"This is Evenmatch {VERSION}." in done.stdout
    assert none_is_left(site.data)
