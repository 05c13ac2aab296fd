"""The stand-in for Ollama, held against the official clients of both protocols it speaks."""

from collections.abc import Iterator
from threading import Thread

import httpx
import ollama
import openai
import pytest

from tests.fakes.embedding_server import vector
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

USER = [{"role": "user", "content": "How long is a beagle's walk?"}]
SAID = "The documents say that this is so [1]."


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with ollama_server() as server:
        yield server


@pytest.fixture
def client(fake: FakeOllama) -> Iterator[ollama.Client]:
    client = ollama.Client(host=fake.url)
    yield client
    client._client.close()


@pytest.fixture
def compatible(fake: FakeOllama) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{fake.url}/v1", api_key="key", max_retries=0) as client:
        yield client


def test_a_chat_is_answered_whole_and_in_pieces(client: ollama.Client) -> None:
    whole = client.chat("m", USER)
    pieces = list(client.chat("m", USER, stream=True))
    assert whole.message.content == "".join(piece.message.content or "" for piece in pieces) == SAID
    assert (whole.done, whole.done_reason, whole.eval_count) == (True, "stop", 8)
    assert [piece.done for piece in pieces] == [False] * 8 + [True]
    assert pieces[-1].prompt_eval_count == whole.prompt_eval_count == 9
    assert pieces[-1].total_duration is not None


def test_generate_is_answered_whole_and_in_pieces(client: ollama.Client) -> None:
    assert client.generate("echo", "one two", system="Be short.").response == "one two"
    assert [piece.response for piece in client.generate("echo", "one two", stream=True)] == ["one", " two", ""]


def test_models_are_listed_shown_loaded_and_unloaded(client: ollama.Client, fake: FakeOllama) -> None:
    assert [model.model for model in client.list().models] == list(fake.models)
    assert (client.show("m").modelinfo or {})["llama.context_length"] == 8192
    client.chat("m", USER, keep_alive=-1)
    running = client.ps().models
    assert [model.model for model in running] == ["m"]
    assert running[0].expires_at is not None
    assert running[0].expires_at.year > 2100
    assert client.chat("m", [], keep_alive=0).done_reason == "unload"
    assert client.ps().models == []
    assert client.generate("m", "").done_reason == "load"
    assert httpx.get(f"{fake.url}/api/version").json() == {"version": "0.12.0"}
    assert httpx.get(fake.url).text == "Ollama is running"


def test_texts_are_embedded(client: ollama.Client, compatible: openai.OpenAI) -> None:
    assert client.embed("m", ["a", "bb"]).embeddings == [vector("a"), vector("bb")]
    assert compatible.embeddings.create(model="m", input="a", encoding_format="float").data[0].embedding == vector("a")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("json", f'{{"answer": "{SAID}"}}'),
        ({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, '{"n": 1}'),
    ],
)
def test_json_is_returned_on_request(client: ollama.Client, form: object, expected: str) -> None:
    assert client.chat("m", USER, format=form).message.content == expected  # type: ignore[arg-type]


def test_images_arrive_and_rubbish_is_refused(client: ollama.Client, fake: FakeOllama) -> None:
    client.chat("m", [{"role": "user", "content": "What is it?", "images": [b"\x89PNG"]}])
    assert fake.asked[0].images == [b"\x89PNG"]
    body = {"model": "m", "messages": [{"role": "user", "content": "?", "images": ["!"]}]}
    assert httpx.post(f"{fake.url}/api/chat", json=body).status_code == 400


@pytest.mark.parametrize(("model", "status"), [("missing", 404), ("bad", 400), ("busy", 503), ("forbidden", 401)])
def test_refusals_have_the_status_and_the_text_of_the_protocol(
    client: ollama.Client, compatible: openai.OpenAI, model: str, status: int
) -> None:
    with pytest.raises(ollama.ResponseError) as caught:
        client.chat(model, USER)
    assert caught.value.status_code == status
    assert caught.value.error
    with pytest.raises(openai.APIStatusError) as refused:
        compatible.chat.completions.create(model=model, messages=USER)  # type: ignore[arg-type]
    assert refused.value.status_code == status


def test_an_invalid_request_is_refused(fake: FakeOllama) -> None:
    assert httpx.post(f"{fake.url}/api/chat").json() == {"error": "missing request body"}
    assert httpx.post(f"{fake.url}/api/chat", json={}).json() == {"error": "model is required"}
    assert httpx.post(f"{fake.url}/api/nothing", json={}).status_code == 404
    assert httpx.get(f"{fake.url}/api/nothing").status_code == 404


def test_a_server_that_was_busy_twice_answers_the_third_time(client: ollama.Client) -> None:
    for _ in range(2):
        with pytest.raises(ollama.ResponseError):
            client.chat("busy-2", USER)
    assert client.chat("busy-2", USER).message.content == SAID


def test_an_answer_ends_with_its_budget(client: ollama.Client) -> None:
    ended = client.chat("loop", USER, options={"num_predict": 5})
    assert (ended.done_reason, ended.eval_count) == ("length", 5)


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("broken-after-3", httpx.RemoteProtocolError),
        ("broken", httpx.RemoteProtocolError),
        ("torn-after-3", ValueError),
        ("noise-after-3", ValueError),
        ("error-after-3", ollama.ResponseError),
        ("rubbish", ValueError),
    ],
)
def test_an_answer_can_end_badly(client: ollama.Client, model: str, error: type[Exception]) -> None:
    pieces: list[str] = []
    with pytest.raises(error):
        pieces.extend(piece.message.content or "" for piece in client.chat(model, USER, stream=True))
    assert len(pieces) == (3 if "after" in model else 0)


def test_an_answer_can_end_early_without_its_last_line(client: ollama.Client) -> None:
    assert [piece.done for piece in client.chat("cut-after-3", USER, stream=True)] == [False] * 3


def test_a_script_decides_the_reply(client: ollama.Client, fake: FakeOllama) -> None:
    def script(asked: Asked) -> Reply:
        return Reply(f"You said: {asked.last}", "cut-after-2")

    fake.script = script
    assert [piece.message.content for piece in client.chat("m", USER, stream=True)] == ["You", " said:"]


def test_the_cache_spares_what_begins_as_the_request_before(client: ollama.Client, fake: FakeOllama) -> None:
    first = [{"role": "system", "content": "Answer from the documents."}, *USER]
    answer = client.chat("m", first).message.content or ""
    following = [*first, {"role": "assistant", "content": answer}, {"role": "user", "content": "And a pug's?"}]
    assert client.chat("m", following).prompt_eval_count == len(fake.asked[1].prompt)
    client.chat("m", following[1:])
    assert fake.asked[0].shared == 0
    assert fake.asked[1].shared == len(fake.asked[0].prompt) + 8
    assert fake.asked[2].shared == 0


def test_it_records_disconnects_and_concurrent_requests(client: ollama.Client, fake: FakeOllama) -> None:
    streams = [client.chat("stall-after-1", USER, stream=True) for _ in range(3)]
    threads = [Thread(target=next, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]
    assert fake.most_at_once == 3
    assert all(asked.gone.wait(30) for asked in fake.asked)


def test_the_compatible_face_answers_whole_and_in_pieces(compatible: openai.OpenAI, fake: FakeOllama) -> None:
    whole = compatible.chat.completions.create(model="m", messages=USER)  # type: ignore[arg-type]
    assert (whole.choices[0].message.content, whole.choices[0].finish_reason) == (SAID, "stop")
    assert whole.usage is not None
    assert whole.usage.completion_tokens == 8
    pieces = list(
        compatible.chat.completions.create(
            model="m", messages=USER, stream=True, stream_options={"include_usage": True}
        )
    )
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices) == SAID
    assert pieces[-1].usage is not None
    assert [model.id for model in compatible.models.list()] == list(fake.models)


def test_the_compatible_face_breaks_in_the_middle_too(compatible: openai.OpenAI) -> None:
    with pytest.raises(openai.APIError, match="no longer running"):
        list(compatible.chat.completions.create(model="error-after-3", messages=USER, stream=True))


def test_a_model_that_thinks_aloud_says_so_apart(client: ollama.Client) -> None:
    pieces = list(client.chat("think", USER, stream=True))
    assert pieces[0].message.thinking == "Let me see."
    assert client.chat("think", USER).message.thinking == "Let me see."
