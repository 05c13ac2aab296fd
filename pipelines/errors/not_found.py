"""Things that do not exist, or that the caller may not see."""

from __future__ import annotations

from pipelines.errors.base import NotFound


class DocumentNotFound(NotFound):
    """No document has this id in this tenant, or its ingestion ``failed``, for this reason, so that it has no text."""

    code = "document_not_found"

    def __init__(
        self, document_id: str, version: int | None = None, near: str | None = None, failed: str | None = None
    ) -> None:
        if failed is not None:
            super().__init__(f'document "{document_id}" has no text, because its ingestion failed: {failed}')
            return
        which = "" if version is None else f" in version {version}"
        meant = "" if near is None else f'; did you mean "{near}"?'
        super().__init__(f'no document "{document_id}"{which}{meant}')


class PageNotFound(NotFound):
    """A page of a document cannot be shown."""

    code = "page_not_found"

    def __init__(self, document_id: str, page: int) -> None:
        super().__init__(
            f'no picture of page {page} of "{document_id}": there is no such page, or no PDF is kept '
            "(limits -> original_bytes)"
        )


class PictureNotFound(NotFound):
    """A version of a document has no picture of this number."""

    code = "picture_not_found"

    def __init__(self, document_id: str, number: int) -> None:
        super().__init__(
            f'no picture {number} in "{document_id}": it has fewer, or its pictures are not kept (pictures -> keep)'
        )


class ChunkNotFound(NotFound):
    """No chunk has this id in this tenant."""

    code = "chunk_not_found"

    def __init__(self, chunk_id: str) -> None:
        super().__init__(f'no chunk "{chunk_id}"')


class TenantNotFound(NotFound):
    """No tenant of this name is served here."""

    code = "tenant_not_found"

    def __init__(self, tenant: str) -> None:
        super().__init__(f'no tenant "{tenant}" is served here')


class FileNotFound(NotFound):
    """A request names a file that is not there."""

    code = "file_not_found"

    def __init__(self, path: str) -> None:
        super().__init__(f'no file "{path}" in the folders that may be read')


class JobNotFound(NotFound):
    """No job has this id in this tenant."""

    code = "job_not_found"

    def __init__(self, job_id: str) -> None:
        super().__init__(f'no job "{job_id}"')


class ConversationNotFound(NotFound):
    """The caller has no conversation of this id."""

    code = "conversation_not_found"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(f'no conversation "{conversation_id}"')


class KeyNotFound(NotFound):
    """The tenant has no key with this name that could be changed."""

    code = "key_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'no key "{name}" that was made with `footnote keys create` and is not revoked')


class AnswerNotFound(NotFound):
    """No stored answer to this caller has this id."""

    code = "answer_not_found"

    def __init__(self, answer_id: str) -> None:
        super().__init__(f'no answer "{answer_id}" is stored; feedback -> keep_days says how long answers are kept')


class FeedbackNotFound(NotFound):
    """The caller has given no feedback on this answer."""

    code = "feedback_not_found"

    def __init__(self, answer_id: str) -> None:
        super().__init__(f'there is no feedback of yours on answer "{answer_id}"')
