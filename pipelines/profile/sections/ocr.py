"""The profile's section on text recognition, and a check of what is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from pipelines.errors import Problem, nearest
from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import (
    Address,
    KeepAlive,
    Line,
    Number,
    OptionalSecret,
    Section,
    Whole,
    duplicate_positions,
    section_error,
)

ORIENTATION = "osd"
"""Tesseract's data for detecting rotated pages."""
_LANGUAGE = re.compile(r"(script/)?[A-Za-z][A-Za-z0-9_]*")
_LISTING_S = 30.0


def _language(value: str) -> str:
    if not _LANGUAGE.fullmatch(value) or value == ORIENTATION:
        raise ValueError("must be a language as tesseract names it, such as eng, deu or chi_sim")
    return value


class OcrBase(Section):
    """Keys of every OCR engine."""

    pages: Whole = Field(default=1000, ge=1, le=100_000, description="most pages of a document that are read")
    document_timeout_s: Number = Field(
        default=3600.0, gt=0, description="seconds for one document; the remaining pages are read next time"
    )


class TesseractOcr(OcrBase):
    """Tesseract, installed on this machine."""

    engine: Literal["tesseract"]
    languages: tuple[Annotated[str, AfterValidator(_language)], ...] = Field(
        default=("eng",), min_length=1, description="languages as tesseract names them, the usual one first"
    )
    dpi: Whole = Field(default=300, ge=72, le=600, description="resolution of a drawn page, dots per inch")
    page_timeout_s: Number = Field(default=120.0, gt=0, description="seconds until a page is given up")
    concurrency: Whole = Field(default=2, ge=1, le=256, description="pages read at once, over all documents")

    @model_validator(mode="after")
    def _names_each_language_once(self) -> Self:
        if repeated := duplicate_positions(self.languages):
            raise section_error(*(ProfileIssue(("languages", index), "is listed twice") for index in repeated))
        return self


class OllamaOcr(OcrBase):
    """A vision model served by Ollama."""

    engine: Literal["ollama"]
    model: Line = Field(description="name of the model on the server, such as deepseek-ocr or qwen2.5vl:7b")
    base_url: Address = Field(default="http://127.0.0.1:11434", description="where the server answers")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    prompt: Line | None = Field(default=None, description="prompt for the model; none: a default for the model")
    dpi: Whole = Field(default=200, ge=72, le=600, description="resolution of a drawn page, dots per inch")
    max_tokens: Whole = Field(default=4096, ge=64, le=131_072, description="most tokens of a page")
    context_tokens: Whole = Field(
        default=16_384, ge=1024, le=2_097_152, description="context length of the model, tokens of image and text"
    )
    keep_alive: KeepAlive = Field(default="5m", description="how long the model stays loaded; -1: for good")
    page_timeout_s: Number = Field(default=300.0, gt=0, description="seconds until a page is given up")
    concurrency: Whole = Field(default=1, ge=1, le=256, description="pages read at once, over all documents")

    @model_validator(mode="after")
    def _a_page_leaves_room_for_its_image(self) -> Self:
        if self.max_tokens * 2 > self.context_tokens:
            text = f"leaves no room for the image: it may be half of context_tokens, which is {self.context_tokens}"
            raise section_error(ProfileIssue(("max_tokens",), text))
        return self


OcrSection = Annotated[TesseractOcr | OllamaOcr, Field(discriminator="engine")]


def ocr_problems(section: OcrSection | None) -> list[Problem]:
    """Return what is missing on this machine for the section; servers are not contacted."""
    if not isinstance(section, TesseractOcr):
        return []
    try:
        installed = tesseract_languages()
    except (OSError, subprocess.SubprocessError) as error:
        return [Problem("ocr -> engine", f"tesseract cannot be run ({type(error).__name__}); reinstall it")]
    if installed is None:
        text = "tesseract is not installed; install it (Debian, Ubuntu: apt-get install tesseract-ocr), or read pages "
        return [Problem("ocr -> engine", f'{text}with "ollama"')]
    return [
        Problem(f"ocr -> languages -> {index}", _not_installed(name, installed), nearest(name, installed))
        for index, name in enumerate(section.languages)
        if name not in installed
    ]


def tesseract_languages() -> tuple[str, ...] | None:
    """Return the languages of the installed tesseract; None if it is not installed.

    Raises:
        OSError, subprocess.SubprocessError: It is installed but does not run.
    """
    program = shutil.which("tesseract")
    if program is None:
        return None
    listed = subprocess.run(  # noqa: S603 - a program by its full path, without a shell
        [program, "--list-langs"], capture_output=True, check=True, timeout=_LISTING_S, stdin=subprocess.DEVNULL
    )
    return tuple(line.strip() for line in listed.stdout.decode(errors="replace").splitlines()[1:] if line.strip())


def _not_installed(name: str, installed: tuple[str, ...]) -> str:
    package = "tesseract-ocr-" + name.removeprefix("script/").lower().replace("_", "-")
    known = ", ".join(one for one in installed if one != ORIENTATION) or "none"
    text = f'tesseract does not know "{name}", it knows {known}; install it'
    return f"{text} (Debian, Ubuntu: apt-get install {package})"
