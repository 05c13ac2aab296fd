"""A tenant as a server of the Model Context Protocol: over HTTP at `/mcp/{tenant}`, or over standard input and output.

The protocol's package takes a second to load: a server does so at its first MCP request.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.mcp.transports import exchange

__all__ = ["exchange"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("app.mcp.transports"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
