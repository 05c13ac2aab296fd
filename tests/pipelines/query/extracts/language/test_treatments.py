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
        ("Into what are the notices translated?", "They hang in Welsh and French.", False),
        ("Into what is the query translated?", "The engine converts it to a plan.", False),
        ("How deep are chest compressions?", "Push 5 cm deep.", False),
        ("Where is compressed air kept?", "In red bottles.", False),
        ("How is the disk of the gauge encrypted?", "BitLocker protects it.", False),
        ("How are guests anonymised?", "Their names are replaced by numbers.", False),
        ("How are guests anonymised?", "Guests sign the book.", True),
    ],
)
def test_a_treatment_is_told_by_its_name_or_a_means(question: str, text: str, lacks: bool) -> None:
    assert lacks_treatment(question, text) == lacks
