"""Small files that are read without a child process: none may cost much, whatever it holds."""

import time
from contextlib import suppress

import pytest

from pipelines.errors import EmptyDocument
from pipelines.reading import parse
from pipelines.reading.workers.light import LIGHT_BYTES, light_source

INLINE = ("`", "*", "**a", "_a_", "\\", "&a;", "a](", "~~", "$", "{{<a", "{%", "{a:", '"', "http://a.b/", "/*")
LINES = (
    "|a|",
    "---",
    "===",
    "# a",
    "a\n",
    ":::note",
    "```",
    "+++",
    "@a",
    "> ",
    "- a",
    "1. a",
    "   * x",
    "a: b",
    "def a():",
)
REPEATED = [*INLINE, *(f"{line}\n" for line in LINES), "> ", "- ", "| a ", "- a:\n  "]
OF_MDX = ["{", "{a}", "{/*", "<A>", "<A>\n", "<A b={", "</A>\n", "import a\n", "export a = {\n"]
"""What MDX reads in another way than Markdown."""
NESTED = [
    "".join("  " * level + "- a\n" for level in range(170)),
    "".join(">" * level + " a\n" for level in range(250)),
]
SECONDS = 10
"""Of processor time; the costliest takes less than one. A quadratic parser takes minutes over these."""


@pytest.mark.parametrize(
    ("name", "parts"),
    [("a.md", REPEATED), ("a.mdx", OF_MDX), ("a.yaml", REPEATED), ("a.py", REPEATED)],
    ids=["a.md", "a.mdx", "a.yaml", "a.py"],
)
def test_light_files_are_read_quickly(name: str, parts: list[str]) -> None:
    for text in [*(part * (LIGHT_BYTES // len(part)) for part in parts), *NESTED]:
        source = light_source(text.encode(), name, None, None)
        if source is not None:
            started = time.process_time()
            with suppress(EmptyDocument):
                parse(source)
            assert time.process_time() - started < SECONDS, text[:20]


def test_many_signs_of_links_are_left_to_a_child_process() -> None:
    assert light_source("[" * 501, "a.md", None, None) is None
    assert light_source("a" * (LIGHT_BYTES + 1), "a.md", None, None) is None
