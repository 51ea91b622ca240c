"""A real Firefox, driven over WebDriver BiDi, which it speaks itself: no driver has to be installed beside it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from web.stage import PATIENCE_S

ON_PATH = ("firefox", "firefox-esr", "firefox-devedition", "firefox-nightly")
HOW = (
    "There is no Firefox on this machine: install one (`apt install firefox-esr`), "
    "or name one with SUNGLADE_FIREFOX=/path/to/firefox."
)
# A profile that asks nobody anything and calls nobody.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    "intl.accept_languages": "en-GB,en",
    "ui.prefersReducedMotion": 1,
    "ui.primaryPointerCapabilities": 6,  # a mouse, also where the machine has none
    "ui.allPointerCapabilities": 6,
}


def found_firefox() -> str | None:
    return os.environ.get("SUNGLADE_FIREFOX") or next(filter(None, map(shutil.which, ON_PATH)), None)


class Firefox:
    """One window of Firefox. `errors` has whatever its console called an error."""

    def __init__(self, program: str, profile: Path) -> None:
        self.errors: list[str] = []
        self._ids = itertools.count(1)
        self._open = contextlib.ExitStack()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        self._socket = self._connected()
        self._ask("session.new", {"capabilities": {}})
        self._ask("session.subscribe", {"events": ["log.entryAdded"]})
        self._window = self._ask("browsingContext.getTree", {})["contexts"][0]["context"]
        self._ask("browsingContext.setViewport", {"context": self._window, "viewport": {"width": 1280, "height": 800}})

    def close(self) -> None:
        self._open.close()
        self._process.terminate()
        self._process.wait(60)

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", {"context": self._window, "url": address, "wait": "complete"})

    def reload(self) -> None:
        self._ask("browsingContext.reload", {"context": self._window, "wait": "complete"})

    def evaluate(self, expression: str) -> Any:
        """What an expression comes to in the page, read as JSON."""
        told = self._ask(
            "script.evaluate",
            {
                "expression": f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
                "target": {"context": self._window},
                "awaitPromise": True,
            },
        )
        assert told["type"] == "success", told.get("exceptionDetails", told)
        return json.loads(told["result"]["value"])

    def wait_for(self, expression: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < until, f"{expression}: did not happen in Firefox; {self.errors}"
            time.sleep(0.1)

    def click(self, x: float, y: float) -> None:
        """A real click of the mouse."""
        mouse = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        source = {"type": "pointer", "id": "mouse", "actions": mouse}
        self._ask("input.performActions", {"context": self._window, "actions": [source]})

    def click_on(self, selector: str) -> None:
        at = self.evaluate(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        self.click(*at)

    def _connected(self) -> ClientConnection:
        told = ""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            told += line
            if listening := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                return self._open.enter_context(connect(f"{listening[1]}/session", max_size=None))
        raise AssertionError(f"Firefox did not start:\n{told}")

    def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv(timeout=PATIENCE_S))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.errors.append(str(told["params"]["text"]))
            if told.get("id") == number:
                assert told["type"] == "success", told
                result: dict[str, Any] = told["result"]
                return result
