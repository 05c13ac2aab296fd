"""Tools of Model Context Protocol servers, as the profile registers them."""

from __future__ import annotations

from pathlib import Path

from pipelines.components.tools.arguments import argument_flaw
from pipelines.components.tools.loop import Loop
from pipelines.components.tools.results import Told
from pipelines.components.tools.servers import Offered, Tool, Tools
from pipelines.profile.tools import ToolsSection

__all__ = ["Loop", "Offered", "Told", "Tool", "Tools", "argument_flaw", "build_tools"]


def build_tools(section: ToolsSection, folder: Path) -> Tools:
    """The profile's tools; no server is spoken to, or started in ``folder``, before it is first needed."""
    return Tools(section, folder)
