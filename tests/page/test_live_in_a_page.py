"""Live connections to a page are those to a server: its tests, against a page."""

from __future__ import annotations

from server.test_live import *  # noqa: F403 - all of them
