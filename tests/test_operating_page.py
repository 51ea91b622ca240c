"""What docs/operating.md tells operators to write into files fits the program, and fits together."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sunglade.cli import _parser

PAGE = (Path(__file__).parent.parent / "docs" / "operating.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_the_service_starts_what_the_proxy_asks() -> None:
    started = re.search(r"^ExecStart=\S+/sunglade (.+)$", block("ini"), re.MULTILINE)
    assert started
    told = _parser().parse_args(shlex.split(started[1]))
    port, path = told.port or 8740, told.root_path
    assert f"location {path}/ {{" in block("nginx") and f"proxy_pass http://127.0.0.1:{port}/;" in block("nginx")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_takes_what_is_printed(tmp_path: Path) -> None:
    whole = f"pid {tmp_path}/pid; events {{}} http {{ server {{ listen 127.0.0.1:8099; {block('nginx')} }} }}"
    (tmp_path / "nginx.conf").write_text(whole)
    command = ["nginx", "-t", "-e", str(tmp_path / "log"), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "sunglade.service").write_text(block("ini").replace("/opt/sunglade/bin/sunglade", "/bin/true"))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "sunglade.service")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
