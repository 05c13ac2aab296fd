"""A tenant that looks at images, and matches what was seen to what its documents know; see also `test_engine_llm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from pydantic import BaseModel

from pipelines.engine import Engine
from pipelines.errors import (
    CorruptDocument,
    InvalidImage,
    InvalidRequest,
    LlmAnswerInvalid,
    LlmUnavailable,
    UnknownValue,
)
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.ollama import FakeOllama, ollama_server

PLAIN = """
tenant: kennel
store: {engine: memory}
metadata:
  fields: {place: {type: keyword, values: [all, yard], required: true}, yard: {type: keyword}, breed: {type: keyword}}
  hierarchy: {level: place, path: [yard]}
"""
PROFILE = f"""{PLAIN}
llm: {{provider: ollama, model: sees, base_url: "URL", allowed: [{{provider: ollama, model: other}}]}}
"""


class Animal(BaseModel):
    species: Literal["dog", "cat"]


Sees = Callable[..., tuple[Engine, FakeOllama]]


@pytest.fixture
def sees(open_tenant: OpenTenant) -> Iterator[Sees]:
    with ExitStack() as opened:

        def start(*said: str) -> tuple[Engine, FakeOllama]:
            left = list(said)
            fake = opened.enter_context(ollama_server(lambda asked: left.pop(0)))
            return open_tenant(PROFILE.replace("URL", fake.url)), fake

        yield start


def image() -> bytes:
    written = BytesIO()
    Image.new("RGB", (60, 60)).save(written, "PNG")
    return written.getvalue()


def test_the_question_goes_with_the_image_and_the_schema(sees: Sees) -> None:
    engine, fake = sees('{"species": "dog"}')
    seen, model = engine.vision.look(image(), "What is it?", Animal)
    assert (seen.species, model) == ("dog", "sees")
    [asked] = fake.asked
    assert asked.last.startswith("What is it?\n")
    assert asked.images[0].startswith(b"\xff\xd8")
    assert asked.form["properties"]["species"]["enum"] == ["dog", "cat"]  # type: ignore[index]


def test_an_invalid_answer_is_retried_once_with_the_fault(sees: Sees) -> None:
    engine, fake = sees('{"species": "horse"}', '{"species": "cat"}')
    assert engine.vision.look(image(), "What is it?", Animal)[0].species == "cat"
    assert "species: Input should be 'dog' or 'cat'" in fake.asked[1].last
    assert fake.asked[1].images == fake.asked[0].images


def test_two_invalid_answers_are_an_error(sees: Sees) -> None:
    engine, _ = sees('{"species": "horse"}', "A horse.")
    with pytest.raises(LlmAnswerInvalid, match="asked for JSON twice"):
        engine.vision.look(image(), "What is it?", Animal)


def test_another_model_of_the_profile_may_look(sees: Sees) -> None:
    engine, fake = sees('{"species": "dog"}')
    assert engine.vision.look(image(), "What is it?", Animal, llm={"model": "other"})[1] == "other"
    assert fake.asked[0].model == "other"
    with pytest.raises(InvalidRequest, match="not among those of the profile"):
        engine.vision.look(image(), "What is it?", Animal, llm={"model": "third"})


def test_an_invalid_image_is_not_sent_to_the_model(sees: Sees) -> None:
    engine, fake = sees()
    with pytest.raises(InvalidImage):
        engine.vision.look(b"none", "What is it?", Animal)
    assert fake.asked == []


def test_without_a_model_vision_is_refused(open_tenant: OpenTenant) -> None:
    with pytest.raises(LlmUnavailable, match="the profile names none"):
        open_tenant(PLAIN).vision.look(image(), "What is it?", Animal)


def test_names_are_matched_to_what_is_seen_from_a_place(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PLAIN)
    engine.ingest(
        [
            DocumentInput("Beagles howl.", "a", metadata={"place": "all", "breed": "beagle"}),
            DocumentInput("Pugs snore.", "b", metadata={"place": "yard", "yard": "north", "breed": "pug"}),
        ]
    )
    assert engine.known_value("breed", "Pug dog", ("dog",)) == "pug"
    assert engine.within({"yard": "south"}).known_value("breed", "Beagle") == "beagle"
    with pytest.raises(UnknownValue, match='"Pug" matches no value') as error:
        engine.within({"yard": "south"}).known_value("breed", "Pug")
    assert error.value.problems[0].suggestion is None


def test_a_document_is_described_without_being_ingested(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PLAIN)
    text = "---\nplace: all\nbreed: pug\n---\nPugs snore."
    offered = DocumentInput(text, source="pug.md", media_type="text/markdown", metadata={"breed": "beagle"})
    assert engine.described(offered) == {"place": "all", "breed": "beagle"}
    assert engine.documents().total == 0
    with pytest.raises(CorruptDocument):
        engine.described(DocumentInput("---\na: [\n---\nText.", media_type="text/markdown"))


def test_a_file_is_described_from_its_path(open_tenant: OpenTenant, tmp_path: Path) -> None:
    file = tmp_path / "pug.md"
    file.write_text("---\nplace: all\n---\nPugs snore.", encoding="utf-8")
    assert open_tenant(PLAIN).described(DocumentInput(file)) == {"place": "all"}
