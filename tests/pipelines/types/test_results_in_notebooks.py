"""How results show in Jupyter and as data frames, on a real tenant whose documents hold markup."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from pipelines.engine import Engine, open_engine
from pipelines.types import Answer, DocumentInput, IngestResult, SyncResult

SCRIPT = "<script>alert('beagle')</script>"
PROFILE = """
tenant: dogs
metadata: {fields: {species: {type: keyword}}}
answer: {abstain_below: 0}
"""


@pytest.fixture(scope="module")
def dogs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("dogs")
    (folder / "profile.yaml").write_text(PROFILE)
    beagle = f"Beagles need two hours of exercise every day. {SCRIPT} is shown as it was written."
    collie = "Collies herd sheep.\n\nThey need work for the head, too."
    with open_engine(folder, folder / "data") as engine:
        engine.ingest(
            [
                DocumentInput(
                    beagle, f"beagle {SCRIPT}", f"Beagle {SCRIPT}", "beagle.txt", metadata={"species": "dog"}
                ),
                DocumentInput(collie, "collie", "Collie", "collie.txt"),
                DocumentInput("", "empty", "Empty", "empty.txt"),
            ]
        )
        yield engine


def page(shown: object) -> BeautifulSoup:
    html = shown._repr_html_()  # type: ignore[attr-defined]
    soup = BeautifulSoup(html, "html.parser")
    assert soup.find("script") is None
    return soup


def answer_about_beagles(dogs: Engine) -> Answer:
    return dogs.answer("How much exercise do beagles need every day?")


def test_hits_show_their_passage_and_what_found_them(dogs: Engine) -> None:
    shown = page(dogs.search("exercise of beagles"))
    first = [cell.get_text() for cell in shown.select("tbody tr")[0].select("td")]
    assert "Beagles need two hours" in first[3]
    assert SCRIPT in first[3]
    assert "dense 1" in first[2]
    assert "sparse 1" in first[2]


def test_an_answer_shows_its_footnotes_with_their_quotes(dogs: Engine) -> None:
    answer = answer_about_beagles(dogs)
    shown = page(answer)
    mark = shown.find("sup")
    assert isinstance(mark, Tag)
    assert mark.get_text() == "[1]"
    assert mark["title"] == answer.citations[0].quote
    assert answer.citations[0].quote in shown.select_one("table").get_text()  # type: ignore[union-attr]
    assert f"confidence {answer.confidence:.2f}" in shown.get_text()


def test_a_number_that_no_footnote_has_stays_text(dogs: Engine) -> None:
    answer = dogs.answer("What do collies herd?")
    assert "[9]" not in page(answer).get_text()
    assert "says so [9]" in page(replace(answer, text="It says so [9].")).get_text()


def test_an_explanation_is_a_table_of_its_steps(dogs: Engine) -> None:
    shown = page(dogs.explain(f"herd sheep {SCRIPT}", document_id="collie"))
    assert [cell.get_text() for cell in shown.select("thead")[0].select("th")][:3] == ["step", "rank", "score"]


def test_documents_show_their_state_and_why_one_failed(dogs: Engine) -> None:
    shown = page(dogs.documents())
    rows = [row.get_text(" ") for row in shown.select("tbody tr")]
    assert len(rows) == 3
    assert any("Collie" in row and "ready" in row for row in rows)
    assert any("empty" in row and "failed" in row for row in rows)


def test_hits_become_a_data_frame_with_ranks_and_metadata(dogs: Engine) -> None:
    found = dogs.search("exercise of beagles")
    frame = found.to_pandas()
    assert len(frame) == len(found)
    assert frame.loc[0, "score"] == found[0].score
    assert frame.loc[0, "dense_rank"] == 1
    assert frame.loc[0, "species"] == "dog"
    assert frame.loc[0, "content"] == found[0].content


def test_documents_become_a_data_frame(dogs: Engine) -> None:
    frame = dogs.documents().to_pandas().set_index("document_id")
    assert frame.loc["collie", "state"] == "ready"
    assert frame.loc["empty", "state"] == "failed"


def test_no_hits_are_an_empty_data_frame_with_its_columns(dogs: Engine) -> None:
    frame = dogs.search("beagles", filters={"species": "cat"}).to_pandas()
    assert len(frame) == 0
    assert "score" in frame.columns


def test_reprs_are_short_and_say_what_a_thing_is(dogs: Engine) -> None:
    found, answer = dogs.search("herd sheep"), answer_about_beagles(dogs)
    assert repr(found).startswith("SearchResult(2 hits, snapshot ")
    assert repr(found[0]).startswith(f"Hit({found[0].score:.3f}, collie:0-")
    assert repr(answer).startswith('Answer("Beagles need two hours')
    pugs = IngestResult("pug.md", "ready", 1, 2)
    assert repr(SyncResult((pugs, pugs), removed=(), busy=("a.md",))) == "SyncResult(2 ready, 1 busy)"
    assert repr(SyncResult((), removed=())) == "SyncResult(no files)"
    assert repr(dogs.documents()) == "DocumentPage(3 of 3 documents)"
    assert repr(dogs.document("collie")) == "Document(collie: ready, version 1, 1 chunk)"
    assert str(answer).splitlines()[-1].startswith("[1] beagle.txt: “")


def test_pandas_that_is_missing_is_named_with_the_line_that_installs_it(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["pandas"] = None
from pipelines.types import SearchResult
SearchResult((), 0, 0.0).to_pandas()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert 'pandas is not installed; run: pip install "footnote-rag[notebooks]"' in run.stderr
