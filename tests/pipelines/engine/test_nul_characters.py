"""NUL characters in what documents say of themselves: YAML, PDF and Office files can hold them, PostgreSQL cannot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.congruence.backends import BACKENDS, catalogue_of

PROFILE = """
tenant: kennel
metadata:
  fields: {species: {type: keyword}}
  identity: {fields: [species]}
"""


@pytest.fixture(params=BACKENDS)
def engine(request: pytest.FixtureRequest, open_tenant: OpenTenant) -> Iterator[Engine]:
    with catalogue_of(request.param) as lines, open_tenant(PROFILE + lines) as opened:
        yield opened


def test_front_matter_is_kept_without_them(engine: Engine) -> None:
    text = '---\nspecies: "do\\0g"\nnotes: ["a\\0b", {"c\\0": "d"}]\n---\n\nBeagles howl.\n'
    (result,) = engine.ingest(DocumentInput(text, source="beagle.md", media_type="text/markdown"))
    assert result.state == "ready"
    (hit,) = engine.search("Who howls?", filters={"species": "dog"}).hits
    assert hit.metadata["notes"] == ["ab", {"c": "d"}]


def test_a_giver_who_sends_them_is_told_and_the_others_are_stored(engine: Engine) -> None:
    wrong = DocumentInput("Pugs snore.", source="pug.txt", metadata={"species": "do\0g"})
    right = DocumentInput("Beagles howl.", source="beagle.txt", metadata={"species": "dog"})
    refused, stored = engine.ingest([wrong, right])
    assert (refused.state, stored.state) == ("failed", "ready")
    assert refused.reason == "metadata -> species: holds a NUL character, which no database keeps; remove it"
