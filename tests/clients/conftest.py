"""The live server that the clients of this folder share."""

from collections.abc import Iterator

import pytest

from tests.config.web.serving import Web, running


@pytest.fixture(scope="package")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with running(tmp_path_factory.mktemp("web"), EVENMATCH_WEB_PROCESSES="1") as web:
        yield web
