"""Tab completes for a program that is typed with its path and stands in no folder of the PATH."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sunglade
from at_the_terminal import environment
from sunglade.completion import SCRIPTS

ASKING = {
    "bash": "source <({0} completion bash); COMP_WORDS=({1} play --edition us); COMP_CWORD=3; _sunglade; "
    'printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "compdef() {{ :; }}; source <({0} completion zsh); compadd() {{ print -l $found; }}; "
    "words=({1} play --edition us) CURRENT=4; _sunglade",
    "fish": "{0} completion fish | source; complete -C '{0} play --edition us'",
}


@pytest.mark.parametrize("typed", [".venv/bin/sunglade", "'~/.venv/bin/sunglade'"])
@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_program_is_asked_as_it_was_typed(shell: str, typed: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    program = tmp_path / ".venv" / "bin" / "sunglade"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m sunglade "$@"\n')
    program.chmod(0o755)
    others = [one for one in os.environ["PATH"].split(os.pathsep) if not (Path(one) / "sunglade").exists()]
    own = environment(tmp_path, PATH=os.pathsep.join(others), HOME=str(tmp_path))
    own["PYTHONPATH"] = str(Path(sunglade.__file__).parents[1])
    asking = ASKING[shell].format(".venv/bin/sunglade", typed)
    done = subprocess.run([shell, "-c", asking], capture_output=True, text=True, env=own, cwd=tmp_path)
    assert done.stdout.split() == ["us", "us1"], done.stderr
