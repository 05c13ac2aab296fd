"""OpenAI's protocol over real HTTP, asked by the official client, with and without a language model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from app.openai.mapping import _param, question
from app.openai.schemas import ChatMessage, ChatRequest
from tests.app.running import serving
from tests.fakes.asked import Script
from tests.fakes.ollama import FakeOllama, Reply, ollama_server, patience_of

EXTRACTIVE = """
tenant: kennel
store: {engine: memory}
jobs: {run: worker}
metadata: {fields: {species: {type: keyword}}}
"""
WRITTEN = """
tenant: kennel
store: {engine: memory}
jobs: {run: worker}
llm: {provider: ollama, model: MODEL, base_url: "URL", fallback: error, timeouts: {call_s: 20, token_s: TOKEN_S}}
answer: {unsupported: annotate}
"""
BEAGLE = {"content": "Beagles need 60 minutes of exercise a day.\n", "document_id": "b", "source": "beagle.txt"}
QUESTION = "How much exercise does a beagle need?"
USER: list[Any] = [{"role": "user", "content": QUESTION}]

Written = Callable[..., tuple[openai.OpenAI, FakeOllama]]


def client_of(http: httpx.Client, key: str = "none", **options: Any) -> openai.OpenAI:
    """The official client, which asks once."""
    return openai.OpenAI(base_url=str(http.base_url.join("/openai/v1/")), api_key=key, max_retries=0, **options)


def _fill(http: httpx.Client) -> None:
    assert http.post("/tenants/kennel/documents", json=BEAGLE).status_code == 201


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("openai"), (EXTRACTIVE,)) as http:
        _fill(http)
        yield http


@pytest.fixture(scope="module")
def client(http: httpx.Client) -> Iterator[openai.OpenAI]:
    with client_of(http) as client:
        yield client


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    with ExitStack() as opened:

        def start(said: str | Reply | Script | None = None, model: str = "m") -> tuple[openai.OpenAI, FakeOllama]:
            script = said if callable(said) or said is None else lambda asked: said
            fake = opened.enter_context(ollama_server(script))
            profile = WRITTEN.replace("MODEL", model).replace("URL", fake.url).replace("TOKEN_S", patience_of(model))
            http = opened.enter_context(serving(tmp_path, (profile,)))
            _fill(http)
            return opened.enter_context(client_of(http)), fake

        yield start


def test_the_tenants_are_the_models(client: openai.OpenAI) -> None:
    (model,) = client.models.list().data
    assert (model.id, model.object, model.owned_by) == ("kennel", "model", "footnote")
    assert client.models.retrieve("kennel") == model
    assert abs(model.created - time.time()) < 3600


def test_an_answer_has_its_footnotes_in_words_and_as_structure(client: openai.OpenAI) -> None:
    done = client.chat.completions.create(model="kennel", messages=USER, temperature=0.2, seed=1, max_tokens=5)
    (choice,) = done.choices
    assert choice.message.content == (
        "Beagles need 60 minutes of exercise a day. [1]\n\nSources:\n[1] beagle, beagle.txt"
    )
    assert (done.model, done.object, choice.finish_reason) == ("kennel", "chat.completion", "stop")
    footnote: Any = (choice.message.model_extra or {})["footnote"]
    assert footnote["citations"][0]["quote"] == "Beagles need 60 minutes of exercise a day."
    assert (footnote["abstained"], footnote["model"], len(footnote["claims"])) == (False, "extractive", 1)
    assert 0 < footnote["confidence"] <= 1
    assert done.usage is not None
    assert done.usage.total_tokens == done.usage.prompt_tokens + done.usage.completion_tokens > 10


def test_streamed_parts_put_together_are_the_answer(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="kennel", messages=USER).choices[0].message
    chunks = list(
        client.chat.completions.create(
            model="kennel", messages=USER, stream=True, stream_options={"include_usage": True}
        )
    )
    *parts, last, usage = chunks
    assert "".join(chunk.choices[0].delta.content or "" for chunk in parts) == whole.content
    assert (parts[0].choices[0].delta.role, last.choices[0].finish_reason) == ("assistant", "stop")
    footnote: Any = (last.choices[0].delta.model_extra or {})["footnote"]
    assert footnote["citations"] == (whole.model_extra or {})["footnote"]["citations"]
    assert usage.choices == []
    assert usage.usage is not None
    assert {chunk.model_dump_json(include={"usage"}, exclude_unset=True) for chunk in [*parts, last]} == {
        '{"usage":null}'
    }
    assert {chunk.id for chunk in chunks} == {chunks[0].id}


def test_the_clients_own_helper_puts_a_stream_together(client: openai.OpenAI) -> None:
    with client.chat.completions.stream(model="kennel", messages=USER) as stream:
        message = stream.get_final_completion().choices[0].message
    assert message.content is not None
    assert message.content.endswith("[1] beagle, beagle.txt")
    assert (message.model_extra or {})["footnote"]["citations"][0]["number"] == 1


def test_a_stream_ends_with_done_and_its_events_have_no_names(http: httpx.Client) -> None:
    answer = http.post("/openai/v1/chat/completions", json={"model": "kennel", "messages": USER, "stream": True})
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in answer.text.splitlines() if line]
    assert all(line.startswith("data: ") for line in lines)
    assert lines[-1] == "data: [DONE]"
    assert all(json.loads(line[6:])["object"] == "chat.completion.chunk" for line in lines[:-1])
    assert "usage" not in answer.text


def test_an_abstention_says_so_and_lists_no_sources(client: openai.OpenAI) -> None:
    done = client.chat.completions.create(
        model="kennel", messages=USER, extra_body={"footnote": {"filters": {"species": "cat"}}}
    )
    message = done.choices[0].message
    footnote: Any = (message.model_extra or {})["footnote"]
    assert (footnote["abstained"], footnote["reason"]) == (True, "filtered_out")
    assert "Sources:" not in (message.content or "")


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": 0}, "logprobs"),
        ({"n": True}, "n"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "Hello."}]}, "messages"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [{"role": "robot", "content": "?"}]}, "messages[0].role"),
        (
            {"messages": [*USER, {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
            "messages[1].content[0].type",
        ),
        ({"messages": [{"role": "user", "content": " "}]}, "messages"),
        ({"extra_body": {"footnote": {"filter": {}}}}, "footnote.filter"),
        ({"extra_body": {"footnote": {"filters": {"breed": "x"}}}}, "footnote.filters.breed"),
        ({"extra_body": {"footnote": {"top_k": 0}}}, "footnote.top_k"),
    ],
)
def test_unsupported_parameters_are_refused_by_name(client: openai.OpenAI, more: dict[str, Any], param: str) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(**{"model": "kennel", "messages": USER} | more)
    assert (refused.value.param, refused.value.type) == (param, "invalid_request_error")
    assert isinstance(refused.value.body, dict)
    assert set(refused.value.body) == {"message", "type", "param", "code"}
    reported = refused.value.body["message"].split("; ")
    assert len(reported) == len(set(reported))


def test_an_unknown_model_is_named_with_the_nearest(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as refused:
        client.chat.completions.create(model="kenel", messages=USER)
    assert (refused.value.code, refused.value.param) == ("model_not_found", "model")
    assert 'did you mean "kennel"?' in refused.value.message
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-5")
    with pytest.raises(openai.NotFoundError):
        client.moderations.create(input="a")


def test_invalid_json_is_refused_in_the_same_shape(http: httpx.Client) -> None:
    answer = http.post("/openai/v1/chat/completions", content="{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "json_invalid")
    assert http.get("/openai/v1/chat/completions").json()["error"]["code"] == "method_not_allowed"
    assert http.get("/openai/openapi.json").status_code == 200


def test_earlier_messages_are_the_history_and_the_last_of_a_user_is_the_question(written: Written) -> None:
    client, fake = written("60 minutes [1].")
    first = client.chat.completions.create(
        model="kennel", messages=[{"role": "system", "content": "Be a pirate."}, *USER]
    )
    said = first.choices[0].message.content
    assert said == "60 minutes [1].\n\nSources:\n[1] beagle, beagle.txt"
    follow_up: Any = [{"type": "text", "text": "And of exercise"}, {"type": "text", "text": "for a puppy?"}]
    client.chat.completions.create(
        model="kennel", messages=[*USER, {"role": "assistant", "content": said}, {"role": "user", "content": follow_up}]
    )
    roles = [[message["role"] for message in asked.messages] for asked in fake.asked]
    later = ["system", "user", "assistant", "user"]  # to rewrite the question, and to answer it
    assert roles == [["system", "user"], later, later]
    assert [message["content"] for message in fake.asked[1].messages[:3]] == [
        message["content"] for message in fake.asked[2].messages[:3]
    ]
    _, question, answer, last = fake.asked[2].messages
    assert (question["content"], answer["content"]) == (QUESTION, "60 minutes [1].")
    assert "And of exercise\\nfor a puppy?" in last["content"]
    assert all("pirate" not in message["content"] for message in fake.asked[0].messages)


def test_a_follow_up_is_searched_with_its_missing_words(client: openai.OpenAI) -> None:
    said = client.chat.completions.create(model="kennel", messages=USER).choices[0].message.content
    earlier = [*USER, {"role": "assistant", "content": said}]
    asked: Any = [{"role": "user", "content": "How much exercise do they need?"}]
    footnotes: list[Any] = [
        (client.chat.completions.create(model="kennel", messages=messages).choices[0].message.model_extra or {})[
            "footnote"
        ]
        for messages in (asked, [*earlier, *asked], [*earlier, *asked, *USER])
    ]
    assert [one["rewritten_question"] for one in footnotes] == [None, "How much exercise do they need? beagle", None]


def test_a_language_model_rewrites_a_follow_up_behind_the_messages_before_it(written: Written) -> None:
    client, fake = written(
        lambda asked: '{"question": "How long do beagles live?"}' if "stands alone" in asked.last else "15 years [1]."
    )
    earlier = [*USER, {"role": "assistant", "content": "60 minutes."}]
    done = client.chat.completions.create(model="kennel", messages=[*earlier, {"role": "user", "content": "And live?"}])
    footnote: Any = (done.choices[0].message.model_extra or {})["footnote"]
    assert (footnote["rewritten_question"], footnote["answer"]) == ("How long do beagles live?", "15 years [1].")
    assert "And live?" in fake.asked[-1].last


def test_earlier_messages_may_look_like_what_is_made_here(client: openai.OpenAI) -> None:
    posing = 'Sources:\n{}\n\nQuestion: "\\q"'  # as a message to a language model, but for the escape
    earlier: Any = [{"role": "user", "content": posing}, {"role": "assistant", "content": "So it is."}]
    done = client.chat.completions.create(model="kennel", messages=[*earlier, *USER])
    assert "60 minutes" in (done.choices[0].message.content or "")


def test_a_list_of_sources_is_taken_off_at_once_however_it_is_written() -> None:
    posing = "\n\nSources:\n" + "[1] " * 5_000 + "\nand more"  # it would take for ever
    asked = ChatRequest(
        model="kennel",
        messages=[
            ChatMessage(role="assistant", content=posing),  # type: ignore[arg-type]
            ChatMessage(role="assistant", content="So.\n\nSources:\n[1] a, b.md\n[2] c [3] d\n"),  # type: ignore[arg-type]
            ChatMessage(role="user", content="Why?"),  # type: ignore[arg-type]
        ],
    )
    assert [message.content for message in question(asked).history or ()] == [posing, "So."]


def test_usage_counts_the_sources_that_the_model_read(written: Written) -> None:
    client, fake = written("60 minutes [1].")
    done = client.chat.completions.create(model="kennel", messages=USER)
    assert done.usage is not None
    assert done.usage.prompt_tokens >= len(fake.asked[0].messages[-1]["content"]) // 4
    assert done.usage.completion_tokens == 4


@pytest.mark.parametrize(
    ("model", "code", "status"), [("crash", "llm_unavailable", 503), ("stall-after-2", "llm_timeout", 504)]
)
def test_a_model_that_fails_is_an_error_of_the_server(written: Written, model: str, code: str, status: int) -> None:
    client, fake = written(model=model)
    with pytest.raises(openai.InternalServerError) as failed:
        client.chat.completions.create(model="kennel", messages=USER)
    assert (failed.value.code, failed.value.status_code, failed.value.type) == (code, status, "server_error")
    assert fake.url not in str(failed.value.body)
    with pytest.raises(openai.APIError) as broken:
        list(client.chat.completions.create(model="kennel", messages=USER, stream=True))
    assert broken.value.code == code


def test_an_answer_that_was_cut_off_says_so(written: Written) -> None:
    client, _ = written(model="loop")
    done = client.chat.completions.create(model="kennel", messages=USER)
    assert done.choices[0].finish_reason == "length"


def test_a_disconnect_stops_the_model(written: Written) -> None:
    client, fake = written(Reply(" ".join(f"word{n}" for n in range(5000)), "drip-20ms"))
    stream = client.chat.completions.create(model="kennel", messages=USER, stream=True)
    for chunk in stream:
        if chunk.choices[0].delta.content:
            break
    stream.close()
    (asked,) = fake.asked
    assert asked.gone.wait(30)
    assert len(asked.sent) < 2000


def test_a_disconnect_before_a_whole_answer_stops_the_model(written: Written) -> None:
    client, fake = written(Reply(" ".join(f"word{n}" for n in range(5000)), "drip-20ms"))
    while not fake.asked:  # on a busy machine the client may leave before the model is asked
        with pytest.raises(openai.APITimeoutError):
            client.with_options(timeout=1).chat.completions.create(model="kennel", messages=USER)
    for asked in fake.asked:
        assert asked.gone.wait(10)
        assert len(asked.sent) < 1000


@pytest.mark.parametrize(
    ("path", "param"),
    [
        ("messages -> 0 -> content -> 12 -> type", "messages[0].content[12].type"),
        ("footnote -> filters -> 2020x", "footnote.filters.2020x"),
        ("messages -> 3", "messages[3]"),
        ("", None),
    ],
)
def test_a_path_is_written_as_openai_writes_it(path: str, param: str | None) -> None:
    assert _param(path) == param
