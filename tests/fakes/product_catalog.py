"""The product catalogue of `docs/examples/tool-servers`, for tests that change it or serve it over HTTP."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

from mcp.server.mcpserver import MCPServer

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "tool-servers"
CATALOG, PAPERS = FOLDER / "product_catalog.py", FOLDER / "papers.py"
build: Callable[[], MCPServer] = runpy.run_path(str(CATALOG))["build"]
