"""Requests that are malformed, forbidden, or over a limit."""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.errors.base import FootnoteError, InvalidRequest, Problem, nearest

_TO_MAKE_ROOM = {"bytes": "delete documents and purge them", "jobs": "wait until one ends, cancel one"}


class UnknownModel(InvalidRequest):
    """A request names a model that is not there."""

    code = "model_unknown"

    def __init__(self, path: str, model: str, known: tuple[str, ...]) -> None:
        super().__init__(Problem(path, f'there is no "{model}", there is {", ".join(known)}', nearest(model, known)))


class InvalidFilter(InvalidRequest):
    """A filter names a field, an operator or a value that the profile does not know."""

    code = "filter_invalid"


class UnknownValue(InvalidRequest):
    """A text matches none of the values that documents have in a field."""

    code = "value_unknown"

    def __init__(self, field: str, wording: str, known: Iterable[str]) -> None:
        message = f'"{wording}" matches no value of the documents, or several'
        super().__init__(Problem(field, message, nearest(wording, known)))


class NothingToSync(InvalidRequest):
    """A profile names nothing that a tenant could be synchronised with."""

    code = "nothing_to_sync"

    def __init__(self) -> None:
        super().__init__(Problem("knowledge -> path", "the profile names no knowledge folder and no sources"))


class InvalidScope(InvalidRequest):
    """A scope names no place of the tenant's hierarchy, or could mean several."""

    code = "scope_invalid"


class InvalidDocument(InvalidRequest):
    """A document's content or metadata cannot be taken as given."""

    code = "document_invalid"


class PromptTooLong(InvalidRequest):
    """The prompt does not fit into the model's context."""

    code = "prompt_too_long"

    def __init__(self, tokens: int, room: int) -> None:
        super().__init__(
            Problem("", f"the prompt has about {tokens:,} tokens, and llm -> context_tokens leaves room for {room:,}")
        )


class InvalidImage(InvalidRequest):
    """The data sent as an image is not a usable image."""

    code = "image_invalid"

    def __init__(self, detail: str) -> None:
        super().__init__(Problem("image", detail))


class ImageTooLarge(InvalidImage):
    """An image is larger than the limit."""

    code = "image_too_large"

    def __init__(self, limit: int, unit: str) -> None:
        super().__init__(f"is over the limit of {limit:,} {unit}; make it smaller and send it again")


class OutsideScope(FootnoteError):
    """A scoped caller wants to write a document outside of its scope."""

    code = "outside_scope"

    def __init__(self, place: str) -> None:
        super().__init__(
            f"this key may write only documents of {place}, with these values in their metadata and an id that is "
            "not taken elsewhere"
        )


class NeedsWholeTenant(FootnoteError):
    """A scoped caller asked for something that affects the whole tenant."""

    code = "held_to_scope"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} affects the whole tenant; use a key without a scope")


class OutsideRoots(FootnoteError):
    """A request names a file outside of the folders that requests may read."""

    code = "path_outside_roots"

    def __init__(self, path: str) -> None:
        super().__init__(f'"{path}" is outside of the folders that may be read; put the file into one of them')


class BatchTooLarge(FootnoteError):
    """A request has more documents than the limit."""

    code = "batch_too_large"

    def __init__(self, documents: int, most: int) -> None:
        super().__init__(f"{documents:,} documents are over the limit of {most:,}; send them in smaller batches")


class StorageFull(FootnoteError):
    """There is no room for more documents."""

    code = "storage_full"

    def __init__(self, used: int, most: int) -> None:
        super().__init__(f"{used:,} of {most:,} bytes are used; delete documents, or raise the limit")


class MemoryFull(FootnoteError):
    """The process holds more memory than it may."""

    code = "memory_full"

    def __init__(self, used: int, most: int) -> None:
        super().__init__(f"the process uses {used:,} of {most:,} bytes of memory; ingest less at a time")


class QuotaSpent(FootnoteError):
    """The tenant holds as much as its profile allows."""

    code = "quota_spent"

    def __init__(self, what: str, most: int) -> None:
        advice = f"{_TO_MAKE_ROOM.get(what, 'delete some')}, or raise limits -> quotas -> {what}"
        super().__init__(f"the tenant has all the {what} that its profile allows ({most:,}); {advice}")
