"""Whether every server that a profile names answers, and what to do about one that does not."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string
from pydantic import SecretStr

from pipelines.catalogue.database import explained as explained_sql
from pipelines.components.model_servers import ask_model_server, ask_tool_servers
from pipelines.components.store.server import check_version, explained, server_client
from pipelines.engine.parts.store_names import first_collection
from pipelines.errors import FootnoteError, MissingPackage, StoreUnavailable, Unavailable
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.profile.sections.storage import ServerStore

_SECONDS = 5.0
_Asked = tuple[str, str, Callable[[], str], str]
"""What is asked: the part, its address, how, and what to do where it does not answer."""
_TRACES = "OTEL_EXPORTER_OTLP_ENDPOINT"


@dataclass(frozen=True, slots=True)
class Connection:
    """The result of checking one server: `detail` is its version, or why it did not answer and what to do."""

    part: str
    address: str
    answers: bool
    detail: str


def connections(loaded: LoadedProfile) -> Iterator[Connection]:
    """Ask every server that a profile names, one after the other; each has five seconds."""
    yield from _connected(_asked(loaded.profile))
    yield from _tool_servers(loaded)


def databases_away(loaded: LoadedProfile) -> list[Connection]:
    """Return the vector store and the catalogue, as far as they are servers that do not answer: a tenant cannot be
    opened without them. One node of a cluster that answers is enough.
    """
    store, catalogue = (list(_connected(asked(loaded.profile))) for asked in (_store_nodes, _catalogue))
    missing = [] if any(one.answers for one in store) else store
    return missing + [one for one in catalogue if not one.answers]


def has_databases(profile: Profile) -> bool:
    """Return whether any data of a tenant lie on servers, which may be away."""
    return any(True for asked in (_store_nodes, _catalogue) for _ in asked(profile))


def _connected(asked: Iterable[_Asked]) -> Iterator[Connection]:
    for part, address, ask, hint in asked:
        try:
            yield Connection(part, address, answers=True, detail=ask())
        except FootnoteError as error:
            yield Connection(part, address, answers=False, detail=f"{error.message}; {hint}")


def _asked(profile: Profile) -> Iterator[_Asked]:
    yield from _store_nodes(profile)
    yield from _catalogue(profile)
    if (url := profile.limits.redis_url) is not None:
        yield "limits", _shown(url), partial(_ask_redis, url), "is Redis running there? (limits -> redis_url)"
    yield from _models(profile)
    if endpoint := os.environ.get(_TRACES):
        yield "traces", endpoint, partial(_ask_port, endpoint), f"check {_TRACES}"


def _store_nodes(profile: Profile) -> Iterator[_Asked]:
    store = profile.store
    if isinstance(store, ServerStore):
        hint = "is Qdrant running there, with this key? (store -> url, api_key)"
        by_grpc = "" if store.grpc_port is None else f" (gRPC at port {store.grpc_port})"
        for url in store.urls:
            yield "store", url + by_grpc, partial(_ask_store, store, url, first_collection(profile)), hint


def _catalogue(profile: Profile) -> Iterator[_Asked]:
    if (url := profile.catalogue.url) is not None and not url.get_secret_value().startswith("sqlite"):
        hint = "check the address, the database and the password (catalogue -> url)"
        yield "catalogue", _shown(url), partial(_ask_database, url), hint


def _models(profile: Profile) -> Iterator[_Asked]:
    sections: dict[str, Any] = {"embedding": profile.embedding, "llm": profile.llm, "ocr": profile.ocr}
    for part, section in sections.items():
        base_url = getattr(section, "base_url", None)
        if base_url is None:
            continue  # it is of this process
        provider = section.engine if part == "ocr" else section.provider
        ask = partial(ask_model_server, provider, base_url, section.model, getattr(section, "api_key", None))
        yield part, base_url, ask, f"check {part} -> base_url, and that the server runs"


def _tool_servers(loaded: LoadedProfile) -> Iterator[Connection]:
    for server in loaded.profile.tools.servers:
        alone = loaded.profile.tools.model_copy(update={"servers": (server,)})
        tools, wrong = ask_tool_servers(alone, loaded.folder)
        address = getattr(server, "url", None) or " ".join(getattr(server, "command", ()))
        detail = "; ".join(wrong) or f"offers {', '.join(tools) or 'no tool that may be used'}"
        yield Connection(f"tools {server.name}", address, answers=not wrong, detail=detail)


def _ask_store(section: ServerStore, url: str, collection: str) -> str:
    with explained(_SECONDS):
        client = server_client(section, _SECONDS, url)
        try:
            version = check_version(client)  # which Qdrant tells without a key
            client.collection_exists(collection)
            return f"Qdrant {version}"
        finally:
            client.close()


def _ask_database(url: SecretStr) -> str:
    engine = sa.create_engine(url.get_secret_value(), connect_args={"connect_timeout": round(_SECONDS)})
    try:
        with explained_sql(), engine.connect() as connection:
            version = connection.dialect.server_version_info or ()
            return f"{connection.dialect.name} {'.'.join(map(str, version))}"
    finally:
        engine.dispose()


def _ask_redis(url: SecretStr) -> str:
    options = {"socket_timeout": _SECONDS, "socket_connect_timeout": _SECONDS}
    try:
        if not storage_from_string(url.get_secret_value(), wrap_exceptions=True, **options).check():
            raise StoreUnavailable("Redis", "it does not answer")
    except ConfigurationError as error:
        raise MissingPackage("redis", "redis") from error
    except StorageError as error:
        raise StoreUnavailable("Redis", str(error.storage_error)) from error
    return "answers"


def _ask_port(endpoint: str) -> str:
    parts = urlsplit(endpoint if "//" in endpoint else f"//{endpoint}")
    try:
        socket.create_connection((parts.hostname or "", parts.port or 4317), _SECONDS).close()
    except OSError as error:
        raise Unavailable("the collector of traces", str(error)) from error
    return "listens"


def _shown(url: SecretStr) -> str:
    """Return an address without its user and password."""
    parts = urlsplit(url.get_secret_value())
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
