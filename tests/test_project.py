"""The project's own files: lock, paths, README, version."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import sunglade

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

PIN = re.compile(r"[a-z0-9-]+==[0-9][\w.!+]*( ; [\w .'<>=!()]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def project_files() -> list[Path]:
    """What git would commit."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in names.split("\0") if (ROOT / name).is_file()]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_lock_holds_only_pins_and_hashes(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.startswith("#")]
    assert lines
    assert [line for line in lines if not PIN.fullmatch(line) and not HASH.fullmatch(line)] == []
    assert "://" not in lock.read_text()


def test_locks_agree() -> None:
    """The same versions everywhere; a lock with fewer packages may need one on fewer versions of Python."""
    pins = {lock.name: set(re.findall(r"^\S+==\S+", lock.read_text(), re.MULTILINE)) for lock in LOCKS}
    assert pins["runtime.txt"] | pins["build.txt"] < pins["dev.txt"]


def test_no_file_names_a_path_of_one_machine() -> None:
    places = ["work", "root", r"home/\w+", r"Users/\w+", re.escape(str(Path.home()).strip("/"))]
    machine_path = re.compile(r"(?<![\w.*-])/(?:" + "|".join(filter(None, places)) + ")/")
    found = []
    for file in project_files():
        text = file.read_bytes().decode("utf-8", errors="ignore")
        found += [f"{file.relative_to(ROOT)}: {match.group()}" for match in machine_path.finditer(text)]
    assert found == []


def test_readme_begins_with_play_and_test() -> None:
    blocks = re.findall(r"^```\w*\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    commands = [line.removeprefix("$ ").split("#")[0].strip() for block in blocks for line in block.splitlines()]
    assert [command for command in commands if command][:2] == ["make play", "make test"]


def test_version_is_the_newest_in_the_changelog() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    newest = headings[1] if headings[1:] else "0.1.0"  # before the first release
    assert sunglade.__version__ == newest


def test_the_citation_names_this_version() -> None:
    """What the schema of CITATION.cff 1.2.0 requires, and the facts that stand elsewhere too."""
    text = (ROOT / "CITATION.cff").read_text()
    told = dict(re.findall(r"^([a-z-]+): *(.*)$", text, re.MULTILINE))
    assert {"cff-version", "message", "title", "authors"} <= told.keys()
    assert (told["version"], told["license"]) == (sunglade.__version__, "Apache-2.0")
    assert '  - name: "The Sunglade contributors"' in text and "doi" not in told


def test_no_two_test_files_have_one_name() -> None:
    """pytest would load only the first of them, and a run of everything would stop at the other."""
    names = [file.name for file in (ROOT / "tests").rglob("test_*.py")]
    assert [name for name in names if names.count(name) > 1] == []


def test_one_worker_runs_a_group_of_tests(tmp_path: Path) -> None:
    """What they share is made once. A pytest that its workers do not know yet would hide the groups from them."""
    source = """
        import os, pytest
        @pytest.mark.xdist_group("one")
        @pytest.mark.parametrize("number", range(8))
        def test_it(number): print("run by", os.environ["PYTEST_XDIST_WORKER"])
        """
    for name in ("test_first.py", "test_second.py"):
        (tmp_path / name).write_text(textwrap.dedent(source))
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-rP", "--rootdir", ".", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    workers = re.findall(r"run by (\w+)", done.stdout)
    assert len(workers) == 16 and len(set(workers)) == 1
