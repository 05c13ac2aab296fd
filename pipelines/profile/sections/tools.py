"""The profile's section on tools: the servers, the tools that may be used, and who decides."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import (
    Address,
    Identifier,
    Line,
    Number,
    Section,
    Whole,
    duplicate_positions,
    section_error,
)

KNOWLEDGE, ROUTER = "knowledge", "router"
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _header_name(value: str) -> str:
    if not _HEADER_NAME.fullmatch(value):
        raise ValueError("must be the name of an HTTP header")
    return value


def _header_value(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if text != text.strip() or not (text.isascii() and text.isprintable()):
        raise ValueError("must be printable ASCII characters without spaces at its ends")
    return value


def _variable_name(value: str) -> str:
    if not _VARIABLE_NAME.fullmatch(value):
        raise ValueError("must be the name of an environment variable")
    return value


def _variable_value(value: SecretStr) -> SecretStr:
    if "\0" in value.get_secret_value():
        raise ValueError("must not hold a null character")
    return value


HeaderName = Annotated[str, AfterValidator(_header_name)]
HeaderValue = Annotated[SecretStr, AfterValidator(_header_value)]
VariableName = Annotated[str, AfterValidator(_variable_name)]
VariableValue = Annotated[SecretStr, AfterValidator(_variable_value)]


class ToolServerBase(Section):
    """Keys of every tool server."""

    name: Identifier = Field(description="prefix of its tools: `NAME/TOOL`")
    allow: tuple[Line, ...] = Field(
        default=(), description="tools that may be used; none: those that the server marks as read-only"
    )
    timeout_s: Number = Field(
        default=15.0, gt=0, le=3600, description="seconds until a call is given up; also for starting and listing"
    )
    most_chars: Whole = Field(
        default=8000, ge=100, le=1_000_000, description="most characters of a result; the rest is cut off"
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        if self.name in (KNOWLEDGE, ROUTER):
            raise section_error(ProfileIssue(("name",), f'"{self.name}" is reserved; call the server something else'))
        if repeated := duplicate_positions(self.allow):
            raise section_error(*(ProfileIssue(("allow", index), "is listed twice") for index in repeated))
        return self


class HttpToolServer(ToolServerBase):
    """A server of the Model Context Protocol over streamable HTTP."""

    transport: Literal["http"] = Field(description="a running server, over streamable HTTP")
    url: Address = Field(description="for `http`: where it answers, such as http://127.0.0.1:9000/mcp")
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="for `http`: sent with every request; each value is written only as ${NAME}"
    )


class StdioToolServer(ToolServerBase):
    """A server of the Model Context Protocol that is started here, and format_path to over its input and output."""

    transport: Literal["stdio"] = Field(description="a program that is started here")
    command: tuple[Line, ...] = Field(
        min_length=1,
        description="for `stdio`: program and arguments, started in the profile's folder; `python` is Footnote's own",
    )
    env: dict[VariableName, VariableValue] = Field(
        default_factory=dict,
        description="for `stdio`: its environment besides PATH, HOME and the like; each value is written as ${NAME}",
    )


ToolServer = Annotated[HttpToolServer | StdioToolServer, Field(discriminator="transport")]


class ToolsSection(Section):
    """Sources beside the documents: tools that the language model may ask before it answers."""

    router: Literal["llm", "off"] = Field(
        default="llm", description="`llm`: the language model decides what to ask; `off`: only the documents"
    )
    at_most: Whole = Field(default=3, ge=1, le=10, description="calls for one question, all at once")
    refresh_s: Number = Field(
        default=300.0, ge=0, description="seconds until the servers' lists of tools are read again"
    )
    servers: tuple[ToolServer, ...] = Field(default=(), description="the tool servers")

    @model_validator(mode="after")
    def _servers_differ(self) -> Self:
        if repeated := duplicate_positions(tuple(server.name for server in self.servers)):
            raise section_error(
                *(ProfileIssue(("servers", index), "another server has this name") for index in repeated)
            )
        return self

    @property
    def asked(self) -> bool:
        """Whether the language model has tools to choose from."""
        return self.router == "llm" and bool(self.servers)

    @property
    def longest_s(self) -> float:
        """Most seconds for the calls of one question, which are made at the same time."""
        return max(2 * server.timeout_s for server in self.servers) if self.asked else 0.0
