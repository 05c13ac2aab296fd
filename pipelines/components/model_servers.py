"""Servers of models and tools, asked once whether they answer, and whether they have the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

from pipelines.components.tools import build_tools
from pipelines.errors import Unavailable
from pipelines.profile.sections.tools import ToolsSection

_SECONDS = 5.0


def ask_model_server(provider: str, base_url: str, model: str, key: SecretStr | None = None) -> str:
    """Return what a server of models says of itself.

    Args:
        provider: `ollama`, `openai` or `tei`.
        base_url: Where it answers.
        model: The model that it must have.
        key: Sent to it as a bearer token.

    Raises:
        Unavailable: It does not answer, refuses the key, or lacks the model.
    """
    path = {"ollama": "/api/tags", "tei": "/info"}.get(provider, "/models")
    secret = key.get_secret_value() if key is not None else ""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    try:
        answer = httpx.get(base_url.rstrip("/") + path, headers=headers, timeout=_SECONDS)
        answer.raise_for_status()
        found = answer.json()
    except httpx.HTTPStatusError as error:
        hint = "; check its key" if error.response.status_code in (401, 403) else ""
        raise Unavailable(provider, f"status {error.response.status_code}{hint}") from error
    except (httpx.HTTPError, ValueError) as error:
        raise Unavailable(provider, _reason(error)) from error
    if provider == "tei":
        return "answers"
    names = _names(found)
    if names and not names & {model, f"{model}:latest"}:
        hint = f"; run: ollama pull {model}" if provider == "ollama" else ""
        raise Unavailable(provider, f"it has no model {model}{hint}")
    return f"has {model}"


def ask_tool_servers(section: ToolsSection, folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of the tools that may be used, and what is wrong with servers that do not answer."""
    tools = build_tools(section, folder)
    try:
        waiting = tools.loop.run(tools.offered, None)
        while True:
            try:
                next(waiting)
            except StopIteration as done:
                offered = done.value
                break
        return [tool.name for tool in offered.tools], [error.message for error in offered.away]
    finally:
        tools.close()


def _names(found: Any) -> set[str]:
    listed = found.get("models") or found.get("data") or [] if isinstance(found, dict) else []
    return {str(one.get("name") or one.get("id")) for one in listed if isinstance(one, dict)}


def _reason(error: Exception) -> str:
    return "it did not answer in time" if isinstance(error, httpx.TimeoutException) else str(error)
