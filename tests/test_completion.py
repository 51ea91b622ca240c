"""Tab completes for a program that is typed with its path and stands in no folder of the PATH."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sunglade
from at_the_terminal import Pty, environment
from sunglade.completion import SCRIPTS

ASKING = {
    "bash": "source <({0} completion bash); COMP_WORDS=({1} play --edition us); COMP_CWORD=3; _sunglade; "
    'printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "compdef() {{ :; }}; source <({0} completion zsh); compadd() {{ print -l $found; }}; "
    "words=({1} play --edition us) CURRENT=4; _sunglade",
    "fish": "{0} completion fish | source; complete -C '{0} play --edition us'",
}


OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Makes a terminal the one that a shell controls, as a window does."""
STARTING = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <({0} completion bash)"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit && compinit -u && source <({0} completion zsh)"),
    "fish": (["fish", "--no-config", "-i"], "{0} completion fish | source"),
}
"""How a person's shell is started, and what it is told once."""


def installed(tmp_path: Path) -> dict[str, str]:
    """The program in a folder of its own that is not on the PATH; the environment of whoever types there."""
    program = tmp_path / ".venv" / "bin" / "sunglade"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m sunglade "$@"\n')
    program.chmod(0o755)
    others = [one for one in os.environ["PATH"].split(os.pathsep) if not (Path(one) / "sunglade").exists()]
    own = environment(tmp_path, PATH=os.pathsep.join(others), HOME=str(tmp_path), SUNGLADE_CONFIG="settings.toml")
    return own | {"PYTHONPATH": str(Path(sunglade.__file__).parents[1])}


@pytest.mark.parametrize("typed", [".venv/bin/sunglade", "'~/.venv/bin/sunglade'"])
@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_program_is_asked_as_it_was_typed(shell: str, typed: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    own = installed(tmp_path)
    asking = ASKING[shell].format(".venv/bin/sunglade", typed)
    done = subprocess.run([shell, "-c", asking], capture_output=True, text=True, env=own, cwd=tmp_path)
    assert done.stdout.split() == ["us", "us1"], done.stderr


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_tab_completes_in_a_shell_that_somebody_types_in(shell: str, tmp_path: Path) -> None:
    """The settings are shown only if Tab made `config` of `conf`."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    own = installed(tmp_path)
    start, once = STARTING[shell]
    terminal = Pty(own, command=[sys.executable, "-c", OWN_TERMINAL, *start], folder=tmp_path)
    terminal.type(f"{once.format('.venv/bin/sunglade')}; echo rea''dy\n")
    terminal.wait_for("ready")
    terminal.type(".venv/bin/sunglade conf\t\n")
    terminal.wait_for("# settings.toml")
    terminal.type("exit\n")
    assert terminal.ended() == 0
