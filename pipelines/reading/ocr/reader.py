"""Reads the pages of a document side by side, within its time, each page once."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from pipelines.components.circuit_breaker import CircuitBreaker
from pipelines.errors import OcrStopped, OcrUnavailable
from pipelines.profile.sections.ocr import OcrSection, TesseractOcr
from pipelines.reading.ocr.drawing import Drawing
from pipelines.reading.ocr.programs import Programs
from pipelines.reading.page_text import Engine, Kind, PageCache, PageText, UnreadPage

_NO_TEXT_SETTINGS = {
    "base_url", "api_key", "keep_alive", "concurrency", "pages", "page_timeout_s", "document_timeout_s",
}  # fmt: skip
_NO_SETTINGS = {"base_url", "api_key", "keep_alive", "concurrency"}


@dataclass(frozen=True, slots=True)
class _Job:
    """The pages of one document: its file, and when (of the monotonic clock) they must be read.

    Without an id they are of none that could be purged, and nothing of them is kept.
    """

    file: str
    kind: Kind
    document_id: str
    deadline: float


class Ocr:
    """Reads pages as a profile's section says. Every method may be called from several threads; close it when done.

    ``name`` says for people what reads. ``text_settings`` names all settings that decide what a page's text is,
    ``settings`` also those that decide whether it is read at all.
    """

    def __init__(
        self, section: OcrSection, engine: Engine, programs: Programs, drawing: Drawing, cache: PageCache
    ) -> None:
        self._section = section
        self._engine = engine
        self._programs = programs
        self._drawing = drawing
        self._cache = cache
        self._breaker = CircuitBreaker("text recognition")
        self._closed = False
        self._pool = ThreadPoolExecutor(section.concurrency, thread_name_prefix="footnote-ocr")
        model = "+".join(section.languages) if isinstance(section, TesseractOcr) else section.model
        self.name = f"{section.engine} {model}"
        self.text_settings = _digest(section, _NO_TEXT_SETTINGS)
        self.settings = _digest(section, _NO_SETTINGS)

    def of(self, document_id: str) -> DocumentOcr:
        """Return the same for the pages of one document; "": of none, so that their text is not kept."""
        return DocumentOcr(self, document_id)

    def close(self) -> None:
        """Abort the running pages and the queued ones."""
        self._closed = True
        self._programs.close()
        self._engine.close()
        self._pool.shutdown(cancel_futures=True)

    def pages_in(self, image: bytes) -> int | UnreadPage:
        """Return how many pages an image file has.

        Raises:
            OcrUnavailable: The temporary folder cannot be written.
        """
        with _temporary(image) as file:
            return self._drawing.pages(file.name)

    def read(
        self, content: bytes, kind: Kind, pages: Sequence[int], document_id: str
    ) -> dict[int, PageText | UnreadPage]:
        """Return what stands on ``pages`` (from 0) of a file, in their order.

        Raises:
            OcrStopped: The tenant was closed during the call.
            OcrUnavailable: The temporary folder cannot be written.
        """
        taken, left = pages[: self._section.pages], pages[self._section.pages :]
        beyond = UnreadPage(f"a document's pages beyond the first {self._section.pages:,} are not read (ocr -> pages)")
        with _temporary(content) as file:
            job = _Job(file.name, kind, document_id, time.monotonic() + self._section.document_timeout_s)
            pending: dict[int, Future[PageText | UnreadPage]] = {}
            try:
                for page in taken:
                    pending[page] = self._pool.submit(self._page, job, page)
                found = {page: reading.result() for page, reading in pending.items()}
            except (CancelledError, RuntimeError) as error:  # the pool was shut down
                if self._closed:
                    raise OcrStopped from error
                raise
            finally:
                for reading in pending.values():
                    reading.cancel()
        return found | dict.fromkeys(left, beyond)

    def _page(self, job: _Job, page: int) -> PageText | UnreadPage:
        if self._closed:
            raise OcrStopped
        left = job.deadline - time.monotonic()
        if left <= 0:
            return UnreadPage("the document's time was over (ocr -> document_timeout_s)", passing=True)
        image = self._drawing.page(job.file, job.kind, page, left)
        if not isinstance(image, bytes):
            return image
        key = hashlib.sha256(f"ocr\0{self.text_settings}\0".encode() + image).digest()
        known = self._cache.known(key, job.document_id)
        return _restored(known) if known is not None else self._asked(job, image, key)

    def _asked(self, job: _Job, image: bytes, key: bytes) -> PageText | UnreadPage:
        if self._breaker.is_open:
            return UnreadPage(f"{self.name} failed several times in a row; not called for a while", passing=True)
        left = max(job.deadline - time.monotonic(), 1.0)
        seconds = min(left, self._section.page_timeout_s)
        found = self._engine.read(image, seconds)
        if self._closed:
            raise OcrStopped
        if isinstance(found, PageText):
            self._breaker.record_success()
            if job.document_id:
                self._cache.keep(key, _kept(found), job.document_id)
            return found
        if found.passing:
            self._breaker.record_failure()
        return UnreadPage(found.reason, found.passing or seconds < self._section.page_timeout_s)


class DocumentOcr:
    """Reads the pages of one document."""

    def __init__(self, ocr: Ocr, document_id: str) -> None:
        self._ocr = ocr
        self._document_id = document_id
        self.name = ocr.name

    def pages_in(self, image: bytes) -> int | UnreadPage:
        """See `Ocr`."""
        return self._ocr.pages_in(image)

    def read(self, content: bytes, kind: Kind, pages: Sequence[int]) -> dict[int, PageText | UnreadPage]:
        """See `Ocr`."""
        return self._ocr.read(content, kind, pages, self._document_id)


def _digest(section: OcrSection, without: set[str]) -> str:
    settings = section.model_dump_json(exclude=without)
    return hashlib.sha256(settings.encode()).hexdigest()[:16]


def _temporary(content: bytes) -> tempfile._TemporaryFileWrapper[bytes]:
    """Return a file of this content, which is deleted when it is closed."""
    try:
        file = tempfile.NamedTemporaryFile(prefix="footnote-ocr-")  # noqa: SIM115 - its user closes it
        try:
            file.write(content)
            file.flush()
        except OSError:
            with suppress(OSError):  # what is left in its buffer cannot be written either
                file.close()
            raise
    except OSError as error:
        raise OcrUnavailable(f"pages cannot be written to {tempfile.gettempdir()} ({error.strerror})") from error
    return file


def _kept(page: PageText) -> list[str]:
    return [page.text, "" if page.confidence is None else str(page.confidence), page.note or ""]


def _restored(kept: list[str]) -> PageText:
    text, confidence, note = kept
    return PageText(text, float(confidence) if confidence else None, note or None)
