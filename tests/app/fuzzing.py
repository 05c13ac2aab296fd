"""Schemathesis against a running server: what it finds, and whether it reached every operation at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.app.running import serving

KEY = "a-key-of-those-who-try-everything"
EXAMPLES = os.environ.get("FOOTNOTE_FUZZ_EXAMPLES", "3")
_TOLD = Path(__file__).with_name("schemathesis.toml")
_KEYED = 'auth: {keys: [{name: fuzz, secret: "${FOOTNOTE_FUZZ_KEY}", role: admin}]}\n'


@contextmanager
def served_with_key(folder: Path, profile: str) -> Iterator[httpx.Client]:
    """A server of ``profile``, whose only key is an admin's, and the client's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOOTNOTE_FUZZ_KEY", KEY)
        with serving(folder, (profile + _KEYED,)) as client:
            client.headers["Authorization"] = f"Bearer {KEY}"
            yield client


def fuzz(
    client: httpx.Client,
    folder: Path,
    tenant: str,
    *options: str,
    api: str = "",
    answer: str = "none",
    missed: Collection[str] = (),
) -> None:
    """Tries all that the OpenAPI document at ``api`` promises, and looks whether ``tenant`` is whole afterwards.

    Every operation must have done at least once what it was asked for, unless it is ``missed``. ``answer`` is the id of
    an answer that feedback can be about. ``FOOTNOTE_FUZZ_EXAMPLES`` is how many requests are made up for each
    operation, beside those that cover its schema.
    """
    address, report = str(client.base_url).rstrip("/") + api, folder / "report.json"
    shown = folder / "schemathesis.toml"
    shown.write_text(_TOLD.read_text(encoding="utf-8").replace("THE_ANSWER", answer), encoding="utf-8")
    asked = [f"{address}/openapi.json", "--url", address, "--max-examples", EXAMPLES, "--no-color"]
    output = ["--report", "json", "--report-json-path", str(report)]
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(shown),
        "run",
        *asked,
        *output,
        *options,
    ]
    environment = {**os.environ, "FOOTNOTE_FUZZ_KEY": KEY}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rates = json.loads(report.read_text(encoding="utf-8"))["valid_rates"]
    unreached = {name for name, phases in rates.items() if not _reached(phases.values())}
    assert unreached <= set(missed), f"all that was sent to {unreached} was refused: {rates}"
    found = client.post(f"/tenants/{tenant}/doctor").json()
    assert found["healthy"], found


def _reached(phases: Iterable[Mapping[str, int]]) -> bool:
    """Whether a request was good: it did what it asked for, or came to what was there in another state."""
    return any(phase["accepted"] or phase["conflicts"] for phase in phases)
