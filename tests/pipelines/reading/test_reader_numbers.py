"""A reader that reads otherwise has another number, so that documents are read again after an upgrade.

The samples are small: where they come out as before, a change may still be one, and the number is raised by hand.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from pipelines.reading import read
from pipelines.reading.formats import by_name
from tests.pipelines.reading.reader_files import docx, epub, paragraph, pdf

REFRESH = "FOOTNOTE_REFRESH_READERS"
RECORD = Path(__file__).parent / "reader_numbers.json"
_CELLS = "<tr><th>Dose</th><th>Days</th></tr><tr><td>5 mg</td><td>3</td></tr>"
_PAGE = (
    "<html><head><title>Dose</title></head><body><h1>Dose</h1><p>Take <b>one</b>,<br>then rest.</p>"
    f"<ul><li>in the morning</li><li>at night</li></ul><table>{_CELLS}</table><pre>a = 1</pre></body></html>"
)
_MARKUP = (
    "---\ntitle: Dose\n---\n# Dose\n\nTake **one**, [then](https://example.com) rest.\n\n- in the morning\n"
    "  - early\n- at "
    "night\n\n| Dose | Days |\n|------|------|\n| 5 mg | 3    |\n\n```python\na = 1\n```\n\n> a note\n"
)
SAMPLES: dict[str, bytes] = {
    name: content.encode() if isinstance(content, str) else content
    for name, content in {
        "a.md": _MARKUP,
        "a.txt": "DOSE\n\nTake one,\nthen rest.\n\n- in the morning\n- at night\n\n    a = 1\n",
        "a.html": _PAGE,
        "a.rst": "Dose\n====\n\nTake *one*, ``then`` rest.\n\n* in the morning\n* at night\n\n.. note:: a note\n\n"
        "::\n\n  a = 1\n",
        "a.adoc": "= Dose\n\nTake *one*.\n\n* in the morning\n* at night\n\n|===\n|Dose |Days\n\n|5 mg |3\n|===\n",
        "a.csv": "Dose,Days\n5 mg,3\n10 mg,\n",
        "a.json": '{"dose": {"mg": 5, "days": [1, 2]}, "note": "rest"}',
        "a.jsonl": '{"dose": 5}\n{"dose": 10}\n',
        "a.yaml": "# Dose\ndose:\n  mg: 5\n  days: [1, 2]\n",
        "a.py": '"""Dose."""\n\n\ndef take(mg: int) -> int:\n    """Take it."""\n    return mg\n',
        "a.log": "2024-05-06 07:08:09 INFO taken\n2024-05-06 07:08:10 ERROR lost\n  at night\n",
        "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Take one,\n\n00:02.000 --> 00:03.000\n<v Ann>then rest.\n",
        "a.eml": "From: Ann <ann@example.com>\nSubject: Dose\nContent-Type: text/plain\n\nTake one.\n\n> and rest\n",
        "a.mht": f"From: a\nContent-Type: text/html; charset=utf-8\n\n{_PAGE}",
        "a.rtf": r"{\rtf1\ansi {\b Dose}\par Take one, {\i then} rest.\par}",
        "a.ipynb": json.dumps(
            {
                "nbformat": 4,
                "nbformat_minor": 5,
                "metadata": {},
                "cells": [
                    {"cell_type": "markdown", "metadata": {}, "source": "# Dose"},
                    {"cell_type": "code", "metadata": {}, "source": "a = 1", "outputs": [], "execution_count": None},
                ],
            }
        ),
        "a.docx": docx(paragraph("Dose", "Heading1") + paragraph("Take one, then rest.")),
        "a.epub": epub({"one.xhtml": _PAGE}, metadata="<dc:title>Dose</dc:title>"),
        "a.pdf": pdf([["Dose", 30.0, "Take one, then", "rest at night."], ["At night."]]),
    }.items()
}


def digest(name: str) -> str:
    """Of the text, the blocks and all else that a reader makes of a sample."""
    document = read(SAMPLES[name], name=name)
    parts = (document.text, document.title, document.headings, document.pages, document.blocks, document.metadata)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def number(name: str) -> int:
    known = by_name(name)
    assert known is not None
    return known.reader


def recorded() -> dict[str, list[int | str]]:
    if os.environ.get(REFRESH):
        made = {name: [number(name), digest(name)] for name in sorted(SAMPLES)}
        RECORD.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    found: dict[str, list[int | str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_reader_that_reads_otherwise_has_another_number(name: str) -> None:
    known = by_name(name)
    assert known is not None
    advice = f"raise `reader` of {known.label} in pipelines/reading/formats.py, and run this with {REFRESH}=1"
    assert recorded()[name] == [number(name), digest(name)], advice
