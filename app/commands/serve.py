"""``footnote serve``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import Data, ProfileNames
from app.commands.targets import require_file
from app.owner import new_token
from app.reach import require_keys
from app.settings import Settings, data_folder, exports_traces, metrics_token
from pipelines.profile.loader import load_profile
from pipelines.profile.schema import Profile

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#\s*]+")
app = typer.Typer(add_completion=False, rich_markup_mode=None)


def _proxies(given: list[str] | None) -> list[str]:
    for one in given or ():
        try:
            _ = one == "*" or ip_network(one)
        except ValueError as error:
            raise typer.BadParameter(f"{error}; name an address, a network such as 10.0.0.0/8, or *") from None
    return given or []


def _origins(given: list[str] | None) -> list[str]:
    origins = [one.rstrip("/") for one in given or ()]
    for one in origins:
        if not _ORIGIN.fullmatch(one):
            raise typer.BadParameter(
                f'"{one}" is not an origin, such as https://pets.example.org or http://10.0.0.7:3000'
            )
    return origins


@app.command()
def serve(
    profiles: ProfileNames,
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8000,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Let other machines reach tenants that have no keys.")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(callback=_origins, metavar="URL", help="Origin whose pages may call from a browser; repeatable."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(callback=_proxies, metavar="ADDRESS", help="Proxy whose X-Forwarded-For is trusted; repeatable."),
    ] = None,
    weak_keys: Annotated[
        bool, typer.Option("--allow-weak-keys", help="Start even if a key's secret is weak; change it soon.")
    ] = False,
    access_log: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Append a line to FILE for each request.")
    ] = None,
    questions_at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Questions answered at the same time; three times as many wait, without a language model at least 48,"
            " and more are refused. By default two for each processor, at most 8, or 24 with a language model.",
        ),
    ] = None,
    data: Data = None,
) -> None:
    """Serve tenants over HTTP."""
    loaded = [load_profile(name) for name in profiles]
    if access_log is not None:
        require_file("--access-log", access_log)
    token = new_token()
    settings = Settings(
        data_folder(data),
        host,
        port,
        insecure,
        token,
        metrics_token(),
        origins=tuple(origin or ()),
        trusted_proxies=tuple(trusted_proxy or ()),
        weak_keys=weak_keys,
        access_log=access_log,
        questions_at_once=questions_at_once,
        traces=exports_traces(),
    )
    if not insecure:
        _require_some_keys([profile.profile for profile in loaded], settings)
    server = import_module("app.commands.serving")  # it loads the engine, which takes seconds
    server.run(loaded, settings, token)


def _require_some_keys(profiles: Iterable[Profile], settings: Settings) -> None:
    """Refuse tenants that certainly have no keys; where a catalogue may hold some, the server looks when it starts.

    Raises:
        ProfileError: Other machines would reach such a tenant.
    """
    without = (profile for profile in profiles if not profile.auth.keys and profile.catalogue.url is None)
    require_keys((one.tenant for one in without if not (settings.data / one.tenant).exists()), settings.host)
