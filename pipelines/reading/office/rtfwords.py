"""Words of RTF that a reader knows: signs, code pages, and what is no text."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

IGNORED = frozenset({
    "colortbl", "pict", "nonshppict", "shprslt", "do", "header", "headerl", "headerr", "headerf", "footer",
    "footerl", "footerr", "footerf", "fldinst", "objdata", "objclass", "xe", "tc", "rxe", "nesttableprops",
    "nonesttables", "listtable", "listoverridetable", "themedata", "datastore",
})  # fmt: skip
"""Groups that hold no text of the document."""

CHARACTERS: Mapping[str, str] = {
    "tab": " ",
    "line": "\n",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
}
SIGNS: Mapping[str, str] = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}

CHARSETS: Mapping[int, int] = {
    0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
    178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
}  # fmt: skip
"""The code pages of fonts' character sets."""
_NAMED = {10000: "mac_roman", 1361: "johab", 65001: "utf-8"}
_DEFAULT = "cp1252"


def codec_of_page(page: int) -> str:
    """Return the codec of a code page; that of Western Europe for one that Python does not know."""
    name = _NAMED.get(page, f"cp{page}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return _DEFAULT
