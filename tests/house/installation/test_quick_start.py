"""docs/quick-start.md: how it begins, and where it leads. Its commands are typed in `test_run`, which has a site."""

import os
import re
from pathlib import Path

from config.embedded.paths import PROJECT
from tests.house.installation.quick_start import START, TEXT


def test_the_site_is_started_as_the_text_says() -> None:
    assert START.split() == ["bin/run"]
    assert os.access(PROJECT / "bin" / "run", os.X_OK)


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#:]+\.md)\)", TEXT)
    assert links
    assert [link for link in links if not (Path(PROJECT) / "docs" / link).is_file()] == []
