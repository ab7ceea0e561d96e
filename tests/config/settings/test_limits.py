"""Rate limits from the environment."""

import pytest
from environs import Env, EnvValidationError

from config.settings.environment import read_limit


def read(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, float] | None:
    monkeypatch.setenv("EVENMATCH_LIMIT_X", text)
    return read_limit(Env(), "EVENMATCH_LIMIT_X", "600/60")


def test_requests_and_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("10/0.5", monkeypatch) == (10, 0.5)
    assert read("Off", monkeypatch) is None
    monkeypatch.delenv("EVENMATCH_LIMIT_X")
    assert read_limit(Env(), "EVENMATCH_LIMIT_X", "600/60") == (600, 60.0)


@pytest.mark.parametrize("text", ["600", "0/60", "10/0", "10/-1", "x/60", "10/nan", "10/inf", "/"])
def test_anything_else_stops_the_start_and_says_what_is_right(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvValidationError, match=r"EVENMATCH_LIMIT_X .* such as 600/60, or off"):
        read(text, monkeypatch)
