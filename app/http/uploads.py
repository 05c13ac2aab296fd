"""Files that arrive as multipart forms: held on disk while they come in, bounded, with checked fields."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import PurePosixPath

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.http.errors import MalformedRequest
from app.http.strict_json import text_flaw
from app.http.validation import unknown_keys
from pipelines.errors import Problem

_FILE = "file"


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file and the fields that came with it. ``name`` is the file's own, without any folder."""

    name: str
    media_type: str | None
    content: bytes
    fields: dict[str, str]


async def read_upload(request: Request, known: Collection[str]) -> UploadedFile:
    """Return the one file of a multipart form; Starlette keeps it on disk once it is over a megabyte.

    Raises:
        MalformedRequest: Not a form, one that is cut off, no file or several, a field twice, one that is not in
            ``known``, or text in a field that cannot be kept.
        RequestTooLarge: The form is over the request's limit.
    """
    try:
        form = await _read_form(request, max_fields=len(known) + 8)
    except UnicodeError:
        raise MalformedRequest(Problem("", "the form's text is not in the charset that it names")) from None
    try:
        fields = _fields(form, known)
        file = form.get(_FILE)
        if not isinstance(file, UploadFile):
            raise MalformedRequest(Problem(_FILE, "must be given, as a file"))
        return UploadedFile(_name(file), file.content_type, await file.read(), fields)
    finally:
        await form.close()


class _Form(MultiPartParser):
    """The library's reader, which by itself takes a body that breaks off for a form with less in it."""

    def __init__(self, request: Request, max_fields: int) -> None:
        super().__init__(request.headers, self._whole(request.stream()), max_files=1, max_fields=max_fields)
        self._is_whole = False

    def on_end(self) -> None:
        """Note that the closing boundary came."""
        self._is_whole = True

    async def _whole(self, body: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        async with aclosing(body):
            async for chunk in body:
                yield chunk
        if not self._is_whole:
            raise MultiPartException("the form ends before its closing boundary; send the whole body")


async def _read_form(request: Request, max_fields: int) -> FormData:
    parser = _Form(request, max_fields)
    try:
        async with aclosing(parser.stream):
            return await parser.parse()
    except MultiPartException as error:
        raise MalformedRequest(Problem("", error.message)) from None


def _fields(form: FormData, known: Collection[str]) -> dict[str, str]:
    problems = list(unknown_keys(form.keys(), (_FILE, *known)))
    for name, value in form.multi_items():
        if len(form.getlist(name)) > 1:
            problems.append(Problem(name, "must be given once"))
        elif name in known and not isinstance(value, str):
            problems.append(Problem(name, "must be a field of text, not a file"))
        elif isinstance(value, str) and (flaw := text_flaw(value)):
            problems.append(Problem(name, flaw))
    if problems:
        raise MalformedRequest(*problems)
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _name(file: UploadFile) -> str:
    name = PurePosixPath((file.filename or "").replace("\\", "/")).name
    flaw = "must have a name" if not name else text_flaw(name)
    if flaw:
        raise MalformedRequest(Problem(f"{_FILE} -> filename", flaw))
    return name
