"""Code on the pages runs: README and everything in docs/, as somebody would who types it in from the top.

A page's blocks share a folder, and its Python blocks their names. A block of text says what the code before it prints.
What is marked `<!-- long: why -->` does not run here, what is marked `<!-- gpu -->` where there is none; their commands
are still ones that the command line understands. `<!-- types: place a1; end -->` says what is typed into a command.
"""

from __future__ import annotations

import ast
import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sunglade import Game, Rules
from sunglade.cli import _parser, main
from sunglade.envs.cuda_driver import cuda_module

ROOT = Path(__file__).parent.parent
ELSEWHERE = {ROOT / "docs" / "api.md"}
"""tests/server/test_api_page.py runs it, and looks at what comes of it."""
PAGES = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} - ELSEWHERE)
BLOCK = re.compile(r"^(?:<!-- ((?:gpu|long|types)\b.*?) -->\n)?```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT_OF_README = ".venv/bin/"
USUAL_ADDRESS = "http://localhost:8740"
PLAIN = re.compile(r"[^|<>$&`;()]*")
"""A line of the shell that is a command and nothing else."""


class Block(NamedTuple):
    """A piece of code."""

    mark: str
    language: str
    code: str
    line: int

    @property
    def left_out(self) -> bool:
        return self.mark.startswith("long") or (self.mark == "gpu" and not cuda_module().is_available())

    @property
    def typed(self) -> str:
        return "".join(f"{line.strip()}\n" for line in self.mark.removeprefix("types:").split(";") if line)


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [
        Block(found[1] or "", found[2], found[3], text[: found.start(3)].count("\n") + 1)
        for found in BLOCK.finditer(text)
    ]


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys
        self.names: dict[str, Any] = {"__name__": "page"}
        self.servers: list[subprocess.Popen[str]] = []
        self.address = USUAL_ADDRESS
        self.printed = ""

    def read(self, page: Path, block: Block) -> None:
        if block.language == "json":
            json.loads(block.code)
        elif block.language == "text":
            for line in filter(None, map(str.strip, block.code.splitlines())):
                assert line in self.printed, self.printed
        elif block.language == "python":
            self.python(page, block)
        elif block.language in ("sh", "bash"):
            self.shell(block)
        if block.language != "text":
            self.printed = self.capsys.readouterr().out

    def python(self, page: Path, block: Block) -> None:
        code = block.code.replace(USUAL_ADDRESS, self.address)
        if block.left_out:
            ast.parse(code)
        elif code.startswith(">>>"):
            self.session(page, block, code)
        else:
            exec(compile("\n" * (block.line - 1) + code, str(page), "exec"), self.names)

    def session(self, page: Path, block: Block, code: str) -> None:
        test = doctest.DocTestParser().get_doctest(code, self.names, page.name, str(page), block.line - 1)
        told: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
        self.names.update(test.globs)
        assert not told, "".join(told)

    def shell(self, block: Block) -> None:
        commands = list(logical_lines(block.code.replace(PROMPT_OF_README, "")))
        if block.left_out:
            for command in commands:
                understood(command)
        elif commands[0].startswith("sunglade serve"):
            for command in commands:
                self.serve(command)
        elif all(PLAIN.fullmatch(command) and command.startswith("sunglade ") for command in commands):
            for command in commands:
                self.command(command, block.typed)
        else:
            self.script("\n".join(commands))

    def command(self, command: str, typed: str) -> None:
        """In this process: starting one takes longer than most commands do."""
        self.monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        try:
            status = main(shlex.split(command, comments=True)[1:])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        assert status == 0, command

    def script(self, text: str) -> None:
        command = ["bash", "-euo", "pipefail", "-c", text.replace(USUAL_ADDRESS, self.address)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"

    def serve(self, command: str) -> None:
        """It serves until the page has been read."""
        words = [sys.executable, "-m", *shlex.split(command, comments=True), "--port", "0", "--bot-pace", "0"]
        with open(self.folder / "server.log", "a") as log:
            server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True)
        self.servers.append(server)
        assert server.stdout is not None
        line = server.stdout.readline()
        assert "Sunglade is at" in line, (self.folder / "server.log").read_text()[-2000:]
        self.address = "http://localhost:" + line.split("localhost:")[1].split("/")[0]

    def leave(self) -> None:
        for server in self.servers:
            server.terminate()
        assert [server.wait(timeout=300) for server in self.servers] == [0] * len(self.servers)


def logical_lines(code: str) -> Iterator[str]:
    """Commands of a block, without comments and empty lines; what goes on in the next line is one."""
    for line in code.replace("\\\n", "").splitlines():
        command = re.sub(r"(^|\s+)# .*", "", line)
        if command.strip():
            yield command


def understood(command: str) -> None:
    """The command line takes it, and a script that is named is there."""
    words = shlex.split(command, comments=True)
    if words[0] == "sunglade":
        _parser().parse_args(words[1:])
    elif words[0] == "python" and words[1].endswith(".py"):
        assert (ROOT / words[1]).exists(), command


@pytest.fixture
def reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_data_folder: None
) -> Iterator[Reader]:
    """Somebody with the examples, a short game and the commands at hand."""
    game = Game(2, Rules(rounds=1))
    while not game.over:
        game.play(game.legal[-1 if game.round == 0 else 0])
    game.save(tmp_path / "game.json")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("sunglade", " -m sunglade"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # pages are English
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.chdir(tmp_path)
    somebody = Reader(tmp_path, monkeypatch, capsys)
    yield somebody
    somebody.leave()


@pytest.mark.slow
@pytest.mark.xdist_group("pages")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_of_the_page_runs(page: Path, reader: Reader) -> None:
    for block in blocks(page):
        reader.read(page, block)
