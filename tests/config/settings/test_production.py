"""Settings of a real installation: what follows from the environment."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config.embedded.paths import PROJECT

READ = """
import json
from config.settings import production
names = ("ALLOWED_HOSTS", "ALLAUTH_TRUSTED_PROXY_COUNT")
print(json.dumps({name: getattr(production, name, None) for name in names}))
"""


def settings_with(data: Path, **environ: str) -> dict[str, Any]:
    own = {
        "EVENMATCH_DATA_DIR": str(data),
        "EVENMATCH_SECRET_KEY": "only-for-this-test, and long enough",
        **environ,
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EVENMATCH_")}
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=PROJECT,
        env=kept | own,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_further_hosts_come_on_top_of_those_it_needs_itself(tmp_path: Path) -> None:
    hosts = settings_with(
        tmp_path,
        EVENMATCH_PUBLIC_URL="https://play.example.org",
        EVENMATCH_ALLOWED_HOSTS="www.example.org,example.org",
    )["ALLOWED_HOSTS"]
    assert {"play.example.org", "www.example.org", "example.org"} <= set(hosts)
    assert {"localhost", "127.0.0.1", "[::1]"} <= set(hosts)


def test_the_address_it_is_bound_to_is_one_of_its_hosts(tmp_path: Path) -> None:
    assert "192.0.2.7" in settings_with(tmp_path, EVENMATCH_BIND="192.0.2.7")["ALLOWED_HOSTS"]
    assert "[2001:db8::7]" in settings_with(tmp_path, EVENMATCH_BIND="2001:db8::7")["ALLOWED_HOSTS"]


def test_visitors_behind_a_proxy_are_told_apart(tmp_path: Path) -> None:
    behind = settings_with(tmp_path, EVENMATCH_BEHIND_PROXY="true")
    assert behind["ALLAUTH_TRUSTED_PROXY_COUNT"] == 1
    assert settings_with(tmp_path)["ALLAUTH_TRUSTED_PROXY_COUNT"] is None
