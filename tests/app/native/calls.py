"""What tests of the native API ask of a server again and again."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

import httpx

_PATIENCE = 240.0  # seconds; a busy machine is no failure


def ingest(api: httpx.Client, **body: Any) -> dict[str, Any]:
    """What the answer to a document that is brought and waited for says."""
    answer = api.post("documents", json=body)
    assert answer.status_code == 201, answer.text
    document: dict[str, Any] = answer.json()
    return document


def accepted(answer: httpx.Response) -> str:
    """The id of the job that an answer names."""
    assert answer.status_code == 202, answer.text
    assert set(answer.json()) == {"job_id"}
    job_id: str = answer.json()["job_id"]
    return job_id


def ended(api: httpx.Client, job_id: str) -> dict[str, Any]:
    """A job when it is neither queued nor running any more."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        answer = api.get(f"jobs/{quote(job_id, safe='')}")
        assert answer.status_code == 200, answer.text
        job: dict[str, Any] = answer.json()
        if job["state"] not in ("queued", "running"):
            return job
        time.sleep(0.05)
    raise AssertionError(f"job {job_id} did not end")


def pages(api: httpx.Client, route: str, **parameters: Any) -> Any:
    """The pages of a list, each asked for when the one before has been looked at."""
    page = api.get(route, params=parameters).json()
    yield page
    while page["next_cursor"] is not None:
        page = api.get(route, params={**parameters, "cursor": page["next_cursor"]}).json()
        yield page
