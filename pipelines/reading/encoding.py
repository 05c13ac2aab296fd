"""From bytes to characters: UTF-8, or what the bytes declare, or a guess that must be a confident one."""

from __future__ import annotations

import codecs
import re

from pipelines.errors import CorruptDocument

# UTF-32 first: its little-endian mark begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# What is met in practice; without this list short texts are taken for exotic code pages.
_CANDIDATES = [
    "cp1252", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1251", "koi8_r",
    "cp1250", "cp1253", "cp1254", "cp1255", "cp1256",
]  # fmt: skip
_MOST_DISORDER = 0.1
_AS_GOOD = 0.02

_STRUCK = re.compile(r"([^\b\n])(?:[\b]\1)+")
_UNDERLINED = re.compile(r"_[\b]([^\b\n])|([^\b\n])[\b]_")
_STRUCK_BULLET = re.compile(r"\+[\b]o|o[\b]\+")
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape"})
"""What Python decodes too and no text is in; Punycode takes quadratic time."""
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")

_CONVERT = "save it as UTF-8 and ingest it again"


def without_overstrikes(text: str) -> str:
    """Return text as a terminal shows it: manual pages print bold and underlined letters over one another."""
    if "\b" not in text:
        return text
    # Letters that are bold and underlined are struck with themselves first.
    once = _STRUCK.sub(r"\1", _STRUCK_BULLET.sub("•", text))
    return _UNDERLINED.sub(lambda found: found[1] or found[2], once)


def normalised(text: str, label: str) -> str:
    """Return text with line feeds for every line end; refuse what cannot be stored or is no text."""
    if "\x00" in text:
        raise CorruptDocument(
            label, "it holds NUL characters, as binary data does; remove them or name its true format"
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        found = f"U+{ord(text[error.start]):04X} at character {error.start}"
        raise CorruptDocument(label, f"it holds half a character ({found}); {_CONVERT}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, label: str, declared: str | None = None) -> str:
    """Return the characters of ``data``.

    A byte order mark decides and is dropped; then UTF-8, the ``declared`` charset, and charset-normalizer's guess are
    tried in turn. Nothing is ever replaced: bytes that stay doubtful are refused.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], codec, label)
    # The few encodings that look like ASCII, or like binary data, until somebody names them.
    named = _declared(data, declared) if b"\x1b" in data or b"\x00" in data else None
    if named is not None:
        return named
    if b"\x00" in data:
        raise CorruptDocument(label, f"it holds NUL bytes: it is binary, or UTF-16 without its mark; {_CONVERT}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_damaged_utf8(data, label, error)
        text = _declared(data, declared) or _guessed(data, label)
    text = without_overstrikes(text)
    _refuse_binary(text, label)
    return text


def _strictly(data: bytes, codec: str, label: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise CorruptDocument(label, f"byte {error.start} is not valid {codec.upper()}; {_CONVERT}") from error


def _refuse_damaged_utf8(data: bytes, label: str, error: UnicodeDecodeError) -> None:
    """Refuse UTF-8 with a few bad bytes, which as any other encoding would be mangled throughout."""
    rest, good = _MULTIBYTE.subn(b"", data)
    if good >= max(1, len(_HIGH_BYTE.findall(rest))):
        line = data.count(b"\n", 0, error.start) + 1
        raise CorruptDocument(label, f"it is UTF-8 but for byte {error.start} on line {line}; {_CONVERT}") from error


def _declared(data: bytes, charset: str | None) -> str | None:
    try:
        return data.decode(charset) if charset and _is_charset(charset) else None
    except (LookupError, UnicodeError):
        return None


def _is_charset(name: str) -> bool:
    return codecs.lookup(name).name.replace("-", "_") not in _NO_CHARSETS


def _guessed(data: bytes, label: str) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(data, cp_isolation=_CANDIDATES, threshold=_MOST_DISORDER)
    best = matches.best()
    if best is None:
        raise CorruptDocument(label, f"its encoding cannot be recognised with confidence; {_CONVERT}")
    plausible = [
        name for match in matches if match.chaos <= best.chaos + _AS_GOOD for name in match.could_be_from_charset
    ]
    # Western European bytes read as well in the Central European page, whose letters are then wrong.
    return _strictly(data, "cp1252" if "cp1252" in plausible else best.encoding, label)


def _refuse_binary(text: str, label: str) -> None:
    if len(_BINARY.findall(text)) > len(text) // 100:
        raise CorruptDocument(label, "it holds binary data; name its true format")
