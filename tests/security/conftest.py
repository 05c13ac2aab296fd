"""What attacks may use: real servers that end with their test."""

from tests.app.conftest import run_cli, serve

__all__ = ["run_cli", "serve"]
