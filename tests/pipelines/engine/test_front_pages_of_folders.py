"""What a whole collection is about is said on its front page, though its name stands on every page."""

from collections.abc import Mapping

import pytest

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

CHAPTERS = {
    f"chapters/{topic}.md": f"# Ebb {topic}\n\nEbb and its {topic}: Ebb reads the {topic} of Ebb when Ebb starts.\n"
    for topic in ("keys", "locks", "logs", "plans", "pools", "quotas", "roles", "seals", "snapshots", "tapes", "views")
}
FRONT = "# Welcome to Ebb\n\nEbb is a program that copies the files of an office to tape every night.\n"
PROFILE = "tenant: manual\nmetadata:\n  fields:\n    edition: {type: integer}\n"


@pytest.fixture
def ask(open_tenant: OpenTenant):
    def ask(question: str, front: str = FRONT, name: str = "index.md", more: Mapping[str, str] | None = None, **fields):
        engine = open_tenant(PROFILE)
        editions: Mapping[str, int] = {name: 1}
        texts = {**CHAPTERS, **(more or {}), name: front}
        given = [
            DocumentInput(text, source, media_type="text/markdown", metadata={"edition": editions.get(source, 2)})
            for source, text in texts.items()
        ]
        assert {result.state for result in engine.ingest(given)} == {"ready"}
        return engine.answer(question, **fields)

    return ask


def test_it_answers_what_the_whole_is(ask) -> None:
    answer = ask("What is Ebb?")
    assert answer.citations[0].source == "index.md"
    assert answer.text.startswith("Ebb is a program that copies the files")


def test_it_is_held_to_the_filters_of_the_question(ask) -> None:
    answer = ask("What is Ebb?", filters={"edition": 2})
    assert "index.md" not in {citation.source for citation in answer.citations}


def test_a_front_page_that_does_not_speak_of_the_thing_is_not_read(ask) -> None:
    answer = ask("What is a quota?", front="# Welcome\n\nFlow is a program that copies files.\n")
    assert "index.md" not in {citation.source for citation in answer.citations}


WORDS = ("ballast", "bilge", "bow", "deck", "galley", "hatch", "helm", "keel", "mast", "prow", "rudder", "stern")
GLOSSARY = "# Glossary\n\n" + "\n".join(
    f"{word.capitalize()}\n: The {number}. of the parts of a ship that its crew looks at in the morning and at night.\n"
    for number, word in enumerate((*WORDS, "tackle"), start=1)
)
USES = {f"uses/{word}.md": f"# Oil for the tackle\n\nWhat is the tackle of the {word}? The tackle.\n" for word in WORDS}


@pytest.mark.parametrize("name", ["glossary.md", "docs/Glossary.md", "terms.md"])
def test_a_glossary_says_what_a_word_means_that_other_pages_use(ask, name: str) -> None:
    answer = ask("What is the tackle?", front=GLOSSARY, name=name, more=USES)
    assert answer.text.startswith("Tackle: The 13. of the parts of a ship")
