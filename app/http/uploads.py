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
    """A file of a form. ``name`` is the file's own, without any folder."""

    name: str
    media_type: str | None
    content: bytes


@dataclass(frozen=True, slots=True)
class UploadedForm:
    """The files of a form, at least one, and its fields, each with its texts in their order."""

    files: tuple[UploadedFile, ...]
    fields: dict[str, list[str]]


async def read_upload(
    request: Request, known: Collection[str], *, of_each_file: Collection[str], most_files: int
) -> UploadedForm:
    """Return the files of a multipart form; Starlette keeps one on disk once it is over a megabyte.

    Args:
        request: What brings the form.
        known: The fields that the form may have.
        of_each_file: Those that may be given once for each file, in the order of the files.
        most_files: How many files it may have.

    Raises:
        MalformedRequest: Not a form, one that is cut off, no file or too many, a field too often, one that is
            not in ``known``, or text in a field that cannot be kept.
        RequestTooLarge: The form is over the request's limit.
    """
    try:
        form = await _read_form(request, most_files, max_fields=len(known) + 8 + len(of_each_file) * most_files)
    except UnicodeError:
        raise MalformedRequest(Problem("", "the form's text is not in the charset that it names")) from None
    try:
        fields = _fields(form, known, of_each_file)
        files = [file for file in form.getlist(_FILE) if isinstance(file, UploadFile)]
        if not files or len(files) < len(form.getlist(_FILE)):
            raise MalformedRequest(Problem(_FILE, "must be given, as a file"))
        return UploadedForm(tuple([await _read_file(file) for file in files]), fields)
    finally:
        await form.close()


class _Form(MultiPartParser):
    """The library's reader, which by itself takes a body that breaks off for a form with less in it."""

    def __init__(self, request: Request, most_files: int, max_fields: int) -> None:
        super().__init__(request.headers, self._whole(request.stream()), max_files=most_files, max_fields=max_fields)
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


async def _read_form(request: Request, most_files: int, max_fields: int) -> FormData:
    parser = _Form(request, most_files, max_fields)
    try:
        async with aclosing(parser.stream):
            return await parser.parse()
    except MultiPartException as error:
        raise MalformedRequest(Problem("", error.message)) from None


def _fields(form: FormData, known: Collection[str], of_each_file: Collection[str]) -> dict[str, list[str]]:
    problems = list(unknown_keys(form.keys(), (_FILE, *known)))
    files = len(form.getlist(_FILE))
    for name in dict.fromkeys(form.keys()):
        values = form.getlist(name)
        if name in of_each_file and len(values) != files:
            problems.append(Problem(name, "must be given once for each file, or not at all"))
        elif len(values) > 1 and name not in (_FILE, *of_each_file):
            problems.append(Problem(name, "must be given once"))
        for value in values:
            if name in known and not isinstance(value, str):
                problems.append(Problem(name, "must be a field of text, not a file"))
            elif isinstance(value, str) and (flaw := text_flaw(value)):
                problems.append(Problem(name, flaw))
    if problems:
        raise MalformedRequest(*problems)
    return {name: [text for text in form.getlist(name) if isinstance(text, str)] for name in form.keys() - {_FILE}}


async def _read_file(file: UploadFile) -> UploadedFile:
    return UploadedFile(_name(file), file.content_type, await file.read())


def _name(file: UploadFile) -> str:
    name = PurePosixPath((file.filename or "").replace("\\", "/")).name
    flaw = "must have a name" if not name else text_flaw(name)
    if flaw:
        raise MalformedRequest(Problem(f"{_FILE} -> filename", flaw))
    return name
