"""Tools of Model Context Protocol servers, as the profile registers them."""

from __future__ import annotations

from pathlib import Path

from pipelines.components.tools.arguments import argument_flaw
from pipelines.components.tools.event_loop import EventLoopThread
from pipelines.components.tools.results import ToolResult
from pipelines.components.tools.servers import AvailableTools, Tool, Tools
from pipelines.profile.sections.tools import ToolsSection

__all__ = ["AvailableTools", "EventLoopThread", "Tool", "ToolResult", "Tools", "argument_flaw", "build_tools"]


def build_tools(section: ToolsSection, folder: Path) -> Tools:
    """Build the profile's tools; a server is contacted, or started in ``folder``, when it is first needed."""
    return Tools(section, folder)
