"""A server of the Model Context Protocol for one tenant, independent of the transport."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.requests import ClientDisconnect

from app import __version__
from app.mcp.tools import OFFERS, Offer
from app.native.client import TenantClient
from pipelines.errors import FootnoteError, nearest
from pipelines.profile.schema import Profile
from pipelines.profile.sections.documents import MetadataSection

Explain = Callable[[FootnoteError], str]
_UNEXPECTED = "something went wrong that is not the caller's fault; the log says more"
_log = logging.getLogger(__name__)


def build_server(profile: Profile, tenant: TenantClient, explain: Explain) -> Server[Any]:
    """Return the server of a tenant.

    Args:
        profile: The tenant's.
        tenant: The tenant as the caller may see it.
        explain: Turns an error into the caller's message.
    """

    async def list_tools(context: ServerRequestContext[Any], asked: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=TOOLS)

    async def call_tool(context: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        offer = OFFERS.get(asked.name)
        if offer is None:
            raise MCPError(INVALID_PARAMS, _no_tool(asked.name))
        return await to_thread.run_sync(partial(_called, offer, tenant, asked.arguments or {}, explain))

    return Server(
        f"footnote-{profile.tenant}",
        version=__version__,
        title=profile.title,
        instructions=instructions(profile),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def instructions(profile: Profile) -> str:
    """Instructions that a language model reads before it uses the tools."""
    lines = [
        f"The documents of {profile.title}. `search` finds passages, `answer` answers with footnotes, `list_documents` "
        "and `get_document` read. Quote what they tell verbatim, and name the source.",
        *_fields(profile.metadata),
    ]
    return "\n".join(lines)


def _fields(metadata: MetadataSection) -> Iterator[str]:
    path = metadata.hierarchy.path if metadata.hierarchy else ()
    if metadata.fields:
        yield 'Metadata to filter on, as in {"field": "value"}:'
    for name, field in metadata.fields.items():
        values = "" if field.values is None or name in path else f", one of {', '.join(field.values)}"
        yield f"- {name}: {field.type}{values}"
    if path:
        yield f"A scope names values of {', '.join(path)}, from the top down; what holds above is inherited."


def _called(offer: Offer[Any], tenant: TenantClient, arguments: dict[str, Any], explain: Explain) -> CallToolResult:
    try:
        result = offer.call(tenant, arguments)
    except FootnoteError as error:
        return _failed(explain(error))
    except ClientDisconnect:
        return _failed("the caller left")
    except Exception:  # noqa: BLE001 - the caller sees that it is a bug, the log sees which
        _log.exception("the tool %s broke off", offer.name)
        return _failed(_UNEXPECTED)
    text = TextContent(text=json.dumps(result, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=result)


def _failed(reason: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=reason)], is_error=True)


def _no_tool(name: str) -> str:
    close = nearest(name, OFFERS)
    hint = f', did you mean "{close}"?' if close else "."
    return f'there is no tool "{name}"{hint} There are {", ".join(OFFERS)}.'


def _tool(offer: Offer[Any]) -> Tool:
    return Tool(
        name=offer.name,
        title=offer.title,
        description=offer.description,
        input_schema=offer.asked.model_json_schema(),
        output_schema=offer.result.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )


TOOLS = [_tool(offer) for offer in OFFERS.values()]
