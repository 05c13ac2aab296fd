"""The base of sections, and types of values with plain error messages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from pipelines.profile.issues import ProfileIssue

_FILTER_WORDS = ("and", "or", "not")
_LONGEST_IDENTIFIER = 64
_KEY = re.compile(r"[!-~]+")  # what survives in an HTTP header as it was written
_DURATION = re.compile(r"-?(\d+(\.\d+)?(ms|s|m|h))+")
_REDIS_URL = re.compile(r"rediss?://\S+")
_CATALOGUE_URL = re.compile(r"(postgresql|sqlite)(\+\w+)?://.*", re.DOTALL)


class Section(BaseModel):
    """A part of the profile: immutable, without unknown keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False, hide_input_in_errors=True
    )


def section_error(*issues: ProfileIssue) -> ValidationError:
    """Return the error that a section's validator raises for values that conflict; paths begin at the section."""
    return ValidationError.from_exception_data("section", [_line_error(issue) for issue in issues])


def _line_error(issue: ProfileIssue) -> InitErrorDetails:
    facts = {"text": issue.message, "suggestion": issue.suggestion}
    return InitErrorDetails(type=PydanticCustomError("misfit", "{text}", facts), loc=issue.path, input=None)


def duplicate_positions(values: tuple[str, ...]) -> list[int]:
    """Return the positions of values that occur earlier in the list."""
    return [index for index, value in enumerate(values) if value in values[:index]]


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):  # Python counts it as 0 or 1
        raise ValueError("must be a number, not true or false")
    return value


def none_if_empty(value: Any) -> Any:
    """None for what ``${NAME:-}`` leaves where NAME is not set."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    return None if text == "" else value


def is_identifier(value: str) -> bool:
    """Return whether ``value`` can name a metadata field."""
    try:
        return len(value) <= _LONGEST_IDENTIFIER and _identifier(value) == value
    except ValueError:
        return False


def _identifier(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", value):
        raise ValueError("must be lower-case letters, digits and underscores, beginning with a letter")
    if value in _FILTER_WORDS:
        raise ValueError("is a word of the filter language; choose another name")
    return value


def _tenant(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", value):
        raise ValueError("must be at most 63 lower-case letters, digits, - and _, beginning with a letter")
    return value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"\s", value):
        raise ValueError("must be an address that begins with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("must not hold a name or a password: they would be shown")
    return value


def _addresses(value: str) -> str:
    urls = [_address(one.strip()) for one in value.split(",")]
    if len(set(urls)) < len(urls):
        raise ValueError("must not name an address twice")
    return ",".join(urls)


def _key_secret(value: SecretStr) -> SecretStr:
    if not value.get_secret_value():
        raise ValueError("must not be empty: an empty key would admit everybody")
    return _sendable(value)


def _sendable(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if text and not _KEY.fullmatch(text):
        raise ValueError("must be ASCII characters without spaces and line ends")
    return value


def _catalogue_url(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not _CATALOGUE_URL.fullmatch(value.get_secret_value()):
        raise ValueError("must begin with postgresql:// (or postgresql+psycopg://), or sqlite:///")
    return value


def _redis_url(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not _REDIS_URL.fullmatch(value.get_secret_value()):
        raise ValueError("must begin with redis:// or rediss://")
    return value


def _bounds(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("must be [least, most]")
    return value


def _least_first(value: tuple[int, int]) -> tuple[int, int]:
    if not 0 <= value[0] <= value[1]:
        raise ValueError("must be [least, most], the least not below 0")
    return value


def _path(value: Path | None) -> Path | None:
    if value is not None and "\0" in str(value):
        raise ValueError("must not hold a null character")
    return value


def _keep_alive(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value.strip()):
        return int(value)  # the environment has only text
    if (
        isinstance(value, bool)
        or not isinstance(value, int | str)
        or not (isinstance(value, int) or _DURATION.fullmatch(value))
    ):
        raise ValueError('must be seconds, -1, or a duration such as "5m"')
    return value


def _one_line(value: str) -> str:
    if not value.strip() or not value.isprintable():
        raise ValueError("must be one line of text that is not empty")
    return value


Language = Literal[
    "arabic", "azerbaijani", "basque", "bengali", "catalan", "chinese", "danish", "dutch", "english", "finnish",
    "french", "german", "greek", "hebrew", "hinglish", "hungarian", "indonesian", "italian", "japanese", "kazakh",
    "nepali", "norwegian", "portuguese", "romanian", "russian", "slovene", "spanish", "swedish", "tajik", "turkish",
]  # fmt: skip
Device = Literal["auto", "cpu", "cuda"]
Whole = Annotated[int, BeforeValidator(_no_boolean)]
Number = Annotated[float, BeforeValidator(_no_boolean)]
Line = Annotated[str, AfterValidator(_one_line)]
Identifier = Annotated[str, Field(max_length=_LONGEST_IDENTIFIER), AfterValidator(_identifier)]
TenantName = Annotated[str, AfterValidator(_tenant)]
Address = Annotated[str, AfterValidator(_address)]
Addresses = Annotated[str, AfterValidator(_addresses)]
OptionalPort = Annotated[Annotated[Whole, Field(ge=1, le=65_535)] | None, BeforeValidator(none_if_empty)]
Bounds = Annotated[tuple[Whole, Whole], BeforeValidator(_bounds), AfterValidator(_least_first)]
KeepAlive = Annotated[int | str, BeforeValidator(_keep_alive)]
OptionalPath = Annotated[Path | None, BeforeValidator(none_if_empty), AfterValidator(_path)]
KeySecret = Annotated[SecretStr, AfterValidator(_key_secret)]
OptionalSecret = Annotated[SecretStr, AfterValidator(_sendable)]
RedisUrl = Annotated[SecretStr | None, BeforeValidator(none_if_empty), AfterValidator(_redis_url)]
CatalogueUrl = Annotated[SecretStr | None, BeforeValidator(none_if_empty), AfterValidator(_catalogue_url)]
