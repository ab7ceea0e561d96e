"""One file with settings: what it gives, what wins over it, and what is refused with a word that helps."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from config.embedded.commands import manage_command
from config.embedded.paths import FILE_GIVES, PROJECT, SETTINGS_FILE, StartError
from config.settings.environment import check_settings, misspelled_settings
from config.settings.settings_file import (
    drop_from_file,
    settings_names,
    take_settings_file,
    who_else_may_read,
)
from tests.house.site import environment


def taken(path: Path, text: str, **environ: str) -> dict[str, str]:
    """The environment after a file with this text was read."""
    path.write_text(text, encoding="utf-8")
    environ = {SETTINGS_FILE: str(path), **environ}
    take_settings_file(environ)
    return environ


def test_the_environment_wins_and_the_file_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    text = """
    port = 9000
    behind_proxy = true
    turn_seconds = 0.5
    allowed_hosts = ["a.example.org", "b.example.org"]
    data_dir = "data"
    email_host = "mail.example.org"
    """
    environ = taken(file, text, EVENMATCH_PORT="9100", EMAIL_HOST="")
    assert environ["EVENMATCH_PORT"] == "9100"
    assert environ["EMAIL_HOST"] == ""  # said, if nothing
    assert environ["EVENMATCH_BEHIND_PROXY"] == "true"
    assert environ["EVENMATCH_TURN_SECONDS"] == "0.5"
    assert environ["EVENMATCH_ALLOWED_HOSTS"] == "a.example.org,b.example.org"
    assert environ["EVENMATCH_DATA_DIR"] == str(tmp_path / "data")  # beside the file
    check_settings(environ)
    assert misspelled_settings(environ) == []

    file.write_text("no TOML at all")
    take_settings_file(environ)  # as a process that the first one starts
    assert environ["EVENMATCH_BEHIND_PROXY"] == "true"
    command = manage_command(["check"], environ)
    assert command.startswith(f"{SETTINGS_FILE}={file} ")
    assert "EVENMATCH_DATA_DIR" not in command  # the file says it

    drop_from_file(environ, ["EVENMATCH_BEHIND_PROXY", "EVENMATCH_PORT"])
    assert "EVENMATCH_BEHIND_PROXY" not in environ
    assert environ["EVENMATCH_PORT"] == "9100"  # not the file's
    nothing = {SETTINGS_FILE: ""}
    take_settings_file(nothing)
    assert nothing == {SETTINGS_FILE: "", FILE_GIVES: ""}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "\npublik_url = 'x'",
            r"site\.toml, line 2: publik_url is no setting\. Is public_url meant\?",
        ),
        ("EVENMATCH_PORT = 1", r"line 1: EVENMATCH_PORT is no setting\. Is port meant\?"),
        ("zzz = 1", r"zzz is no setting\. deploy/evenmatch\.toml has them all"),
        (
            "[database]\nurl = 'x'",
            r"line 1: \[database\] begins a section.*Is database_url meant\?",
        ),
        ("port = 'eighty'", r"line 1: port is 'eighty': must be a whole number from 1 to 65535"),
        ("port = 1979-05-27", r"port must be a text, a number, true, false, or a list of texts"),
        ("cors_origins = ['https://a.org/']", r"must be the origin of a web site"),
        ("secret_key = 'hidden'", r"secret_key must be at least 32 characters"),
        ("database_url = 'mysql://me:hidden@x/y'", r"database_url must be like postgresql://"),
        ("port = \nx = 1", r"site\.toml is no TOML: .*line 1"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(StartError, match=words) as refusal:
        taken(tmp_path / "site.toml", text)
    assert "hidden" not in str(refusal.value)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    environ = {SETTINGS_FILE: str(tmp_path / "none.toml")}
    with pytest.raises(StartError, match=rf"none\.toml \({SETTINGS_FILE} names it\): No such file"):
        take_settings_file(environ)


def test_secrets_that_others_may_read_are_told(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    environ = taken(file, "database_url = 'postgresql://me:secret@db/x'\nport = 9000")
    file.chmod(0o640)
    (sentence,) = who_else_may_read(environ)
    assert "holds database_url" in sentence
    assert f"chmod 600 {file}" in sentence
    file.chmod(0o600)
    assert who_else_may_read(environ) == []
    environ = taken(file, "database_url = 'postgresql:///x'\nport = 9000")
    file.chmod(0o644)
    assert who_else_may_read(environ) == []  # no secret


def test_the_example_has_every_setting_with_a_value_that_is_right(tmp_path: Path) -> None:
    example = (PROJECT / "deploy" / "evenmatch.toml").read_text("utf-8")
    lines = [line.removeprefix("# ") for line in example.splitlines() if line.startswith("# ")]
    said = [line for line in lines if " = " in line]
    assert set(tomllib.loads("\n".join(said))) == set(settings_names())
    environ = taken(tmp_path / "site.toml", "\n".join(said))
    assert set(environ) >= set(settings_names().values())


def test_commands_the_launcher_and_the_web_server_read_it(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text("log_levl = 'INFO'")
    commands = [
        [sys.executable, "manage.py", "check"],
        [sys.executable, "config/launcher/__main__.py"],
        [
            sys.executable,
            "-m",
            "gunicorn",
            "--check-config",
            "--config",
            "config/gunicorn.py",
            "x:y",
        ],
        [sys.executable, "-c", "import config.settings.production"],
    ]
    for command in commands:
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env=environment(EVENMATCH_SETTINGS=str(file), EVENMATCH_DATA_DIR=str(tmp_path)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0
        assert "log_levl is no setting. Is log_level meant?" in done.stderr, command
    file.write_text("port = 9123")
    told = subprocess.run(
        [sys.executable, "-c", "import config.gunicorn as g; print(g.bind)"],
        cwd=PROJECT,
        env={**environment(), SETTINGS_FILE: str(file)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "127.0.0.1:9123\n"
    assert os.environ.get(FILE_GIVES) is not None  # ours, which names no file
