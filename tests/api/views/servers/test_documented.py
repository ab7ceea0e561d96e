"""The chapter on game servers in docs/game-developers.md, word for word: what its commands make, send and read."""

import json
import os
import re
import shlex
import subprocess
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from config.embedded.paths import PROJECT
from ratings.logs.given import KINDS
from ratings.models import Ladder, RatingTrack
from ratings.runs.run import rate_track
from ratings.systems.frags import Deathmatch, Frag, Side

TEXT = (PROJECT / "docs" / "game-developers.md").read_text(encoding="utf-8")
CHAPTER = TEXT.split("## Servers that people join and leave\n")[1].split("\n## ")[0]
SETTING_UP, TELLING, READING = re.findall(r"^```sh\n(.*?)^```$", CHAPTER, re.MULTILINE | re.DOTALL)


def answers_to(script: str, live_server: LiveServer, key: str) -> list[Any]:
    """What the API has answered, one after the other."""
    given = {**os.environ, "KEY": key, "API": f"{live_server.url}/api/v1"}
    ran = subprocess.run(
        ["bash", "-ec", script], env=given, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    found, rest = [], ran.stdout
    while rest:
        answer, end = json.JSONDecoder().raw_decode(rest)
        found.append(answer)
        rest = rest[end:].lstrip()
    return found


@pytest.mark.django_db(transaction=True)
def test_a_short_deathmatch_from_the_key_to_the_rating(
    live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in SETTING_UP.splitlines():
        capsys.readouterr()
        call_command(*shlex.split(line)[2:])
    key = capsys.readouterr().out.strip()
    server, first, behind, rest = answers_to(TELLING, live_server, key)
    assert (server["slug"], server["ladder"]) == ("dm1", "deathmatch")
    name = "2026-12-01-canyon-7"
    assert (first["stored"], first["matches"][name]["complete_to"]) == (5, 5)
    assert behind["matches"][name]["missing"] == [[6, 7]]
    assert (rest["stored"], rest["known"], rest["refused"]) == (3, 1, [])
    over = {name: value for name, value in rest["matches"][name].items() if name != "id"}
    assert over == {"complete_to": 9, "missing": [], "over": True}

    rate_track(RatingTrack.objects.get(ladder=Ladder.objects.get()).pk)
    ratings, match, events = answers_to(READING, live_server, key)
    stream = Deathmatch()
    for killer, victim in (("ann", "ben"), ("ben", "ann"), ("ann", "ben")):
        stream.take(Frag(Side(killer), Side(victim)))
    expected = {row.competitor.name: row.rating for row in stream.standings()}
    (rating,) = ratings["results"]
    assert rating["rating"] == pytest.approx(expected["ann"])
    assert (match["state"], match["server"], match["map"]) == ("confirmed", "dm1", "Canyon")
    points = sorted(one["points"] for one in match["changes"])
    assert points == pytest.approx(sorted(expected.values()))
    assert [event["type"] for event in events["results"]] == ["frag", "frag", "leave", "end"]


def test_its_table_names_every_kind() -> None:
    table = re.search(r"^\| `type` \|.*?\n\n", CHAPTER, re.MULTILINE | re.DOTALL)
    assert table is not None
    rows = [row.split("|")[1] for row in table[0].strip().splitlines()[2:]]
    assert set(re.findall(r"`([a-z_]+)`", " ".join(rows))) == set(KINDS)
