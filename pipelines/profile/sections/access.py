"""The keys of a tenant."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import Identifier, KeySecret, Line, Section, duplicate_positions, section_error
from pipelines.types.roles import Role


class Key(Section):
    """A key of the tenant."""

    name: Line = Field(max_length=100, description="the key's name, for the log")
    secret: KeySecret = Field(description="written only as ${NAME}")
    role: Role = Field(description="reader < writer < admin")
    scope: dict[Identifier, Line] = Field(
        default_factory=dict, description="place in the hierarchy that it is limited to"
    )


class Auth(Section):
    """The keys; without keys the server answers this machine only."""

    keys: tuple[Key, ...] = Field(default=(), description="the keys")

    @model_validator(mode="after")
    def _keys_differ(self) -> Self:
        names = duplicate_positions(tuple(key.name for key in self.keys))
        secrets = duplicate_positions(tuple(key.secret.get_secret_value() for key in self.keys))
        found = [ProfileIssue(("keys", index, "name"), "another key has this name") for index in names]
        found += [ProfileIssue(("keys", index, "secret"), "another key has the same secret") for index in secrets]
        if found:
            raise section_error(*found)
        return self
