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
    ``questions_at_once`` are answered at the same time, others wait, and more are refused; see
    `app.http.admission.places`.
    ``traces`` exports spans to the OpenTelemetry collector that the environment names.
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
    questions_at_once: int | None = None
    traces: bool = False


def data_folder(given: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder: the one given, else ``FOOTNOTE_DATA``, else ``.footnote`` in the working directory."""
    return given or Path(environment.get("FOOTNOTE_DATA") or ".footnote")


def metrics_token(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the token that ``FOOTNOTE_METRICS_TOKEN`` holds, if it holds one."""
    return environment.get("FOOTNOTE_METRICS_TOKEN") or None


def exports_traces(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the environment names a collector of OpenTelemetry traces."""
    return bool(environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") or environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))


def logs_json(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether ``FOOTNOTE_LOG_FORMAT`` asks for JSON lines."""
    return environment.get("FOOTNOTE_LOG_FORMAT", "").lower() == "json"
