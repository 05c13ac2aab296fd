"""Small real files for the readers' tests: built byte by byte, so that each holds exactly what its test is about."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OPEN_NAMESPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" ' + " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "draw", "presentation", "meta", "svg")
)
_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def archive(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive of these parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return target.getvalue()


def paragraph(text: str, style: str = "", numbered: tuple[int, int] | None = None, properties: str = "") -> str:
    """A paragraph of Word; ``numbered`` is its list and its level there."""
    number = f'<w:numPr><w:ilvl w:val="{numbered[1]}"/><w:numId w:val="{numbered[0]}"/></w:numPr>' if numbered else ""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{styled}{number}{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def docx(body: str, *, styles: str = "", numbering: str = "", core: str = "", extra: Mapping[str, str] = {}) -> bytes:
    """A Word document of this body."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r1" Type="{_OFFICE}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
        "word/numbering.xml": f"<w:numbering {_W}>{numbering}</w:numbering>",
    }
    if core:
        parts["docProps/core.xml"] = (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
            f"{core}</cp:coreProperties>"
        )
    return archive({**parts, **extra})


def opendocument(
    kind: str,
    body: str,
    *,
    styles: str = "",
    meta: str = "",
    manifest: str = "",
    extra: Mapping[str, bytes] = {},
) -> bytes:
    """An OpenDocument file: a ``text``, ``spreadsheet`` or ``presentation``, with ``extra`` parts."""
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {_OPEN_NAMESPACES}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
            "</office:document-content>",
            "meta.xml": f'<office:document-meta {_OPEN_NAMESPACES} xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<office:meta>{meta}</office:meta></office:document-meta>",
            "META-INF/manifest.xml": f"<manifest>{manifest}</manifest>",
            **extra,
        }
    )


def epub(chapters: Mapping[str, str], *, metadata: str = "", items: str = "", extra: Mapping[str, str] = {}) -> bytes:
    """A book whose chapters, XHTML by file name, stand in this order."""
    listed = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
            "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<metadata>{metadata}</metadata><manifest>{listed}{items}</manifest><spine>{spine}</spine></package>",
            **{f"OPS/{name}": text for name, text in chapters.items()},
            **extra,
        }
    )


class PdfFile:
    """A PDF under construction: pages of lines in Helvetica, bookmarks, labels, properties, encryption."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def add(self, body: str | bytes = b"") -> int:
        """Add an object and return its number."""
        self._objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(self._objects)

    def put(self, number: int, body: str) -> None:
        """Say what an object holds that was only numbered before."""
        self._objects[number - 1] = body.encode("latin-1")

    def bytes(self, root: int, trailer: str) -> bytes:
        """The file, with the table of its objects at the end."""
        data = b"%PDF-1.7\n"
        places = []
        for number, body in enumerate(self._objects, start=1):
            places.append(len(data))
            data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        count = len(self._objects) + 1
        end = f"trailer\n<< /Size {count} /Root {root} 0 R {trailer} >>\nstartxref\n{len(data)}\n%%EOF\n"
        return data + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (count, table, end.encode("latin-1"))


def pdf(
    pages: Sequence[Sequence[str | float | bytes]],
    *,
    bookmarks: Sequence[tuple[str, int]] = (),
    labels: str = "",
    info: str = "",
    owner_locked: bool = False,
    user_locked: bool = False,
) -> bytes:
    """A PDF of these pages: each a list of lines, and of numbers, which leave so much space between two lines.

    Bytes are drawn as they are: see `placed` and `ruled`.

    ``bookmarks`` are titles with the index of their page; ``labels`` is the /Nums of the page labels.
    """
    file = PdfFile()
    catalogue, tree = file.add(), file.add()
    names = ("Helvetica", "Helvetica-Bold", "Courier")
    fonts = [file.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>") for name in names]
    listed = " ".join(f"/F{place} {font} 0 R" for place, font in enumerate(fonts, start=1))
    key = _file_key() if owner_locked else b""
    numbers = []
    for lines in pages:
        content = file.add()
        stream = _content(lines)
        file._objects[content - 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (
            len(stream),
            _rc4(_object_key(key, content), stream) if key else stream,
        )
        numbers.append(
            file.add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R "
                f"/Resources << /Font << {listed} >> >> >>"
            )
        )
    kids = " ".join(f"{number} 0 R" for number in numbers)
    file.put(tree, f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>")
    outline = f"/Outlines {_outline(file, bookmarks, numbers)} 0 R" if bookmarks else ""
    numbering = f"/PageLabels << /Nums [{labels}] >>" if labels else ""
    file.put(catalogue, f"<< /Type /Catalog /Pages {tree} 0 R {outline} {numbering} >>")
    trailer = f"/Info {file.add(f'<< {info} >>')} 0 R " if info else ""
    if owner_locked or user_locked:
        user = _rc4(key, _PAD) if owner_locked else b"?" * 32
        file_id = b"0123456789abcdef".hex()
        locked = f"<< /Filter /Standard /V 1 /R 2 /O <{b'o'.hex() * 32}> /U <{user.hex()}> /P -4 >>"
        trailer += f"/Encrypt {file.add(locked)} 0 R /ID [<{file_id}> <{file_id}>]"
    return file.bytes(catalogue, trailer)


def placed(x: float, y: float, text: str, *, size: float = 12, font: str = "F1", turned: bool = False) -> bytes:
    """What draws a text on a page of 612 by 792 points; F2 is bold, F3 has letters of one width."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    turn = "0 1 -1 0" if turned else "1 0 0 1"
    return f"BT /{font} {size:g} Tf {turn} {x:g} {y:g} Tm ({escaped}) Tj ET".encode("latin-1")


def ruled(xs: Sequence[float], ys: Sequence[float]) -> bytes:
    """What draws a grid."""
    standing = [f"{x:g} {min(ys):g} m {x:g} {max(ys):g} l S" for x in xs]
    lying = [f"{min(xs):g} {y:g} m {max(xs):g} {y:g} l S" for y in ys]
    return "\n".join(standing + lying).encode()


def _content(lines: Sequence[str | float | bytes]) -> bytes:
    height = 720.0
    drawn = []
    for line in lines:
        if isinstance(line, bytes):
            drawn.append(line)
        elif isinstance(line, str):
            drawn.append(placed(72, height, line))
            height -= 14
        else:
            height -= line
    return b"\n".join(drawn)


def _outline(file: PdfFile, bookmarks: Sequence[tuple[str, int]], pages: Sequence[int]) -> int:
    root = file.add()
    numbers = [file.add() for _ in bookmarks]
    for place, ((title, page), number) in enumerate(zip(bookmarks, numbers, strict=True)):
        after = f"/Next {numbers[place + 1]} 0 R" if place + 1 < len(numbers) else ""
        before = f"/Prev {numbers[place - 1]} 0 R" if place else ""
        text = f"/Title ({title}) /Parent {root} 0 R /Dest [{pages[page]} 0 R /XYZ 0 792 0]"
        file.put(number, f"<< {text} {after} {before} >>")
    file.put(root, f"<< /Type /Outlines /First {numbers[0]} 0 R /Last {numbers[-1]} 0 R /Count {len(numbers)} >>")
    return root


def _file_key() -> bytes:
    """The key of a file whose user password is empty (PDF 1.7, algorithm 2, revision 2)."""
    permissions = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    return hashlib.md5(_PAD + b"o" * 32 + permissions + b"0123456789abcdef").digest()[:5]


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\x00\x00").digest()[: len(key) + 5]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
