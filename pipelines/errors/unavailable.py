"""Parts that do not answer: models, servers, stores, readers and tools."""

from __future__ import annotations

from pipelines.errors.base import FootnoteError, PartTimeout, Unavailable


class EmbeddingUnavailable(Unavailable):
    """The embedding model or its server does not answer."""

    code = "embedding_unavailable"


class LlmUnavailable(Unavailable):
    """The language model's server does not answer, or answers something else."""

    code = "llm_unavailable"


class LlmBusy(LlmUnavailable):
    """More calls of the language model run and wait than the profile allows."""

    code = "llm_busy"


class OcrUnavailable(Unavailable):
    """Text recognition is not available, and no page of a document could be read."""

    code = "ocr_unavailable"

    def __init__(self, why: str) -> None:
        super().__init__(
            "text recognition",
            f"{why}; the next sync or ingestion tries the document again",
        )


class OcrStopped(Unavailable):
    """The tenant is closed in the middle of a document."""

    code = "ocr_stopped"

    def __init__(self) -> None:
        super().__init__("text recognition", "the tenant is being closed")


class ReaderUnavailable(Unavailable):
    """The processes that read files cannot be started."""

    code = "reader_unavailable"

    def __init__(self, why: str) -> None:
        super().__init__("reading files", why)


class ReaderStopped(Unavailable):
    """The tenant is closed while a file is read."""

    code = "reader_stopped"

    def __init__(self) -> None:
        super().__init__("reading files", "the tenant is being closed")


class TokensMissing(Unavailable):
    """Late interaction is asked for, and the chunks were stored without the vectors of their words."""

    code = "tokens_missing"

    def __init__(self) -> None:
        super().__init__("late interaction", "run `footnote reembed`, which stores the vectors of the chunks' words")


class RerankerUnavailable(Unavailable):
    """The model of a reranker stage is not available."""

    code = "reranker_unavailable"


class LlmAnswerInvalid(LlmUnavailable):
    """The language model's answer does not have the requested form, or is empty."""

    code = "llm_answer_invalid"


class StoreUnavailable(Unavailable):
    """The vector store does not answer."""

    code = "store_unavailable"


class CatalogueClosed(StoreUnavailable):
    """The tenant was closed, and nothing is read or written of it any more."""

    code = "catalogue_closed"

    def __init__(self) -> None:
        super().__init__("the tenant", "it has been closed")


class DiskFull(StoreUnavailable):
    """The disk has too little room left for what is to be written; nothing of it was."""

    code = "disk_full"

    def __init__(self, free: int, wanted: int) -> None:
        super().__init__(
            "the vector store",
            f"its disk has {free >> 20:,} MB left, and {wanted >> 20:,} MB are needed for this; free some room on it, "
            "or move the data to another disk",
        )


class StoreFilesDamaged(StoreUnavailable):
    """The embedded vector store cannot read its files."""

    code = "store_files_damaged"


class StoreDamaged(StoreUnavailable):
    """The vector store is empty, elsewhere or cannot be read; the catalogue has all that it is made of.

    Args:
        tenant: The tenant.
        cause: What is wrong.
        place: A folder and its machine in ``cause`` that callers of a server must not read.
    """

    code = "store_damaged"

    def __init__(self, tenant: str, cause: str, place: str = "") -> None:
        self.place = place
        advice = f"stop what serves the tenant {tenant}, and run: footnote doctor PROFILE --repair"
        super().__init__("the vector store", f"{cause}; it can be made again from the catalogue: {advice}")


class CatalogueDamaged(StoreUnavailable):
    """The file of a SQLite catalogue cannot be read."""

    code = "catalogue_damaged"

    def __init__(self, fault: str) -> None:
        advice = "stop what serves the tenant, and restore its backup: footnote restore TENANT FILE --replace"
        super().__init__("the catalogue's database", f"its file is damaged ({fault}); {advice}")


class TenantNotOpened(FootnoteError):
    """A tenant is left out of a server that serves others: its data could not be opened at the start.

    Args:
        tenant: The tenant.
        reason: Why, and what to do; callers read it, so that it names no folder of the machine.
    """

    code = "tenant_not_opened"

    def __init__(self, tenant: str, reason: str) -> None:
        super().__init__(
            f'the tenant "{tenant}" is not served until the next start of the server, because its data could not be '
            f"opened: {reason}"
        )


class ToolUnavailable(Unavailable):
    """A tool, or the server that offers it, tells nothing; ``reason`` holds nothing that others may not know."""

    code = "tool_unavailable"

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"the tool {name}", reason)
        self.name = name
        self.reason = reason


class LlmTimeout(PartTimeout):
    """The language model answered too slowly."""

    code = "llm_timeout"
