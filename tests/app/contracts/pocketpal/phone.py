"""A server of PocketPal's contract with a folder of documents, and calls of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx

from tests.app.contracts.pocketpal.shapes import ERROR
from tests.app.contracts.published import require

PROFILE = """
tenant: pocketpal
contract: pocketpal
knowledge: {{path: {folder}}}
metadata: {{fields: {{author: {{type: keyword}}, source: {{type: keyword}}, tags: {{type: keywords}}}}}}
chunking: {{splitter: sentence, size: 500, overlap: 50, unit: character}}
limits: {{top_k: 100}}
"""
MODEL = (
    "The AI model is configured in the settings. Choose a model that fits into the memory of the phone. "
    "A larger model answers better and more slowly. The temperature decides how inventive its answers are."
)
VOICE = "Voice input is recorded by the microphone. Speech is turned into text on the phone, and nothing leaves it."


def write_documents(folder: Path) -> Path:
    """A folder with a document on models and one on voices."""
    folder.mkdir(exist_ok=True)
    (folder / "model.md").write_text(f"# Models\n\n{MODEL}")
    (folder / "voice.txt").write_text(VOICE)
    page = f"<html><head><title>Voices</title></head><body><p>{VOICE}</p></body></html>"
    (folder / "page.html").write_text(page)
    return folder


class Phone:
    """Calls of a server, as the app makes them."""

    def __init__(self, client: httpx.Client, folder: Path) -> None:
        self.client = client
        self.folder = folder

    def call(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """The value of a response, which must be of ``status``; an error must have the published shape."""
        sent = {"json": body} if method in ("POST", "PUT") else {}
        answer = self.client.request(method, f"/api/rag/{path}", **sent)
        assert answer.status_code == status, answer.text
        if status >= 400:
            require(ERROR, answer.json())
            return answer.json()["error"]
        return answer.json()

    def ingest(self, name: str, kind: str = "md", status: int = 200, **more: Any) -> Any:
        """Ingests a file of the folder."""
        return self.call(
            "POST", "documents/ingest", status, documentPath=str(self.folder / name), documentType=kind, **more
        )

    def search(self, **asked: Any) -> Any:
        """Results of a search."""
        return self.call("POST", "vectors/search", **asked)["results"]

    def ended(self, path: str) -> Any:
        """A batch or a task when it is over."""
        until = time.monotonic() + 120
        while (found := self.call("GET", path))["status"] in ("queued", "processing"):
            assert time.monotonic() < until, found
            time.sleep(0.05)
        return found
