"""A textbook of robotics, and a passage of it."""

from __future__ import annotations

import httpx

PROFILE = """
tenant: textbook
title: Robotics textbook
contract: textbook
metadata:
  fields:
    chapter: {type: integer, required: true}
    section: {type: keyword}
    page: {type: integer, required: true}
store: {engine: memory}
limits: {question_chars: [3, 1000], content_chars: [1, 1000000], top_k: 20}
"""
CONTENT = (
    "A gripper closes its jaws around a part. A force sensor in the jaw tells how hard it presses. "
    "When the force is high enough the controller stops the motor, so that the part is neither dropped nor crushed. "
)
METADATA = {"title": "Grippers", "chapter": 3, "section": "Closing the jaw", "page": 42}


def ingest(client: httpx.Client, **changes: object) -> httpx.Response:
    """The answer to the passage's ingestion, some of it changed."""
    return client.post("/ingest", json={"content": CONTENT, "metadata": METADATA, **changes})
