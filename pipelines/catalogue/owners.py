"""The owners of conversations, and whose conversations a caller sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from pipelines.catalogue.tables import ConversationRow
from pipelines.types import Caller


@dataclass(frozen=True, slots=True)
class Owner:
    """The scope, the key and the user that began a conversation; "" stands for the whole tenant, no key and no user.

    Names hold no line feeds, so that `text` tells any two owners apart.
    """

    scope: str = ""
    key: str = ""
    user: str = ""

    @property
    def text(self) -> str:
        """The owner as a part of a primary key."""
        return f"{self.scope}\n{self.key}\n{self.user}" if self.key else self.scope


@dataclass(frozen=True, slots=True)
class Owners:
    """Those whose conversations are seen; None stands for any scope, key or user."""

    scope: str | None = None
    key: str | None = None
    user: str | None = None

    def clauses(self) -> Iterator[sa.ColumnElement[bool]]:
        """Yield conditions on rows of conversations."""
        if self.scope is not None:
            yield ConversationRow.owner_scope == self.scope
        if self.key is not None:
            yield ConversationRow.owner_key == self.key
        if self.user is not None:
            yield ConversationRow.owner_user == self.user


def owner_of(caller: Caller, scope: str) -> Owner:
    """Return the owner of what ``caller`` begins; in a tenant without keys everything has the same owner."""
    return Owner(scope, caller.key, caller.user) if caller.key else Owner(scope)


def owners_seen(caller: Caller, scope: str, key: str | None = None, user: str | None = None) -> Owners:
    """Whose conversations ``caller`` sees: its own, those of its user if it names one, or as an admin those of all.

    Args:
        caller: Who looks.
        scope: That of the caller, "" for the whole tenant.
        key: Narrows what an admin sees.
        user: Narrows what is seen.
    """
    if caller.sees_all:
        return Owners(scope or None, key, user)
    return Owners(scope, caller.key, caller.user or user)
