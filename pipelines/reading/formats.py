"""The formats that can be read: their media types, their names' endings, and the module that reads each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what people call it, its canonical media type, and the module here whose ``read`` knows it.

    ``names`` are those of files without an ending, in small letters. ``binary`` says that only a file's bytes can be
    it, never a text. ``reader`` numbers what reads it: raise it when the same bytes give another text, or other
    blocks, than before, so that documents are read again.
    """

    label: str
    media_type: str
    module: str
    suffixes: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    binary: bool = False
    reader: int = 1
    names: tuple[str, ...] = ()


def _suffixes(formats: Iterable[Format]) -> frozenset[str]:
    return frozenset(suffix for known in formats for suffix in known.suffixes)


MARKDOWN = Format(
    "Markdown",
    "text/markdown",
    "markdown.document",
    (".md", ".markdown", ".mdown", ".mkd", ".mdx"),
    ("text/x-markdown",),
    reader=15,
)
TEXT = Format("text", "text/plain", "plain.document", (".txt", ".text"), reader=11)
HTML = Format("HTML", "text/html", "html.page", (".html", ".htm", ".xhtml"), ("application/xhtml+xml",), reader=21)
MHTML = Format(
    "saved web page",
    "multipart/related",
    "html.saved",
    (".mhtml", ".mht"),
    ("application/x-mimearchive",),
    reader=2,
)
PDF = Format("PDF", "application/pdf", "pdf", (".pdf",), ("application/x-pdf",), binary=True, reader=18)
DOCX = Format("DOCX", f"{OFFICE}wordprocessingml.document", "office.docx", (".docx",), binary=True, reader=13)
PPTX = Format("PPTX", f"{OFFICE}presentationml.presentation", "office.pptx", (".pptx",), binary=True, reader=7)
XLSX = Format("XLSX", f"{OFFICE}spreadsheetml.sheet", "office.xlsx", (".xlsx",), binary=True, reader=11)
EPUB = Format("EPUB", "application/epub+zip", "epub", (".epub",), binary=True, reader=11)
CSV = Format("CSV", "text/csv", "csv", (".csv", ".tsv"), ("application/csv", "text/tab-separated-values"), reader=5)
JSON = Format("JSON", "application/json", "json.document", (".json",), ("text/json",), reader=4)
JSONL = Format(
    "JSONL",
    "application/x-ndjson",
    "json.lines",
    (".jsonl", ".ndjson"),
    ("application/jsonl", "application/x-jsonlines", "application/jsonlines", "application/ndjson"),
    reader=2,
)
EML = Format("EML", "message/rfc822", "mail.eml", (".eml",), reader=9)
MBOX = Format("mailbox", "application/mbox", "archive", (".mbox",), names=("mbox",))
RST = Format("RST", "text/x-rst", "rst", (".rst", ".rest"), ("text/prs.fallenstein.rst",), reader=18)
JATS = Format("JATS XML", "application/jats+xml", "jats", (".xml", ".nxml"), ("application/xml", "text/xml"), reader=5)
ADOC = Format("AsciiDoc", "text/asciidoc", "asciidoc", (".adoc", ".asciidoc"), ("text/x-asciidoc",), reader=8)
NOTEBOOK = Format("Jupyter notebook", "application/x-ipynb+json", "notebook", (".ipynb",), reader=8)
LOG = Format("log", "text/x-log", "log", (".log",))
VTT = Format("WebVTT", "text/vtt", "subtitles", (".vtt",), ("text/webvtt",), reader=2)
SRT = Format("SubRip", "application/x-subrip", "subtitles", (".srt",), ("application/srt", "text/srt"), reader=2)
RTF = Format("RTF", "application/rtf", "office.rtf", (".rtf",), ("text/rtf",), reader=7)
ODT = Format("ODT", f"{_OPEN}text", "office.opendocument", (".odt",), binary=True, reader=7)
ODS = Format("ODS", f"{_OPEN}spreadsheet", "office.opendocument", (".ods",), binary=True, reader=10)
ODP = Format("ODP", f"{_OPEN}presentation", "office.opendocument", (".odp",), binary=True, reader=4)
XLS = Format("XLS", "application/vnd.ms-excel", "office.xls", (".xls",), binary=True, reader=11)
MSG = Format("MSG", "application/vnd.ms-outlook", "mail.msg", (".msg",), binary=True, reader=7)
ZIP = Format("ZIP", "application/zip", "archive", (".zip",), binary=True)
PNG = Format("PNG", "image/png", "image", (".png",), binary=True, reader=2)
JPEG = Format("JPEG", "image/jpeg", "image", (".jpg", ".jpeg"), ("image/jpg", "image/pjpeg"), binary=True, reader=2)
TIFF = Format("TIFF", "image/tiff", "image", (".tif", ".tiff"), ("image/tiff-fx",), binary=True, reader=2)

PHP = Format("PHP", "text/x-php", "code.program", (".php",), ("application/x-httpd-php",), reader=2)
SETTINGS = (
    Format(
        "YAML",
        "application/yaml",
        "code.settings",
        (".yaml", ".yml"),
        ("text/yaml", "text/x-yaml", "application/x-yaml"),
        reader=4,
    ),
    Format("TOML", "application/toml", "code.settings", (".toml",), ("text/x-toml",), reader=4),
    Format("INI", "text/x-ini", "code.settings", (".ini", ".cfg", ".conf", ".properties"), reader=4),
)
CODE = (
    Format("Python", "text/x-python", "code.program", (".py", ".pyi"), ("application/x-python-code",), reader=2),
    Format(
        "JavaScript",
        "text/javascript",
        "code.program",
        (".js", ".jsx", ".mjs", ".cjs"),
        ("application/javascript",),
        reader=2,
    ),
    Format("TypeScript", "text/x-typescript", "code.program", (".ts", ".tsx", ".mts", ".cts"), reader=2),
    Format("Java", "text/x-java", "code.program", (".java",), reader=2),
    Format("Kotlin", "text/x-kotlin", "code.program", (".kt", ".kts"), reader=2),
    Format("Scala", "text/x-scala", "code.program", (".scala",), reader=2),
    Format("Go", "text/x-go", "code.program", (".go",), reader=2),
    Format("Rust", "text/x-rust", "code.program", (".rs",), reader=2),
    Format("C", "text/x-c", "code.program", (".c", ".h"), ("text/x-csrc", "text/x-chdr"), reader=2),
    Format(
        "C++",
        "text/x-c++",
        "code.program",
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"),
        ("text/x-c++src",),
        reader=2,
    ),
    Format("C#", "text/x-csharp", "code.program", (".cs",), reader=2),
    Format("Swift", "text/x-swift", "code.program", (".swift",), reader=2),
    Format("Ruby", "text/x-ruby", "code.program", (".rb",), reader=2),
    PHP,
    Format("Perl", "text/x-perl", "code.program", (".pl", ".pm"), reader=2),
    Format("Lua", "text/x-lua", "code.program", (".lua",), reader=2),
    Format("R", "text/x-r", "code.program", (".r",), reader=2),
    Format(
        "shell script", "text/x-shellscript", "code.program", (".sh", ".bash", ".zsh"), ("application/x-sh",), reader=2
    ),
    Format("SQL", "application/sql", "code.program", (".sql",), ("text/x-sql",), reader=2),
    Format(
        "Makefile", "text/x-makefile", "code.makefile", (".mk", ".mak"), names=("makefile", "gnumakefile"), reader=2
    ),
)
IMAGES = (PNG, JPEG, TIFF)
"""What is read where the profile has images read."""
OPEN_DOCUMENTS = (ODT, ODS, ODP)
PACKAGES = (DOCX, PPTX, XLSX, EPUB, *OPEN_DOCUMENTS)
"""ZIP archives of one kind or another."""
OLD_OFFICE = (XLS, MSG)
"""Compound files of Microsoft's (OLE)."""
_WITH_PICTURES = frozenset((PDF, *PACKAGES, HTML, *IMAGES))
FORMATS = (
    *(MARKDOWN, TEXT, HTML, PDF, DOCX, PPTX, XLSX, EPUB, CSV, JSON, JSONL, EML, RST, JATS, ADOC, NOTEBOOK, LOG, RTF),
    *(MHTML, MBOX, VTT, SRT, *OPEN_DOCUMENTS, *OLD_OFFICE, ZIP, *SETTINGS, *CODE, *IMAGES),
)

SUPPORTED_SUFFIXES = tuple(sorted(suffix for known in FORMATS if known not in IMAGES for suffix in known.suffixes))
"""The endings of what is read under every profile."""
TOLD_SUFFIXES = (*(suffix for suffix in SUPPORTED_SUFFIXES if suffix not in _suffixes(CODE)), "source code")
"""What an error lists: those endings, without the many of programs."""

# What browsers and mail programs say when they do not know, or, of a CSV on Windows, believe to know.
GENERIC = frozenset(
    {
        "application/octet-stream",
        "binary/octet-stream",
        "application/zip",
        "application/x-zip-compressed",
        "application/vnd.ms-excel",
    }
)

_BY_SUFFIX = {suffix: known for known in FORMATS for suffix in known.suffixes}
_BY_NAME = {name: known for known in FORMATS for name in known.names}
_BY_MEDIA_TYPE = {
    alias: known for known in FORMATS for alias in (known.media_type, *known.aliases) if alias not in GENERIC
}


def suffix_of(name: str) -> str:
    """Return the ending of a file's name or address in small letters, with its dot; empty where there is none."""
    last = _last(urlsplit(name).path if "://" in name else name)
    stem, dot, ending = last.rpartition(".")
    return f".{ending.lower()}" if dot and stem and ending else ""


def by_name(name: str) -> Format | None:
    """Return the format that a name's ending stands for, or a file's whole name."""
    return _BY_SUFFIX.get(suffix_of(name)) or (None if "://" in name else _BY_NAME.get(_last(name).lower()))


def _last(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def by_media_type(media_type: str) -> Format | None:
    """Return the format of a media type without parameters; any unknown kind of text is read as plain text."""
    return _BY_MEDIA_TYPE.get(media_type) or (TEXT if media_type.startswith("text/") else None)


def label_of(media_type: str) -> str:
    """Return what people call the format of a media type, the media type itself where no reader knows it."""
    known = by_media_type(media_type)
    return known.label if known else media_type


def reader_of(media_type: str) -> int:
    """Return the number of what reads a document of this media type at present; 0 where nothing reads it."""
    known = by_media_type(media_type)
    return known.reader if known else 0


def media_type_of(name: str) -> str | None:
    """Return the canonical media type that a name's ending stands for, None where no reader knows it."""
    known = by_name(name)
    return known.media_type if known else None


def may_hold_pictures(name: str, media_type: str = "") -> bool | None:
    """Return whether pictures are read from a file of this name and media type; None where neither tells its format."""
    declared = "" if media_type in GENERIC else media_type.partition(";")[0].strip().lower()
    known = by_media_type(declared) or by_name(name)
    return None if known is None else known in _WITH_PICTURES


def may_hold_scans(name: str) -> bool:
    """Return whether a file of this name may have pages without text: a PDF, an image, or what no ending tells."""
    known = by_name(name)
    return known is None or known is PDF or known in IMAGES
