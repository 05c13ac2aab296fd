"""Settings of one process: its data folder and address. Importing this reads nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one server process.

    ``insecure`` lets tenants without keys be reached from other machines; ``local_token`` is the key of this machine's
    command line, none where no command is to work through the server; ``metrics_token`` is what the Prometheus server
    presents to read `/metrics` of all tenants. ``origins`` are those of pages elsewhere that may call from a browser;
    pages of this machine may. ``trusted_proxies`` are the addresses whose X-Forwarded-For is believed.
    ``weak_keys`` lets keys have secrets that could be guessed. ``access_log`` is the file that gets a line a request.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    insecure: bool = False
    local_token: str | None = field(default=None, repr=False)
    metrics_token: str | None = field(default=None, repr=False)
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    weak_keys: bool = False
    access_log: Path | None = None


def data_folder(given: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder: the one given, else ``FOOTNOTE_DATA``, else ``.footnote`` in the working directory."""
    return given or Path(environment.get("FOOTNOTE_DATA") or ".footnote")


def metrics_token(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the token that ``FOOTNOTE_METRICS_TOKEN`` holds, if it holds one."""
    return environment.get("FOOTNOTE_METRICS_TOKEN") or None
