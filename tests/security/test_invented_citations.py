"""A model that cites sources that are not there: nothing of what it wrote is given, streamed or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.running import events_of, serving
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
store: {engine: memory}
llm: {provider: ollama, model: m, base_url: "URL"}
answer: {unsupported: POLICY}
"""
BEAGLE = "Beagles need 60 minutes of exercise a day. A bored beagle howls.\n"
INVENTED = "Beagles need 60 minutes of flying a day [7]. They also read the Gazette【8】. They vote [9, 12]."
ASKED = {"question": "How much exercise does a beagle need?"}


@pytest.fixture(params=["withhold", "annotate", "strike"])
def policy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def kennel(folder: Path, policy: str, said: str) -> Iterator[httpx.Client]:
    with ExitStack() as opened:
        fake = opened.enter_context(ollama_server(lambda asked: said))
        profile = PROFILE.replace("URL", fake.url).replace("POLICY", policy)
        client = opened.enter_context(serving(folder, (profile,)))
        client.base_url = client.base_url.join("/tenants/kennel/")
        assert client.post("documents", json={"content": BEAGLE, "document_id": "b"}).status_code == 201
        yield client


def require_abstention(answer: dict[str, Any]) -> None:
    assert answer["abstained"] is True
    assert (answer["reason"], answer["confidence"]) == ("low_confidence", 0)
    assert answer["citations"] == []
    assert answer["removed_citations"] == [7, 8, 9, 12]


def test_an_answer_whose_every_citation_is_invented_abstains(tmp_path: Path, policy: str) -> None:
    with kennel(tmp_path, policy, INVENTED) as client:
        answer = client.post("query", json=ASKED).json()
        require_abstention(answer)
        assert "flying" not in answer["answer"]
        assert "Gazette" not in answer["answer"]


def test_a_stream_of_it_ends_in_an_abstention_and_cites_nothing(tmp_path: Path, policy: str) -> None:
    with kennel(tmp_path, policy, INVENTED) as client:
        events = events_of(client.post("query", json={**ASKED, "stream": True}))
        name, done = events[-1]
        assert name == "done"
        require_abstention(done)
        assert not [data for name, data in events if name == "citation"]
        reported = "".join(data["text"] for name, data in events if name == "token")
        assert reported == done["answer"]
        if policy == "withhold":
            assert "flying" not in reported


def test_one_valid_citation_is_judged_by_the_policy(tmp_path: Path) -> None:
    with kennel(tmp_path, "withhold", "Beagles need 60 minutes of exercise a day [1]. They fly [7].") as client:
        answer = client.post("query", json=ASKED).json()
        assert answer["abstained"] is False
        assert [note["quote"] for note in answer["citations"]] == ["Beagles need 60 minutes of exercise a day."]


@pytest.mark.parametrize(("guard", "live"), [("all", False), ("model", True), ("none", True)])
def test_an_extract_of_a_hostile_document_is_shown_as_text(tmp_path: Path, guard: str, live: bool) -> None:
    hostile = 'Beagles need an hour <img src="https://evil.example/"> ![x](https://evil.example/?q) of exercise a day.'
    profile = f"tenant: kennel\nstore: {{engine: memory}}\nanswer: {{guard: {guard}, abstain_below: 0}}\n"
    with serving(tmp_path, (profile,)) as client:
        url = "/tenants/kennel/"
        document = {"content": hostile, "document_id": "b", "media_type": "text/plain"}
        assert client.post(f"{url}documents", json=document).status_code == 201
        answer = client.post(f"{url}query", json=ASKED).json()
        assert answer["model"] == "extractive"
        for text in (answer["answer"], answer["claims"][0]["text"]):
            assert ("<img" in text) is live
            assert ("![" in text) is live
        assert answer["citations"][0]["quote"] in client.get(f"{url}documents/b/content").text
