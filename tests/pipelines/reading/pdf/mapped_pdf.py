"""PDFs in a font of one width whose codes stand for given letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.pipelines.reading.reader_files import PdfFile


def mapped_pdf(drawn: Sequence[str], width: int, codes: Mapping[str, str]) -> bytes:
    """A page of this content; all letters are so many thousandths of the font's size wide."""
    file = PdfFile()
    catalogue, tree = file.add(), file.add()
    known = "\n".join(f"<{ord(code):02X}> <{letters.encode('utf-16-be').hex()}>" for letters, code in codes.items())
    map_ = file.add(stream(f"begincmap\n{len(codes)} beginbfchar\n{known}\nendbfchar\nendcmap"))
    widths = f"/FirstChar 32 /LastChar 126 /Widths [280 {f'{width} ' * 94}]"
    font = file.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map_} 0 R {widths} >>")
    content = file.add(stream("\n".join(drawn)))
    page = f"/Parent {tree} 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R"
    number = file.add(f"<< /Type /Page {page} /Resources << /Font << /F1 {font} 0 R >> >> >>")
    file.put(tree, f"<< /Type /Pages /Kids [{number} 0 R] /Count 1 >>")
    file.put(catalogue, f"<< /Type /Catalog /Pages {tree} 0 R >>")
    return file.bytes(catalogue, "")


def stream(content: str) -> str:
    """A stream of this content."""
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
