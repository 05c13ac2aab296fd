"""The web console at ``/console``: static pages, which use the native API as any other client does."""

from app.console.routes import routes

__all__ = ["routes"]
