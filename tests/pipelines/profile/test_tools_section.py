"""What a profile may say of tools, and how it is refused."""

from __future__ import annotations

import pytest

from pipelines.profile.schema import Profile
from tests.pipelines.profile.conftest import Load, Problems

LLM = "llm: {provider: ollama, model: m}\n"
TOOLS = LLM + "tools: {servers: [%s]}"
HTTP = 'name: shop, transport: http, url: "http://shop/mcp"'
STDIO = "name: papers, transport: stdio, command: [python, papers.py]"


def test_servers_are_of_two_kinds(load: Load) -> None:
    tools = load(TOOLS % f'{{{HTTP}, headers: {{Authorization: "${{KEY}}"}}}}, {{{STDIO}}}', KEY="Bearer CANARY").tools
    shop, papers = tools.servers
    assert shop.headers["Authorization"].get_secret_value() == "Bearer CANARY"
    assert papers.command == ("python", "papers.py")
    assert "CANARY" not in str(tools) + tools.model_dump_json()
    assert (tools.asked, tools.longest_s) == (True, 30.0)


def test_without_servers_or_a_router_nothing_is_asked(load: Load) -> None:
    assert not Profile().tools.asked
    assert not load(f"tools: {{router: off, servers: [{{{HTTP}}}]}}").tools.asked
    assert Profile().tools.longest_s == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            f"tools: {{servers: [{{{HTTP}}}]}}",
            "tools -> servers: are asked by a language model: give the section llm, or set router to off",
        ),
        (TOOLS % f"{{{HTTP}}}, {{{HTTP}}}", "tools -> servers -> 1: another server has this name"),
        (TOOLS % f"{{{HTTP}, allow: [a, a]}}", "tools -> servers -> 0 -> allow -> 1: is listed twice"),
        (
            TOOLS % '{name: router, transport: http, url: "http://x"}',
            'tools -> servers -> 0 -> name: "router" is reserved; call the server something else',
        ),
        (
            TOOLS % f"{{{HTTP}, headers: {{X-Key: CANARY}}}}",
            "tools -> servers -> 0 -> headers -> X-Key: a secret is written only as ${NAME}, never in the file",
        ),
        (
            TOOLS % f'{{{HTTP}, headers: {{X-Key: "Bearer ${{KEY}}"}}}}',
            "tools -> servers -> 0 -> headers -> X-Key: a secret is written only as ${NAME}, never in the file",
        ),
        (
            TOOLS % f'{{{HTTP}, headers: {{X-Key: "${{LINES}}"}}}}',
            "tools -> servers -> 0 -> headers -> X-Key: must be printable ASCII characters without spaces at its ends "
            "(the file says ${LINES})",
        ),
        (
            TOOLS % f'{{{HTTP}, headers: {{"X Key": "${{KEY}}"}}}}',
            "tools -> servers -> 0 -> headers -> X Key: must be the name of an HTTP header",
        ),
        (
            TOOLS % f"{{{STDIO}, env: {{TOKEN: CANARY}}}}",
            "tools -> servers -> 0 -> env -> TOKEN: a secret is written only as ${NAME}, never in the file",
        ),
        (
            TOOLS % f'{{{STDIO}, env: {{"2X": "${{KEY}}"}}}}',
            "tools -> servers -> 0 -> env -> 2X: must be the name of an environment variable",
        ),
        (TOOLS % "{name: x, transport: stdio, command: []}", "tools -> servers -> 0 -> command: must not be empty"),
        (
            TOOLS % f"{{{STDIO}, url: 'http://x'}}",
            'tools -> servers -> 0 -> url: unknown key with transport "stdio"',
        ),
        (
            TOOLS % "{name: x, transport: sse, url: 'http://x'}",
            'tools -> servers -> 0 -> transport: "sse" is not one of http, stdio',
        ),
    ],
)
def test_an_invalid_section_is_refused_in_words(text: str, problem: str, problems: Problems) -> None:
    assert problems(text, KEY="CANARY", LINES="CANARY\n") == [problem]
