"""A document that is not there is answered with the nearest one that can be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines import open_engine
from pipelines.errors import DocumentNotFound
from pipelines.types import DocumentInput

PROFILE = {
    "tenant": "kennel",
    "store": {"engine": "memory"},
    "metadata": {
        "fields": {"team": {"type": "keyword"}, "level": {"type": "keyword", "values": ["all", "team"]}},
        "hierarchy": {"level": "level", "path": ["team"]},
    },
}


def test_a_misspelt_id_is_answered_with_the_nearest_that_can_be_seen(tmp_path: Path) -> None:
    beagle = DocumentInput(
        "Beagles howl.", "dogs/beagle.md", source="dogs/beagle.md", metadata={"team": "red", "level": "team"}
    )
    pug = DocumentInput("Pugs sleep.", "dogs/pug.md", source="dogs/pug.md", metadata={"team": "blue", "level": "team"})
    with open_engine(PROFILE, tmp_path) as engine:
        engine.ingest([beagle, pug])
        with pytest.raises(DocumentNotFound, match=r'no document "beagel.md"; did you mean "dogs/beagle.md"\?'):
            engine.explain("howl", document_id="beagel.md")
        with pytest.raises(DocumentNotFound) as refused:
            engine.within({"team": "blue"}).explain("howl", document_id="beagel.md")
        assert "did you mean" not in refused.value.message
