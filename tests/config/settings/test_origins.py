"""Web sites that may call the API, from the environment."""

import pytest
from environs import Env, EnvValidationError

from config.settings.environment import read_origins


def read(text: str, monkeypatch: pytest.MonkeyPatch) -> frozenset[str]:
    monkeypatch.setenv("EVENMATCH_CORS_ORIGINS", text)
    return read_origins(Env(), "EVENMATCH_CORS_ORIGINS")


def test_origins_are_as_browsers_send_them(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "https://Play.Example.org, http://localhost:5173,https://play.example.org:443,http://[::1]:80"
    wanted = {"https://play.example.org", "http://localhost:5173", "http://[::1]"}
    assert read(text, monkeypatch) == wanted
    assert read("", monkeypatch) == frozenset()
    monkeypatch.delenv("EVENMATCH_CORS_ORIGINS")
    assert read_origins(Env(), "EVENMATCH_CORS_ORIGINS") == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        *("*", "null", "play.example.org", "https://", "ftp://play.example.org"),
        *("https://play.example.org/", "https://play.example.org/game", "https://a@b.org"),
        *("https://play.example.org:x", "https://play.example.org:99999", "https://[::1"),
    ],
)
def test_anything_else_stops_the_start_and_says_what_is_right(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvValidationError, match=r"EVENMATCH_CORS_ORIGINS .* such as https://play"):
        read(f"https://good.example.org,{text}", monkeypatch)
