"""Documents, conversations and keys that are put into a running server for an attack, and taken out after it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from app.remote.server import Server
from pipelines.errors import FootnoteError, InvalidRequest, Problem
from pipelines.profile.levels import levels_of
from pipelines.profile.schema import Profile
from pipelines.profile.sections.documents import MetadataField, MetadataSection

_PUBLIC = "footnote isolation canary"
_MOMENT = "2000-01-01T00:00:00Z"
_PLAIN: Mapping[str, Any] = {"integer": 1, "float": 1.0, "boolean": True, "datetime": _MOMENT, "keywords": ["canary"]}
Place = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """A tenant on a running server, called with its operator's key."""

    profile: Profile
    server: Server

    @property
    def name(self) -> str:
        """The tenant."""
        return self.profile.tenant

    @property
    def root(self) -> str:
        """The native API of the tenant."""
        return f"/tenants/{self.name}"


@dataclass(frozen=True, slots=True)
class Canary:
    """A document and a conversation at a place; ``secret`` stands in their texts and nowhere else.

    ``public`` are words of the document that any question may hold, so that it is found if it can be. The conversation
    is the ``owner``'s.
    """

    tenant: str
    place: Place
    document_id: str
    conversation_id: str
    answer_id: str
    secret: str
    owner: Intruder
    public: str = _PUBLIC

    @property
    def description(self) -> str:
        """Where it is, for a report."""
        return _where(self.tenant, self.place)


@dataclass(frozen=True, slots=True)
class Intruder:
    """A key of another tenant or place, an admin's there; without a secret: a caller without a key."""

    tenant: str
    place: Place = field(default_factory=dict)
    secret: str = field(default="", repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """What its requests bring."""
        return {"X-API-Key": self.secret} if self.secret else {}

    @property
    def description(self) -> str:
        """Whose key it is, for a report."""
        return f"an admin of {_where(self.tenant, self.place)}" if self.secret else "a caller without a key"


def _where(tenant: str, place: Place) -> str:
    return f"{tenant} {dict(place)}" if place else tenant


@contextmanager
def planted(targets: Sequence[Target]) -> Iterator[tuple[list[Canary], list[Intruder]]]:
    """Put canaries and keys into tenants until the block ends; then documents are purged and keys revoked.

    Raises:
        FootnoteError: A tenant does not take them, or has no keys: it is open to all on its machine.
    """
    run = secrets.token_hex(4)
    canaries: list[Canary] = []
    intruders: list[Intruder] = []
    with ExitStack() as planted_ones:
        for target in targets:
            _require_keys(target)
            intruders.append(planted_ones.enter_context(_key(target, {}, f"isolation {run}")))
            for number, place in enumerate(places_of(target.profile.metadata)):
                key = planted_ones.enter_context(_key(target, place, f"isolation {run} {number}"))
                if place:
                    intruders.append(key)
                canaries.append(planted_ones.enter_context(_canary(target, place, f"isolation-{run}-{number}", key)))
        yield canaries, [*intruders, Intruder("")]


def places_of(section: MetadataSection) -> list[Place]:
    """Return two siblings directly below the top of the hierarchy, or the whole tenant if there is none."""
    if section.hierarchy is None:
        return [{}]
    first = section.hierarchy.path[0]
    allowed = section.fields[first].values or ("isolation-a", "isolation-b")
    return [{first: value} for value in allowed[:2]]


def _require_keys(target: Target) -> None:
    if not target.server.send("GET", f"{target.root}/keys").json()["keys"]:
        advice = "without keys it is open to all on its machine; make one with `footnote keys`"
        raise InvalidRequest(Problem("", f"{target.name} cannot be examined: {advice}"))


@contextmanager
def _key(target: Target, place: Place, name: str) -> Iterator[Intruder]:
    body = {"name": name, "role": "admin", "days": 1, **({"scope": place} if place else {})}
    secret = target.server.send("POST", f"{target.root}/keys", body=body).json()["secret"]
    try:
        yield Intruder(target.name, place, secret)
    finally:
        target.server.send("DELETE", f"{target.root}/keys/{quote(name, safe='')}")


@contextmanager
def _canary(target: Target, place: Place, name: str, owner: Intruder) -> Iterator[Canary]:
    secret = f"zq{secrets.token_hex(8)}"
    document = {
        "document_id": name,
        "title": f"Canary {secret}",
        "content": f"The {_PUBLIC} guards the code {secret}. Nobody else may read {secret}.",
        "metadata": metadata_of(target.profile.metadata, place),
    }
    path = f"{target.root}/documents"
    result = target.server.send("POST", path, body=document).json()
    if result.get("state") not in ("ready", "unchanged"):
        raise InvalidRequest(Problem("", f"{target.name} does not take a canary: {result.get('reason')}"))
    try:
        question = {"question": f"What guards {secret}?", "conversation_id": name, "tools": False}
        answer = target.server.ask_as(owner.headers, "POST", f"{target.root}/query", question).json()
        yield Canary(target.name, place, name, name, answer["answer_id"], secret, owner)
    finally:
        with suppress(FootnoteError):
            target.server.send("DELETE", f"{target.root}/conversations/{name}")
        target.server.send("DELETE", f"{path}/{name}", params={"purge": "true"})


def metadata_of(section: MetadataSection, place: Place) -> dict[str, Any]:
    """Metadata that the profile takes for a document at ``place``."""
    required = {name: _value(field) for name, field in section.fields.items() if field.required}
    levels = levels_of(section)
    if levels is None:
        return required
    level = levels.levels[1 if place else 0]
    of_level = {name: _value(section.fields[name]) for name in level.requires}
    return {**required, **of_level, levels.field: level.name, **place}


def _value(field: MetadataField) -> Any:
    if field.values:
        return [field.values[0]] if field.type == "keywords" else field.values[0]
    return _PLAIN.get(field.type, "canary")
