"""The server that holds a tenant is recognised, let in by its token, and its problems are errors here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from app.commands.access import TenantBusy, opened
from app.main import create_app
from app.native.schemas.documents import FailedSchema
from app.native.schemas.jobs import JobAcceptedResponse
from app.native.schemas.search import QueryResponse, SourcesSchema, TokenSchema
from app.native.tenant import LocalTenant
from app.owner import CHALLENGE, PROOF, Owner, new_token, record, this_process
from app.remote.server import ServerFailed, ServerGone, connected
from app.remote.tenant import RemoteTenant
from app.settings import Settings
from pipelines import open_engine
from pipelines.errors import DocumentNotFound, InvalidFilter, InvalidRequest, LlmUnavailable, QuotaSpent, TenantNotFound
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import DocumentInput, Query
from tests.app.running import Serve, running
from tests.fakes.ollama import ollama_server

OPEN = "tenant: open\nmetadata: {fields: {species: {type: keyword}}}"
KEYED = 'tenant: keyed\nauth: {keys: [{name: ops, secret: "${OPS_KEY}", role: admin}]}'


@pytest.fixture(autouse=True)
def _ops_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPS_KEY", "ops-secret")


def _profile(folder: Path, text: str) -> LoadedProfile:
    name = text.split()[1]
    (folder / f"{name}.yaml").write_text(text)
    return load_profile(folder / f"{name}.yaml")


def _recorded(client: httpx.Client, token: str, data: Path, *tenants: str) -> Owner:
    """Records the server of ``client`` as that of ``tenants``."""
    owner = this_process(str(client.base_url).rstrip("/"), token)
    for tenant in tenants:
        record(data / tenant, owner)
    return owner


@contextmanager
def _impostor(
    status: int, body: bytes = b"", kind: str = "application/json"
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that is not Footnote's, and the headers of every request that it gets."""
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the name is http.server's

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", seen
        finally:
            server.shutdown()
            thread.join()


def test_a_server_proves_knowledge_of_the_token_without_showing_it(serve: Serve) -> None:
    token = new_token()
    client = serve(OPEN, local_token=token)
    owner = this_process(str(client.base_url), token)
    with connected(owner) as server, connected(replace(owner, token=new_token())) as other:
        assert server.is_owner()
        assert not other.is_owner()
    answer = client.get("/healthz", headers={CHALLENGE: "x"})
    assert answer.headers[PROOF]
    assert PROOF not in client.get("/healthz").headers
    assert token not in f"{answer.headers}{answer.text}"


def test_a_server_without_a_token_proves_nothing(serve: Serve) -> None:
    assert PROOF not in serve(OPEN).get("/healthz", headers={CHALLENGE: "x"}).headers


@pytest.mark.parametrize("tenant", ["open", "keyed"])
def test_the_token_opens_every_tenant_of_its_server_with_keys_or_without(
    serve: Serve, tmp_path: Path, tenant: str
) -> None:
    token = new_token()
    client = serve(OPEN, KEYED, local_token=token)
    data = tmp_path / "server-0" / "data"
    _recorded(client, token, data, "open", "keyed")
    (tmp_path / "a.txt").write_text(f"A text of the tenant {tenant}.")
    with opened(_profile(tmp_path, OPEN if tenant == "open" else KEYED), data) as found:
        assert isinstance(found, RemoteTenant)
        offered = [DocumentInput(content=tmp_path / "a.txt", source="a.txt")]
        assert [result.state for result in found.ingest(offered, lambda *_: None)] == ["ready"]
        assert found.content("a.txt") == f"A text of the tenant {tenant}."
        assert found.documents(10).total == 1
        assert found.delete("a.txt", purge=True).versions_removed == 1
    key = {"Authorization": f"Bearer {new_token()}"}
    assert client.get("/tenants/keyed/stats", headers=key).status_code == 401


def test_no_document_holds_the_token_where_the_data_are_in_the_knowledge_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A text.")
    token = new_token()
    record(tmp_path / "data" / "open", this_process("http://127.0.0.1:1", token))
    with open_engine({"tenant": "open", "knowledge": {"path": tmp_path}}, tmp_path / "data") as engine:
        engine.sync()
        engine.ingest(tmp_path)
        found = [engine.content(one.document_id) for one in engine.documents(1000, state="ready").documents]
    assert "A text." in found
    assert not [text for text in found if token in text]


def test_the_token_does_not_open_what_the_server_does_not_serve(serve: Serve, tmp_path: Path) -> None:
    token = new_token()
    owner = this_process(str(serve(OPEN, local_token=token).base_url), token)
    with connected(owner) as server, pytest.raises(TenantNotFound, match='no tenant "keyed" is served here'):
        RemoteTenant(server, _profile(tmp_path, KEYED)).stats()


def test_another_server_at_the_address_is_not_shown_the_token(tmp_path: Path) -> None:
    token = new_token()
    with _impostor(200, b'{"status": "ok"}') as (address, seen):
        record(tmp_path / "data" / "open", this_process(address, token))
        with opened(_profile(tmp_path, OPEN), tmp_path / "data") as found:
            assert isinstance(found, LocalTenant)
    assert len(seen) == 1
    assert token not in str(seen)


def test_a_dead_address_is_skipped(tmp_path: Path) -> None:
    with _impostor(200) as (address, _):
        pass
    record(tmp_path / "data" / "open", this_process(address, new_token()))
    with opened(_profile(tmp_path, OPEN), tmp_path / "data") as found:
        assert isinstance(found, LocalTenant)


def test_a_record_whose_pid_was_reused_is_not_contacted(tmp_path: Path) -> None:
    with _impostor(200) as (address, seen):
        owner = this_process(address, new_token())
        assert owner.started is not None
        record(tmp_path / "data" / "open", replace(owner, started=owner.started - 1))
        with opened(_profile(tmp_path, OPEN), tmp_path / "data") as found:
            assert isinstance(found, LocalTenant)
    assert seen == []


def test_a_folder_that_another_command_holds_is_busy_and_the_message_names_it(tmp_path: Path) -> None:
    loaded = _profile(tmp_path, OPEN)
    other = _profile(tmp_path, f"{OPEN}\nsparse: {{language: german}}")  # the same profile would share the engine
    with opened(loaded, tmp_path / "data"):
        named = rf"process {os.getpid()} \(.*\) holds the data folder .*/data/open; wait for it, stop it, or name"
        with pytest.raises(TenantBusy, match=named), opened(other, tmp_path / "data"):
            pass


def test_a_server_that_stops_between_two_pages_is_a_clear_error(tmp_path: Path) -> None:
    token, loaded = new_token(), _profile(tmp_path, OPEN)
    app = create_app([loaded], Settings(data=tmp_path / "data", local_token=token))
    with ExitStack() as served, ExitStack() as stack:
        root = served.enter_context(running(app))
        tenant = RemoteTenant(stack.enter_context(connected(this_process(root, token))), loaded)
        for name in ("a", "b"):
            (tmp_path / name).write_text(f"The text {name}.")
            tenant.ingest([DocumentInput(content=tmp_path / name, source=name)], lambda *_: None)
        page = tenant.documents(1)
        assert page.next_cursor is not None
        served.close()
        with pytest.raises(ServerGone, match=rf"the server at {root} \(process {os.getpid()}\) is not available"):
            tenant.documents(1, page.next_cursor)


def test_jobs_that_a_full_queue_accepted_are_named_beside_what_it_refused(serve: Serve, tmp_path: Path) -> None:
    token, text = new_token(), f"{OPEN}\njobs: {{run: worker}}\nlimits: {{quotas: {{jobs: 2}}}}"
    owner = this_process(str(serve(text, local_token=token).base_url), token)
    offered = []
    for name in ("ash.txt", "elm.txt", "fir.txt", "oak.txt"):
        (tmp_path / name).write_text(f"A leaf of {name}.")
        # Of different metadata, so that each is a job.
        offered.append(DocumentInput(content=tmp_path / name, source=name, metadata={"tree": name}))
    with connected(owner) as server:
        tenant = RemoteTenant(server, _profile(tmp_path, text))
        *accepted, third, fourth = tenant.submit(offered)
        waiting = {job.job_id for job in tenant.jobs(10).jobs}
        assert {one.job_id for one in accepted if isinstance(one, JobAcceptedResponse)} == waiting
        assert all(isinstance(one, FailedSchema) and "allows (2)" in one.reason for one in (third, fourth))
        with pytest.raises(QuotaSpent):
            list(tenant.submit(offered[2:]))


def test_problems_become_the_servers_error_classes(serve: Serve, tmp_path: Path) -> None:
    token = new_token()
    owner = this_process(str(serve(OPEN, local_token=token).base_url), token)
    with connected(owner) as server:
        tenant = RemoteTenant(server, _profile(tmp_path, OPEN))
        with pytest.raises(DocumentNotFound, match=r'^no document "a"$') as missing:
            tenant.document("a")
        assert missing.value.code == "document_not_found"
        with pytest.raises(InvalidFilter, match='did you mean "species"') as refused:
            tenant.search(Query("cat", filters={"specie": "cat"}))
        assert [problem.path for problem in refused.value.problems] == ["filters -> specie"]
        with pytest.raises(InvalidRequest, match="half a surrogate pair"):
            tenant.search(Query("\udcff"))
        with pytest.raises(InvalidRequest, match="too long"):
            tenant.document("x" * 100_000)


@pytest.mark.parametrize("document_id", [".", "..", "a/../b", "a%2Fb", "a b?c#d", "é😀", "\udcff"])
def test_any_id_arrives_as_it_is(serve: Serve, tmp_path: Path, document_id: str) -> None:
    token = new_token()
    owner = this_process(str(serve(OPEN, local_token=token).base_url), token)
    shown = document_id.encode(errors="surrogatepass").decode(errors="replace")
    with connected(owner) as server, pytest.raises(DocumentNotFound) as missing:
        RemoteTenant(server, _profile(tmp_path, OPEN)).document(document_id)
    assert missing.value.message == f'no document "{shown}"'


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"code": "x"}', b'{"code": 1, "detail": 2, "errors": [3]}'])
def test_a_response_without_a_problem_document_is_a_server_failure(body: bytes) -> None:
    with _impostor(502, body) as (address, _), ExitStack() as stack:
        server = stack.enter_context(connected(this_process(address, new_token())))
        with pytest.raises(ServerFailed, match="status 502"):
            server.send("GET", "/tenants/open/stats")


def test_a_streamed_answer_raises_the_servers_errors(serve: Serve, tmp_path: Path) -> None:
    token = new_token()
    with ollama_server() as fake, ExitStack() as stack:
        text = OPEN + f'\nllm: {{provider: ollama, model: m, base_url: "{fake.url}", fallback: error,'
        text += " allowed: [{provider: ollama, model: cut-after-3}]}\nanswer: {abstain_below: 0}"
        server = stack.enter_context(connected(this_process(str(serve(text, local_token=token).base_url), token)))
        tenant = RemoteTenant(server, _profile(tmp_path, text))
        (tmp_path / "a").write_text("The documents say that this is so.")
        tenant.ingest([DocumentInput(content=tmp_path / "a", source="a")], lambda *_: None)
        parts = list(tenant.stream_answer(Query("Is this so?")))
        assert isinstance(parts[0], SourcesSchema)
        assert isinstance(parts[-1], QueryResponse)
        assert "".join(part.text for part in parts if isinstance(part, TokenSchema)) == parts[-1].answer
        with pytest.raises(InvalidRequest, match="not among those of the profile"):
            next(tenant.stream_answer(Query("Is this so?", llm={"model": "x"})))
        broken = tenant.stream_answer(Query("Is this so?", llm={"model": "cut-after-3"}))
        with pytest.raises(LlmUnavailable, match="the server answered: llm_unavailable"):
            list(broken)
        begun = tenant.stream_answer(Query("Is this so?"))
        next(begun)
        begun.close()
        assert tenant.stats().documents == 1


def test_events_are_read_whatever_stands_between_and_in_them() -> None:
    body = 'event: token\ndata: {"a":\ndata: 1}\n\n: ping\n\ndata:x\u2028y\x85z\n\nevent: lost'
    with _impostor(200, body.encode(), "text/event-stream") as (address, _), ExitStack() as stack:
        server = stack.enter_context(connected(this_process(address, new_token())))
        assert list(server.events("/", {})) == [("token", '{"a":\n1}'), ("message", "x\u2028y\x85z")]


def test_an_answer_without_events_is_a_failure_of_the_server() -> None:
    with _impostor(200, b"{}") as (address, _), ExitStack() as stack:
        server = stack.enter_context(connected(this_process(address, new_token())))
        with pytest.raises(ServerFailed, match="status 200"):
            list(server.events("/", {}))
