"""A server is connected with the docs alone: what the command prints is enough, and what came is shown."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings

from api.site.delete_person import delete_player
from config.embedded.paths import PROJECT
from ratings.models import ConnectorKind, Player, ServerConnector
from tests.api.views.servers.game_server import Server
from tests.histories.traces import holding
from tests.ratings.admin_cast import operator
from tests.ratings.logs.connectors.samples import ANN, BEN, CS2, IN_CS2, IN_TF2, TF2
from tests.ratings.logs.connectors.sending import connected, counted
from tests.ratings.logs.telling import make_server, rate

pytestmark = pytest.mark.django_db


def printed(capsys: pytest.CaptureFixture[str], *given: str) -> list[str]:
    """The lines for the server's configuration."""
    call_command("add_connector", "arena", "dm1", *given)
    return [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]


@override_settings(PUBLIC_URL="https://play.example.org", LOG_PORT=27500)
def test_what_is_printed_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    server = make_server(start=1000)
    on, line = printed(capsys, "--kind", "cs2")
    assert on == "log on"
    found = re.fullmatch(r'logaddress_add_http "https://play\.example\.org(/connect/[^"]+)"', line)
    assert found is not None
    assert Client().post(found[1], CS2, content_type="text/plain").status_code == 200
    assert counted(server) == IN_CS2
    (line,) = printed(capsys, "--kind", "matchzy")
    assert line.startswith('matchzy_remote_log_url "https://play.example.org/connect/arena/dm1/')
    assert Client().post(found[1], CS2, content_type="text/plain").status_code == 403
    on, secret, line = printed(capsys, "--kind", "source")
    assert re.fullmatch(r"sv_logsecret 1\d{9}", secret)
    assert line == "logaddress_add play.example.org:27500"
    assert (
        len(
            printed(
                capsys,
                "--kind",
                "source",
                "--no-secret",
                "--address",
                "192.0.2.7",
                "--port",
                "27015",
            )
        )
        == 2
    )


@pytest.mark.parametrize(
    "given",
    [
        ["--kind", "cs2", "--no-secret", "--address", "192.0.2.7", "--port", "1"],
        ["--kind", "source", "--no-secret"],
        ["--kind", "source", "--no-secret", "--address", "192.0.2.7"],
        ["--kind", "source", "--address", "nowhere"],
        ["--kind", "source", "--port", "70000"],
    ],
)
def test_what_cannot_be_right_is_refused(given: list[str]) -> None:
    make_server()
    with pytest.raises(CommandError):
        call_command("add_connector", "arena", "dm1", *given)
    with pytest.raises(CommandError):
        call_command("add_connector", "none", "dm1", *given)
    assert not ServerConnector.objects.exists()


def test_lines_reach_page_admin_and_api() -> None:
    server = connected(ConnectorKind.CS2)
    cut = CS2[: CS2.index("12/01/2026 - 20:01:10.000 - Game Over")]
    server.post(cut)
    server.post(CS2, secret="forged")
    page = Client().get("/games/arena/servers/dm1/").content.decode()
    assert "Counter-Strike 2: log lines by HTTP" in page
    assert "1 from somebody else was dropped" in page
    assert "de_canyon" in page
    assert "Ann" in page
    admin = operator().get(f"/admin/ratings/gameserver/{server.server.pk}/change/")
    assert "Dropped: 1<br>" in admin.content.decode()
    api = Server(server.server.game)
    rate()
    assert set(api.ratings(ANN, BEN)) == {ANN, BEN}
    board = api.get("ladders/live/leaderboard")
    (match,) = api.get("servers/dm1")["playing"]
    assert board["results"] is not None
    told = api.get(f"matches/{match}/events")["results"]
    assert len(told) == sum(IN_CS2.values()) - 1
    assert {it["type"] for it in told} == set(IN_CS2) - {"end"}


@pytest.mark.django_db(transaction=True)
def test_whoever_is_deleted_is_taken_out_of_what_is_kept() -> None:
    server = connected(ConnectorKind.CS2)
    at = CS2.index("12/01/2026 - 20:01:10.000 - Game Over")
    server.post(CS2[:at].replace("Ann<", "Evelyntha<"))
    assert holding("Evelyntha") != []
    delete_player(Player.objects.get(external_id=ANN), by=None)
    assert holding("Evelyntha", ANN, "[U:1:11]") == []
    server.post(CS2[at:])
    assert counted(server.server)["end"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_the_receiver_is_a_process_that_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    """What has come when it is stopped is told before it ends."""
    server = connected(ConnectorKind.SOURCE)
    sign = tmp_path / "sign"
    code = f"""
import django
django.setup()
from pathlib import Path
from django.core.management import call_command
from django.db import connection
connection.settings_dict["NAME"] = {connection.settings_dict["NAME"]!r}
call_command("receive_logs", port=0, bind="127.0.0.1", sign=Path({str(sign)!r}))
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT)
    try:
        for _ in range(900):
            if sign.exists() and sign.read_text().strip():
                break
            assert process.poll() is None
            time.sleep(0.1)
        port = int(sign.read_text())
        with socket.socket(type=socket.SOCK_DGRAM) as sender:
            for line in TF2.splitlines():
                data = b"\xff\xff\xff\xffS" + server.secret.encode() + line.encode()
                sender.sendto(data, ("127.0.0.1", port))
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
    assert counted(server.server) == IN_TF2
