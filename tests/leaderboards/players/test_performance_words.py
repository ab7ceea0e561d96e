"""The docs say of how many games a performance is, and from how many on it is shown."""

import pytest

from config.embedded.paths import PROJECT
from leaderboards.players.performance import FEWEST, LATEST


@pytest.mark.parametrize("page", ["players.md", "systems/elo.md", "systems/performance.md"])
def test_docs_name_the_number_of_games(page: str) -> None:
    text = (PROJECT / "docs" / page).read_text()
    assert f"latest {LATEST} " in text


def test_docs_name_the_fewest_games() -> None:
    assert FEWEST == 10
    assert "from ten matches on" in (PROJECT / "docs/systems/elo.md").read_text()
