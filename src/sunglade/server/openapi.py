"""`python -m sunglade.server.openapi`: the schema of the API, for making types from it."""

from __future__ import annotations

import json
import sys

from sunglade.server.app import make_inner_app


def schema_text() -> str:
    """The OpenAPI schema as JSON."""
    return json.dumps(make_inner_app(None).openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
