"""Makefiles: cut at their rules, each with the comments above it, and kept as they are."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

MAKEFILE = """\
# Feeds the dogs: `make feed` in the morning.
BOWLS ?= 3
FOOD := $(shell ls food)

# Into every bowl.
.PHONY: feed
feed: $(FOOD) water  ## give food
\t# half a cup for each
\t@for bowl in 1 2 3; do echo $$bowl: full; done

water: CUPS = 2
water:
\techo $(CUPS) cups

food/%.bag food/%.box: shop/%
\tcp $< $@
"""


def titles(document: ParsedDocument) -> list[str]:
    return [heading.title for heading in document.headings]


@pytest.mark.parametrize("name", ["Makefile", "src/makefile", "GNUmakefile", "rules.mk"])
def test_rules_are_code_with_what_stands_above_them(name: str) -> None:
    document = read(MAKEFILE.encode(), name=name)
    assert_blocks_fit(document)
    assert (document.text, document.media_type) == (MAKEFILE.rstrip(), "text/x-makefile")
    assert titles(document) == ["target feed", "target water", "target food/%.bag food/%.box"]
    assert [(kind, text.split("\n")[0]) for kind, _, text in shown_blocks(document)] == [
        ("code", "# Feeds the dogs: `make feed` in the morning."),
        ("code", "# Into every bowl."),
        ("code", "water:"),
        ("code", "food/%.bag food/%.box: shop/%"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$(OUT)/$(notdir $(A)).o: a.c", ["target $(OUT)/$(notdir $(A)).o"]),
        ("all:: one", ["target all"]),
        ("a.h b.c &: a.y", ["target a.h b.c"]),
        ("define walk\nfast: slow\nendef\nrun: ; echo", ["define walk", "target run"]),
        ("LIST = one \\\nb: two", []),
        ("$(info read: $(A))", []),
        ("URL := http://kennel", []),
        ("DATE != date +%H:%M", []),
        ("A ::= b", []),
        ("A=b:c", []),
        ("ifeq ($(A),b:c)", []),
        ("debug: CFLAGS += -g", []),
        (".SUFFIXES: .o", []),
        ("\techo a: b", []),
        ("# a: b", []),
        ("$(" * 5_000, []),
        ("a " * 5_000, []),
    ],
)
def test_what_begins_a_rule(line: str, expected: list[str]) -> None:
    assert titles(read(line.encode(), name="Makefile")) == expected


def test_the_address_of_a_page_about_makefiles_is_no_makefile() -> None:
    assert read("# Makefiles\n\nA rule.", name="https://kennel.example/makefile").media_type == "text/markdown"
