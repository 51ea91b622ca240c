"""The tests of the server's tables, to be run against a page as well."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("server.test_live", "server.test_tables")

from page.opened import Page, PageSocket  # noqa: E402 - after what is to be rewritten
from sunglade.client import Client  # noqa: E402


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """One page for the tests of a file."""
    opened = Page()
    yield opened
    opened.close()


@pytest.fixture
def client(page: Page) -> Iterator[Client]:
    """Requests and live connections go to the page."""
    with page.client() as client, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sunglade.client.connect", lambda *_, **__: PageSocket(page))
        yield client
