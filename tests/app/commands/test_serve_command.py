"""`footnote serve` as a process of its own."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.app.commands.processes import Process, address_of, ended, said_until_ready, started, started_alone
from tests.app.running import Done, RunCli
from tests.fakes.ollama import ollama_server

Start = Callable[..., Process]
BOOK = """
tenant: book
contract: textbook
metadata: {fields: {chapter: {type: integer}, section: {type: keyword}, page: {type: integer}}}
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `footnote` in a process that ends with the test."""
    _write_profiles(tmp_path)
    with ExitStack() as opened:
        yield partial(started, opened, tmp_path)


@pytest.fixture(scope="module")
def said_of_three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What a server of three tenants, one with a contract, says until it is ready; nobody reads on."""
    folder = tmp_path_factory.mktemp("three")
    _write_profiles(folder)
    with ExitStack() as opened:
        tenants = ("book.yaml", "cats.yaml", "dogs.yaml")
        yield said_until_ready(started(opened, folder, "serve", *tenants, "--port", "0", "--data", "data"))


def _write_profiles(folder: Path) -> None:
    for name in ("cats", "dogs"):
        (folder / f"{name}.yaml").write_text(f"tenant: {name}")
    (folder / "book.yaml").write_text(BOOK)


def _get(address: str) -> httpx.Response:
    return httpx.get(address, trust_env=False, timeout=60)


def test_a_server_says_where_its_tenants_are_and_that_it_is_ready(said_of_three: str) -> None:
    assert said_of_three.endswith("\nready\n")
    for tenant in ("cats", "dogs"):
        assert _get(f"{address_of(said_of_three, tenant)}/stats").json()["tenant"] == tenant


def test_a_server_says_where_the_console_is(said_of_three: str) -> None:
    (address,) = re.findall(r"^console: (\S+)$", said_of_three, re.MULTILINE)
    assert "<title>Footnote</title>" in _get(address).text


def test_a_server_says_where_the_pages_of_contracts_are(said_of_three: str) -> None:
    _check_pages_of_book(said_of_three)


def test_a_server_of_one_tenant_says_where_the_pages_of_its_contract_are(start: Start) -> None:
    _check_pages_of_book(said_until_ready(start("serve", "book.yaml", "--port", "0", "--data", "data")))


def _check_pages_of_book(said: str) -> None:
    (pages,) = re.findall(r"^docs of book's own API: (\S+)$", said, re.MULTILINE)
    openapi = _get(pages.removesuffix("docs") + "openapi.json").json()
    assert {"/ingest", "/query", "/health"} <= openapi["paths"].keys()
    assert _get(pages).status_code == 200


def test_a_server_survives_a_closed_output_pipe(said_of_three: str) -> None:
    with httpx.Client(trust_env=False, timeout=60) as client:
        for _ in range(700):  # a pipe takes 64 kB, and a line for each of these would be more
            assert client.get(f"{address_of(said_of_three, 'cats')}/documents/{'x' * 100}").status_code == 404


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_stopped_server_releases_its_data_folder(
    start: Start, run_cli: RunCli, tmp_path: Path, how: signal.Signals, code: int
) -> None:
    process = start("serve", "cats.yaml", "--port", "0", "--data", "data")
    address = address_of(said_until_ready(process), "cats")
    body = {"document_id": "a", "content": "Cats sleep all day."}
    assert httpx.post(f"{address}/documents", json=body, trust_env=False, timeout=60).status_code == 201
    process.send_signal(how)
    assert process.wait(timeout=120) == code
    assert "Traceback" not in process.stderr.read()
    kept = run_cli("documents", str(tmp_path / "cats.yaml"), "content", "a", "--data", str(tmp_path / "data"))
    assert (kept.code, kept.out.strip()) == (0, "Cats sleep all day.")


@pytest.mark.parametrize(("model", "last"), [("drip-100ms", "done"), ("slow", "error")])
def test_a_stopping_server_ends_its_streams_in_order(start: Start, tmp_path: Path, model: str, last: str) -> None:
    with ollama_server() as fake:
        llm = f"{{provider: ollama, model: {model}, base_url: '{fake.url}'}}"
        (tmp_path / "cats.yaml").write_text(f"tenant: cats\nllm: {llm}")
        process = start("serve", "cats.yaml", "--port", "0", "--data", "data")
        address = address_of(said_until_ready(process), "cats")
        document = {"document_id": "a", "content": "Cats sleep all day."}
        question = {"question": "When do cats sleep?", "stream": True}
        with httpx.Client(trust_env=False, timeout=60) as client:
            assert client.post(f"{address}/documents", json=document).status_code == 201
            with client.stream("POST", f"{address}/query", json=question) as answer:
                lines = answer.iter_lines()
                assert next(lines) == "event: sources"
                process.terminate()
                events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
        assert events[-1] == last
        assert process.wait(timeout=60) == -signal.SIGTERM


def test_a_server_reports_the_result_of_knowledge_sync(start: Start, tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "blank.txt").write_text(" ")
    (tmp_path / "cats.yaml").write_text("tenant: cats\nknowledge: {path: knowledge, sync: startup}")
    process = start("serve", "cats.yaml", "--port", "0", "--data", "data")
    said_until_ready(process)
    process.terminate()
    failure, counts = process.stderr.read().splitlines()
    assert " WARNING: cats: knowledge: 'blank.txt' failed: " in failure
    assert re.fullmatch(r"\S+Z INFO: cats: knowledge: 0 ready, 0 unchanged, 1 failed, 0 removed", counts)


def test_an_unusable_data_folder_is_a_message_without_a_traceback(
    start: Start, run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    served = Done(*ended(start("serve", "cats.yaml", "--port", "0", "--data", "file/x")))
    for done in (served, run_cli("search", "cats.yaml", "sleep", "--data", "file/x")):
        assert (done.code, done.out) == (1, "")
        assert re.search("^footnote: .*file/x/cats", done.err, re.MULTILINE)
        assert "Traceback" not in done.err


def test_damaged_data_is_a_message_without_a_traceback(
    start: Start, run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli("documents", "cats.yaml", "--data", "data").code == 0
    (state,) = (tmp_path / "data").rglob("collection.json")
    state.write_text("garbage")
    served = Done(*ended(start("serve", "cats.yaml", "--port", "0", "--data", "data")))
    for done in (served, run_cli("search", "cats.yaml", "sleep", "--data", "data")):
        assert (done.code, done.out) == (1, "")
        assert "footnote: the vector store is not available: " in done.err
        assert "collection.json is damaged; it can be made again" in done.err
        assert "Traceback" not in done.err


def test_unencodable_output_is_escaped_without_a_traceback(tmp_path: Path) -> None:
    _write_profiles(tmp_path)
    for encoding, action in (("utf-8:strict", "show"), ("ascii:strict", "delete")):
        asked = ("documents", "cats.yaml", action, "\udcff", "--data", "data")
        code, _, err = started_alone(tmp_path, *asked, encoding=encoding)
        assert (code, "Traceback" in err) == (1, False), err
    code, out, err = started_alone(tmp_path, "check", "\udcff.yaml", encoding="ascii:strict")
    assert (code, "Traceback" in err) == (2, False), err
    (tmp_path / "\udcff.yaml").write_text("tenant: cats")
    code, out, err = started_alone(tmp_path, "check", "\udcff.yaml", encoding="utf-8:strict")
    assert (code, out, err) == (0, "\\udcff.yaml: ok, tenant cats\n", "")


def test_json_is_json_in_any_encoding(tmp_path: Path) -> None:
    _write_profiles(tmp_path)
    (tmp_path / "é😀.txt").write_text("Cats sleep all day.", encoding="utf-8")
    for encoding in ("ascii:strict", "utf-8:strict"):
        asked = ("ingest", "cats.yaml", "é😀.txt", "--json", "--data", "data")
        code, out, err = started_alone(tmp_path, *asked, encoding=encoding)
        assert (code, err) == (0, "")
        assert json.loads(out)["documents"][0]["document_id"] == "é😀.txt"


def test_data_held_by_another_process_is_a_message_without_a_traceback(start: Start) -> None:
    first = start("serve", "cats.yaml", "--port", "0", "--data", "data")
    said_until_ready(first)
    code, out, err = ended(start("serve", "cats.yaml", "--port", "0", "--data", "data"))
    assert (code, out) == (1, "")
    assert f"footnote: process {first.pid} (" in err
    assert "holds the data folder data/cats; stop it, or name another --data" in err
    assert "Traceback" not in err


def test_a_port_in_use_is_a_message_without_a_traceback(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cats.yaml").write_text("tenant: cats")
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run_cli("serve", "cats.yaml", "--port", str(port), "--data", "data")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"footnote: cannot listen on 127.0.0.1 port {port}: ")


def test_refusing_open_tenants_loads_neither_engine_nor_server(tmp_path: Path) -> None:
    (tmp_path / "open.yaml").write_text("tenant: open")
    serve = "sys.argv[1:] = ['serve', 'open.yaml', '--host', '0.0.0.0']"
    loaded = "print([name for name in ('uvicorn', 'fastapi', 'numpy', 'sqlalchemy') if name in sys.modules])"
    program = f"import sys\nfrom app.cli import main\n{serve}\ntry:\n    main()\nfinally:\n    {loaded}"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "[]\n")
    assert "auth -> keys: there are none" in done.stderr


def test_other_machines_need_keys(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "open.yaml").write_text("tenant: open")
    done = run_cli("serve", str(tmp_path / "open.yaml"), "--host", "0.0.0.0", "--data", str(tmp_path / "data"))
    assert (done.code, done.out) == (2, "")
    assert "auth -> keys: there are none, and 0.0.0.0 can be reached from other machines" in done.err
    assert not (tmp_path / "data").exists()
