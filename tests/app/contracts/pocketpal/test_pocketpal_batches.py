"""A file of a batch that is wrong fails alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.contracts.pocketpal.phone import Phone

GOOD = {"path": "voice.txt", "type": "txt"}


def ended(phone: Phone, *documents: dict[str, Any]) -> Any:
    return phone.ended(f"batch/{phone.call('POST', 'batch/ingest', documents=[*documents])['batchId']}")


def test_types_may_be_written_as_clients_write_them(phone: Phone) -> None:
    named = {"page.html": "html", "model.md": "Markdown", "voice.txt": "text"}
    (phone.folder / "rates.csv").write_text("plan,price\nbasic,3\n")
    batch = ended(
        phone, *({"path": path, "type": kind} for path, kind in named.items()), {"path": "rates.csv", "type": ".csv"}
    )
    assert (batch["status"], batch["progress"]["completed"], batch["errors"]) == ("completed", 4, [])
    listed = {one["id"]: one["type"] for one in phone.call("GET", "documents")["documents"]}
    assert listed == {"page.html": "web", "model.md": "md", "voice.txt": "txt", "rates.csv": "csv"}


@pytest.mark.parametrize(
    ("wrong", "path", "message"),
    [
        ({"path": "model.md", "type": "parchment"}, "model.md", "type: must be one of pdf, txt, md, web"),
        ({"path": "model.md", "type": ""}, "model.md", "type: must not be empty"),
        ({"path": "model.md", "type": "md", "metadata": {"tags": "x"}}, "model.md", "tags: must be a list"),
        ({"path": "", "type": "md"}, "(no path)", "path: must not be empty"),
    ],
)
def test_a_file_that_is_wrong_fails_alone(phone: Phone, wrong: dict[str, Any], path: str, message: str) -> None:
    batch = ended(phone, GOOD, wrong)
    assert (batch["status"], batch["progress"]["completed"], batch["progress"]["failed"]) == ("completed", 1, 1)
    [error] = batch["errors"]
    assert error["path"] == path
    assert message in error["message"]
    refused = phone.call("POST", "batch/ingest", 400, documents=[wrong])
    assert message in refused["message"], "nothing else is in the batch"
