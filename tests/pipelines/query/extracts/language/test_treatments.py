"""Treatments of data, which a text names in few words."""

import pytest

from pipelines.query.extracts.language.treatments import lacks_treatment


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("Which setting encrypts the logbook?", "The logbook is kept in a chest. See https://ebb.example.", True),
        ("Which setting encrypts the logbook?", "The logbook is sent over TLS.", False),
        ("How do I decrypt the logbook?", "Each page is encrypted with the key of the skipper.", False),
        ("Can charts be compressed?", "Charts are rolled up in the evening.", True),
        ("Can charts be compressed?", "Charts are stored as chart.gz, made by gzip.", False),
        ("Which compressor does the diver use?", "He uses the red one.", False),
        ("Who translates the notices?", "The notices are in the languages of the crew.", False),
        ("Who translates the notices?", "The notices hang at the pier.", True),
        ("Who writes the notices?", "The notices hang at the pier.", False),
    ],
)
def test_a_treatment_is_told_by_its_name_or_a_means(question: str, text: str, lacks: bool) -> None:
    assert lacks_treatment(question, text) == lacks
