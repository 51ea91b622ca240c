"""Every library of an extra is known by the name it is imported under, so that who lacks it is told what to install."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from sunglade.extras import EXTRAS, lacking, naming_the_extra
from sunglade.words import ENGLISH, catalogue

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
NOT_IMPORTED = {"tzdata", "numba_cuda"}
"""Data for Python's own library; and what `CudaBatchEnv` answers for itself (`NoGpu`)."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "_", re.split(r"[\[<>=;! ]", name)[0]).lower()


def needs() -> list[tuple[str, str]]:
    """(extra, library) for everything that an extra brings, without the extras in it."""
    return [
        (extra, canonical(needed))
        for extra, all_needed in PROJECT["optional-dependencies"].items()
        for needed in all_needed
        if not needed.startswith("sunglade[")
    ]


IMPORTED = {canonical(package): name for name, packages in packages_distributions().items() for package in packages} | {
    "open_spiel": "pyspiel"
}


@pytest.mark.parametrize(("extra", "library"), sorted(set(needs())))
def test_whoever_lacks_a_library_is_told_the_extra_that_brings_it(extra: str, library: str) -> None:
    if library in NOT_IMPORTED:
        return
    name = IMPORTED.get(library, library)
    assert EXTRAS.get(name) == extra
    told = lacking(ModuleNotFoundError(f"No module named {name!r}", name=f"{name}.inside"))
    assert told is not None
    assert f"pip install 'sunglade[{extra}]'" in told(catalogue(ENGLISH).tell)


def test_a_module_that_should_be_there_is_no_matter_of_extras() -> None:
    assert lacking(ModuleNotFoundError("No module named 'sunglade.nowhere'", name="sunglade.nowhere")) is None


def test_imports_are_told_the_extra_and_no_other_mistake_is_hidden() -> None:
    for missing, told in (
        ("numpy.linalg", "the arena needs numpy, which is not installed; pip install 'sunglade[numba]' brings it."),
        ("sunglade.nowhere", "No module named 'sunglade.nowhere'"),
    ):
        with pytest.raises(ModuleNotFoundError) as found, naming_the_extra("the arena"):
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        assert (str(found.value), found.value.name) == (told, missing)


@pytest.mark.parametrize(
    ("library", "code", "told"),
    [
        ("numpy", "import sunglade.envs", "sunglade.envs needs numpy"),
        ("numpy", "import sunglade.envs.observation", "sunglade.envs needs numpy"),
        ("numpy", "from sunglade import data", "sunglade.data needs numpy"),
        ("numpy", "import sunglade.arena", "sunglade.arena needs numpy"),
        ("httpx", "import sunglade.client", "sunglade.client needs httpx"),
        ("pyspiel", "import sunglade.envs.openspiel", "sunglade.envs.openspiel needs pyspiel"),
        ("pettingzoo", "from sunglade.envs import sunglade_v1", "sunglade_v1 needs pettingzoo"),
        ("jax", "from sunglade.envs import JaxEnv", "JaxEnv needs jax"),
    ],
)
def test_python_is_told_what_to_install(library: str, code: str, told: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None\n{code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    extra = f"'sunglade[{EXTRAS[library]}]'" if library in EXTRAS else library
    last = done.stderr.splitlines()[-1]
    assert last == f"ModuleNotFoundError: {told}, which is not installed; pip install {extra} brings it."


@pytest.mark.parametrize(
    ("begin", "rules", "told"),
    [
        (
            "sys.modules |= dict.fromkeys(('numpy', 'numba', 'llvmlite'))",
            "{}",
            "The header needs llvmlite, which is not installed; pip",
        ),
        ("", "{", "--rules must be JSON: "),
        ("", '{"rounds": 0}', "rules.rounds must be "),
    ],
)
def test_the_header_in_c_is_refused_in_a_sentence(begin: str, rules: str, told: str) -> None:
    program = f"import sys\n{begin}\nfrom sunglade.prebuilding.header import main\nmain()"
    done = subprocess.run([sys.executable, "-c", program, "--rules", rules], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: {told}" in done.stderr and "Traceback" not in done.stderr
