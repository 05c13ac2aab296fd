"""Errors over HTTP: those that only HTTP has, and one table with the status of every error there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from app.http.strict_json import InvalidJson
from pipelines.errors import (
    BatchTooLarge,
    Conflict,
    DataFolderHeld,
    DeviceMissing,
    DiskFull,
    DocumentTooLarge,
    EmbeddingChanged,
    FootnoteError,
    ImageTooLarge,
    InvalidRequest,
    JobsRunElsewhere,
    MemoryFull,
    MissingPackage,
    ModelMissing,
    NeedsWholeTenant,
    NotFound,
    OutsideRoots,
    OutsideScope,
    PartTimeout,
    Problem,
    ProfileError,
    QuotaSpent,
    StorageFull,
    TenantNotOpened,
    Unavailable,
    UnreadableDocument,
    WeightsChanged,
)
from pipelines.errors.sizes import readable_size


class MalformedRequest(InvalidRequest):
    """A request is not of the form that the route takes."""

    code = "request_malformed"


class Unauthorized(FootnoteError):
    """No key was given, or none that is known here."""

    code = "unauthorized"

    def __init__(self) -> None:
        super().__init__("give a valid key, as Authorization: Bearer KEY or as X-API-Key: KEY")


class Forbidden(FootnoteError):
    """The key's role does not reach."""

    code = "forbidden"

    def __init__(self, role: str, needed: str) -> None:
        super().__init__(f"this needs the {needed} role; your key has the {role} role")


class ForeignCaller(FootnoteError):
    """A server without keys was called under the name, or from a page, of another machine."""

    code = "misdirected_request"

    def __init__(self, header: str) -> None:
        super().__init__(
            f"a tenant here has no keys, so this machine alone is answered, and the header {header} names another; "
            "call localhost, give the profile keys, or serve with --insecure"
        )


class NotReady(FootnoteError):
    """A part of a tenant does not answer."""

    code = "not_ready"

    def __init__(self) -> None:
        super().__init__("a part of a tenant does not answer; use an admin's key to see which")


class RequestTooLarge(FootnoteError):
    """A request's body is larger than any that the route could use."""

    code = "request_too_large"

    def __init__(self, largest: str, key: str, size: int | None) -> None:
        sent = "" if size is None else f" ({readable_size(size)})"
        super().__init__(
            f"the request is too large{sent}: it has room for {largest}; send less, or raise {key} in the profile"
        )


class EncodedBody(FootnoteError):
    """A request's body is compressed; what it unpacks to could be of any size."""

    code = "body_encoded"

    def __init__(self) -> None:
        super().__init__("the body has a Content-Encoding, such as gzip, which is not read here; send it as it is")


class TooManyRequests(FootnoteError):
    """A caller has asked as often as the profile allows for now."""

    code = "too_many_requests"

    def __init__(self, per_minute: int, retry_after: int) -> None:
        super().__init__(f"more than {per_minute} requests in a minute; ask again in {retry_after} s")
        self.retry_after = retry_after


class Starting(FootnoteError):
    """The server waits for others that it needs before it can start."""

    code = "starting"
    retry_after = 5  # seconds

    def __init__(self, parts: Iterable[str]) -> None:
        waits = " and ".join(sorted(set(parts)))
        super().__init__(f"the server is starting{f'; it waits for the {waits}' if waits else ''}; ask again later")


class Stopping(FootnoteError):
    """The server ends before the answer did."""

    code = "stopping"
    retry_after = 5  # seconds

    def __init__(self) -> None:
        super().__init__("the server is stopping; ask again")


class Overloaded(FootnoteError):
    """As many requests of one kind work and wait as may."""

    code = "overloaded"
    retry_after = 1  # seconds, in which several dozen questions end

    def __init__(self, work: str, most: int) -> None:
        super().__init__(f"the server works on as many {work} as it can (working and waiting: {most}); ask again later")


class DocumentFailed(FootnoteError):
    """The one document of a request was not ingested; ``code`` and ``problems`` are those of the error that kept it."""

    def __init__(self, code: str | None, reason: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(reason, problems)
        self.code = code or UnreadableDocument.code


STATUSES: Mapping[type[FootnoteError], int] = {
    InvalidJson: 400,
    MalformedRequest: 400,
    Unauthorized: 401,
    Forbidden: 403,
    OutsideScope: 403,
    NeedsWholeTenant: 403,
    OutsideRoots: 403,
    NotFound: 404,
    Conflict: 409,
    BatchTooLarge: 413,
    DocumentTooLarge: 413,
    RequestTooLarge: 413,
    ImageTooLarge: 413,
    EncodedBody: 415,
    ForeignCaller: 421,
    InvalidRequest: 422,
    TooManyRequests: 429,
    UnreadableDocument: 422,
    QuotaSpent: 422,
    FootnoteError: 500,
    ProfileError: 500,
    MemoryFull: 503,
    MissingPackage: 503,
    NotReady: 503,
    Overloaded: 503,
    Starting: 503,
    Stopping: 503,
    ModelMissing: 503,
    DeviceMissing: 503,
    WeightsChanged: 503,
    TenantNotOpened: 503,
    Unavailable: 503,
    PartTimeout: 504,
    StorageFull: 507,
    DiskFull: 507,
}

# Their messages name folders, addresses and settings: they are for the operator's log.
_PRIVATE = (
    ProfileError,
    MissingPackage,
    DeviceMissing,
    ModelMissing,
    WeightsChanged,
    DataFolderHeld,
    JobsRunElsewhere,
    EmbeddingChanged,
    Unavailable,
)


def status_of(error: FootnoteError) -> int:
    """Return the HTTP status of an error: that of its class, or of the nearest one above it."""
    return next(STATUSES[kind] for kind in _kind(error).__mro__ if kind in STATUSES)


def is_private(error: FootnoteError) -> bool:
    """Return whether the error's message must not leave the process."""
    return issubclass(_kind(error), _PRIVATE) or status_of(error) == STATUSES[FootnoteError]


def _kind(error: FootnoteError) -> type[FootnoteError]:
    if not isinstance(error, DocumentFailed):
        return type(error)
    return next((kind for kind in error_classes() if kind.code == error.code), UnreadableDocument)


def error_classes(root: type[FootnoteError] = FootnoteError) -> Iterator[type[FootnoteError]]:
    """``root`` and every class below it."""
    yield root
    for below in root.__subclasses__():
        yield from error_classes(below)
