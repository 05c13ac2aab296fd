"""The server that ``footnote serve`` runs."""

from __future__ import annotations

import gc
import logging
import os
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import typer
import uvicorn

from app.at_rest import private_files
from app.commands.access import TenantBusy
from app.http.logs import log_to_stderr
from app.http.patience import MOST_CONNECTIONS, PatientProtocol
from app.http.starting import PatientStart
from app.main import contract_paths, create_app
from app.owner import Owner, record, this_process, withdraw
from app.settings import Settings, logs_json
from pipelines.engine.connecting import Connection, databases_away
from pipelines.errors import Conflict, DataFolderHeld
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.types.holders import lock_holder, process_name

_SECONDS_TO_FINISH = 10
_NEW_OBJECTS = 200_000  # before the garbage collector looks, once the server has started
_log = logging.getLogger("footnote")
Opened = Callable[[], Sequence[Profile]]
"""The profiles of the tenants that a started server has open."""
Places = Callable[[], Sequence[tuple[str, str]]]
"""What there is on a started server, and its path."""


class AddressTaken(Conflict):
    """The address to listen on cannot be had."""

    code = "address_taken"

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host} port {port}: {reason}; name another --port, or --host")


def run(loaded: Sequence[LoadedProfile], settings: Settings, token: str) -> None:
    """Serve tenants until the process is asked to end; ``token`` lets this machine's command line in."""
    app = create_app(loaded, settings)
    application = PatientStart(app, partial(_away, loaded))
    served = [profile.profile for profile in loaded]
    folders = [settings.data / profile.tenant for profile in served]

    def opened() -> Sequence[Profile]:
        return [profile for profile in served if profile.tenant not in app.state.left_out]

    places = partial(_places, opened, contract_paths(served))
    with private_files(), _listening(settings.host, settings.port) as listener:
        try:
            _run(application, listener, _Records(settings.data, opened, token), places)
        except DataFolderHeld as error:
            raise _holder(folders) or error from None


def _holder(folders: Iterable[Path]) -> TenantBusy | None:
    """Return which other process holds one of the folders; None if the system does not say."""
    for folder in folders:
        if (pid := lock_holder(folder)) not in (None, os.getpid()):
            return TenantBusy(folder, process_name(pid), "stop it")
    return None


def _away(loaded: Sequence[LoadedProfile]) -> list[Connection]:
    """Return the databases that a tenant needs and that do not answer."""
    return list(dict.fromkeys(one for profile in loaded for one in databases_away(profile)))


def _places(opened: Opened, contracts: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return each open tenant's place, and the pages of its contract."""
    places = []
    for profile in opened():
        places.append((profile.tenant, f"/tenants/{profile.tenant}"))
        if profile.tenant in contracts:
            path = contracts[profile.tenant].rstrip("/")
            places.append((f"docs of {profile.tenant}'s own API", f"{path}/docs"))
    return [*places, ("docs", "/tenants/docs"), ("console", "/console/")]


def _run(application: PatientStart, listener: socket.socket, records: _Records, places: Places) -> None:
    config = uvicorn.Config(
        application,
        lifespan="on",
        access_log=False,  # a line for each request blocks every request once nobody reads the pipe that it goes to
        http=PatientProtocol,
        limit_concurrency=MOST_CONNECTIONS,
        server_header=False,
        proxy_headers=False,  # the application believes the proxies that the settings name
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
        timeout_keep_alive=75,  # longer than clients keep an idle connection, or one asks when this has just hung up
    )
    log_to_stderr(as_json=logs_json())
    logging.getLogger("footnote").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # the address and `ready` are printed below
    server = _Server(config, records, places, application)
    with suppress(SystemExit):  # uvicorn's way to say that the start failed
        server.run(sockets=[listener])
    if application.error is not None:
        raise application.error
    if server.gave_up or not server.started:
        raise typer.Exit(1)


def _listening(host: str, port: int) -> socket.socket:
    """Bind the listening socket without accepting connections yet.

    Raises:
        AddressTaken: The address is in use, not this machine's, or not to be had without more rights.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as opened:
            # asyncio sets TCP_NODELAY only where the protocol is named
            bound = opened.enter_context(socket.socket(family, kind, protocol))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            opened.pop_all()  # from here on the server closes it
    except OSError as error:
        raise AddressTaken(host, port, error.strerror or str(error)) from None
    return bound


class _Records:
    """What tells the command line that a server holds its tenants: a record in the folder of each that is open.

    One that is left out has none, so that `footnote doctor --repair` opens it beside the server.
    """

    def __init__(self, data: Path, opened: Opened, token: str) -> None:
        self._data = data
        self._opened = opened
        self._folders: Sequence[Path] = ()
        self._token = token
        self._owner: Owner | None = None

    def write(self, host: str, port: int) -> None:
        """Say in every folder that the server answers at ``host`` and ``port``."""
        self._owner = this_process(_root(_reachable(host), port), self._token)
        self._folders = [self._data / profile.tenant for profile in self._opened()]
        for folder in self._folders:
            try:
                record(folder, self._owner)
            except OSError as error:
                _log.warning("%s cannot be written (%s): commands will not find this server", folder, error.strerror)

    def withdraw(self) -> None:
        """Take the records away."""
        if self._owner is not None:
            for folder in self._folders:
                withdraw(folder, self._owner)


class _Server(uvicorn.Server):
    """uvicorn, which says where the tenants are and that it is ready, to people and to other commands."""

    def __init__(self, config: uvicorn.Config, records: _Records, places: Places, application: PatientStart) -> None:
        super().__init__(config)
        self._records = records
        self._places = places
        self._application = application
        self.gave_up = False
        application.on_failure = self._give_up

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        if sockets is not None and self.started:
            host, port = sockets[0].getsockname()[:2]
            self._application.when_started(partial(self._announce, host, port))

    def _give_up(self) -> None:
        self.gave_up = self.should_exit = True

    def _announce(self, host: str, port: int) -> None:
        """Say that the tenants can be asked, and where."""
        self._records.write(host, port)
        gc.freeze()  # what was loaded stays: a collection that looks through it holds every request up
        gc.set_threshold(_NEW_OBJECTS)
        root = _root(host, port)
        for what, path in self._places():
            print(f"{what}: {root}{path}")
        print("ready", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop to answer."""
        self._records.withdraw()  # before the tenants are closed: what comes now waits for the folder
        await super().shutdown(sockets)


def _root(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reachable(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on ``host``."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
