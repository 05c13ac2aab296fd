from __future__ import annotations

import pytest

from pipelines.components.extractors.language import extract_language, language_of
from pipelines.types import ParsedDocument


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Funds are reconciled each month by the agency.", "en"),
        ("Die Mittel werden jeden Monat von der Behörde abgestimmt.", "de"),
        ("Les fonds sont rapprochés chaque mois par le service.", "fr"),
        ("Средства сверяются каждый месяц.", "ru"),
        ("資金は毎月照合されます。そして報告されます。監査人も。", "ja"),
        ("OK", None),
        ("12345 678 | 90 | 11.5 | 2020", None),
        ("", None),
    ],
)
def test_a_text_is_of_the_language_that_it_is_written_in(text: str, language: str | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(("named", "language"), [("de-CH", "de"), ("FR", "fr"), ("", "en"), (7, "en")])
def test_a_documents_own_language_counts(named: object, language: str) -> None:
    document = ParsedDocument("Funds are reconciled each month.", media_type="text/plain", metadata={"language": named})
    assert extract_language(document).metadata["language"] == language


def test_a_document_of_no_known_language_has_none() -> None:
    assert "language" not in extract_language(ParsedDocument("4711", media_type="text/plain")).metadata
