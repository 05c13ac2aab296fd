"""What tools were asked beside the documents; `pipelines.types` offers these values with all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEPT_NOWHERE = 0
"""The version of what no document holds: a tool's result. Those of documents begin at 1."""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A call of a tool for an answer, or why none could be made.

    Attributes:
        name: ``SERVER/TOOL``; of a server that is away its name alone, and ``router`` where nothing could be decided.
        arguments: What the tool was asked.
        ms: Milliseconds that it took.
        error: Why it failed; None if it did not.
        source: The ``document_id`` of the hits and citations that are its; None if it failed.
        output: Its result as text: their spans count its characters.
        cut: The result was longer; the rest was left off.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ms: float = 0.0
    error: str | None = None
    source: str | None = None
    output: str = ""
    cut: bool = False
