"""Where documents come from besides the knowledge folder."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.patterns import is_pattern
from pipelines.profile.sections.tools import HeaderName, HeaderValue
from pipelines.profile.values import Address, Identifier, Line, Section, Whole, section_error

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:\d{1,5})?")


def _host(value: str) -> str:
    if not _HOST.fullmatch(value):
        raise ValueError("must be the name of a host alone, such as docs.example.org or wiki.local:8080")
    return value.lower()


def _pattern(value: str) -> str:
    if not is_pattern(value):
        raise ValueError("is not a pattern such as *.md or drafts/")
    return value


def _without_password(value: str) -> str:
    try:
        password = urlsplit(value).password
    except ValueError:
        password = None
    if password:
        raise ValueError("must not hold a password: it would be shown")
    return value


def _of_a_store(value: str) -> str:
    if value.lower().startswith(("http://", "https://")):
        raise ValueError("must not be a web address; use a source of the kind web")
    return value


_HOSTS = "other hosts that may be asked, and those of a private network that are named by name; any further is refused"
Host = Annotated[str, AfterValidator(_host)]
Pattern = Annotated[str, AfterValidator(_pattern)]
PlainUrl = Annotated[Line, AfterValidator(_without_password)]
StoreUrl = Annotated[PlainUrl, AfterValidator(_of_a_store)]


class SourceBase(Section):
    """Keys of every source."""

    name: Identifier = Field(description="begins the ids of its documents: `name/path`")
    include: tuple[Pattern, ...] = Field(
        default=(), description="take only what matches one of these patterns, as `.gitignore` writes them"
    )
    exclude: tuple[Pattern, ...] = Field(default=(), description="leave out what matches; it is not fetched")
    most: Whole = Field(default=50_000, ge=1, le=1_000_000, description="items that are read; more are refused")


class WebSource(SourceBase):
    """Web pages."""

    kind: Literal["web"] = Field(description="pages, also those of a sitemap")
    pages: tuple[Address, ...] = Field(default=(), description="addresses of pages and files")
    sitemap: Address | None = Field(default=None, description="address of a sitemap, or of an index of sitemaps")
    hosts: tuple[Host, ...] = Field(default=(), description=_HOSTS)
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="sent with each request to the servers of `pages` and `sitemap`"
    )
    most: Whole = Field(default=1000, ge=1, le=1_000_000, description="pages that are read; more are refused")
    robots: bool = Field(default=True, description="leave out what the site's robots.txt forbids")

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not self.pages and self.sitemap is None:
            raise section_error(ProfileIssue((), "needs pages or a sitemap"))
        return self


class FeedSource(SourceBase):
    """An RSS or Atom feed; each entry is a document, which stays when the feed no longer lists it."""

    kind: Literal["feed"] = Field(description="an RSS or Atom feed; entries stay when it drops them")
    url: Address = Field(description="address of the feed")
    hosts: tuple[Host, ...] = Field(default=(), description=_HOSTS)
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="sent with each request to the server of `url`"
    )


class GitSource(SourceBase):
    """A Git repository, by the program `git`."""

    kind: Literal["git"] = Field(description="a Git repository, by the program `git`")
    url: PlainUrl = Field(description="as `git clone` takes it, or a folder relative to the profile")
    branch: Line | None = Field(default=None, description="default: the repository's own")
    folder: Line = Field(default=".", description="take only what is below this folder of the repository")


class FileSource(SourceBase):
    """Files of any store that fsspec reads."""

    kind: Literal["files"] = Field(description="files of any store that fsspec reads")
    url: StoreUrl = Field(
        description="such as `s3://bucket/folder`, which needs the package s3fs, or a folder relative to the profile"
    )
    options: dict[str, Any] = Field(default_factory=dict, description="what fsspec takes for this store")
    secrets: dict[str, SecretStr] = Field(
        default_factory=dict, description="secret options; each value is written only as ${NAME}"
    )


class MailSource(SourceBase):
    """A mailbox in one file (mbox); each message is a document."""

    kind: Literal["mbox"] = Field(description="a mailbox in one file; each message is a document")
    path: Line = Field(description="the file, relative to the profile")


Source = Annotated[WebSource | FeedSource | GitSource | FileSource | MailSource, Field(discriminator="kind")]
