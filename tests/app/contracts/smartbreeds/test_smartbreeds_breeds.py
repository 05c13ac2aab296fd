"""Breeds that must not be taken for each other: a question about one is not answered from another one's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.engine import Engine, open_scratch
from pipelines.evaluation.engines import fresh_profile
from pipelines.evaluation.golden import open_dataset
from pipelines.profile.loader import load_profile
from pipelines.profile.synonyms import read_synonyms
from pipelines.query.lexicon import Lexicon

CONFIG = Path(__file__).parents[4] / "configs" / "smartbreeds"
PAGES = sorted((CONFIG / "knowledge" / "breeds").rglob("*.md"))
QUESTIONS = {
    "How long do dalmatians live?": "dalmatian",
    "What is the life expectancy of a beagle?": "beagle",
    "What is the life expectancy of a boxer?": "boxer",
    "How often must a greyhound be brushed?": "greyhound",
    "How often must a chihuahua be brushed?": "chihuahua",
    "How long do they live? pug": "pug",
}


def test_every_breed_with_a_page_is_a_name() -> None:
    lexicon = Lexicon(names=read_synonyms(load_profile("smartbreeds").profile.retrieval.expansion.names, "names"))
    titles = [page.stem.replace("_", " ") + (" cat" if page.parent.name == "cats" else "") for page in PAGES]
    assert [title for title in titles if not lexicon.names_in(title)] == []


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    loaded = load_profile("smartbreeds")
    with open_scratch(fresh_profile(loaded, open_dataset(loaded, None, None))) as engine:
        engine.ingest_path(CONFIG / "knowledge" / "breeds", metadata={"doc_type": "breed"})
        yield engine


@pytest.mark.slow
@pytest.mark.parametrize(("question", "breed"), QUESTIONS.items(), ids=QUESTIONS.values())
def test_an_answer_is_about_the_breed_that_was_asked_for(question: str, breed: str, engine: Engine) -> None:
    cited = [Path(citation.source).stem for citation in engine.answer(question).citations]
    assert cited[0] == breed
