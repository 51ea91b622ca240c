"""What a page of ours may do: load from its own host alone, and run nothing that does not come from there."""

from __future__ import annotations

from typing import Final

SOURCES: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "media-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'self'",
    "form-action": "'none'",
}
WEBASSEMBLY: Final = "'wasm-unsafe-eval'"
"""What tables on the device need besides."""


def content_policy(*, webassembly: bool) -> str:
    """The policy as browsers read it."""
    more = {"script-src": f"{SOURCES['script-src']} {WEBASSEMBLY}"} if webassembly else {}
    return "; ".join(f"{what} {where}" for what, where in (SOURCES | more).items())


def served_policy(*, webassembly: bool = False) -> str:
    """The policy as a server sends it: only there it can say that no other page may show ours in a frame."""
    return f"{content_policy(webassembly=webassembly)}; frame-ancestors 'none'"
