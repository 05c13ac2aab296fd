"""YAML, TOML and INI files: kept as they are, cut at their sections and stanzas with the comments above these."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

YAML = """# The kennel's service.
port: 80
host: example.org

# What is kept.
storage:
  # Days.
  keep: 30
  disks:
    - name: a
      size: 1
  path: /var
limits: {rate: 5}
"""


def titles(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings]


def test_yaml_is_cut_at_the_keys_that_hold_others() -> None:
    document = read(YAML.encode(), name="a.yaml")
    assert_blocks_fit(document)
    assert document.text == YAML.rstrip()
    assert titles(document) == [(1, "storage"), (2, "keep"), (2, "disks"), (2, "path"), (1, "limits")]
    assert shown_blocks(document)[1:3] == [
        ("code", 0, "# What is kept.\nstorage:"),
        ("code", 1, "  # Days.\n  keep: 30"),
    ]
    assert [block.line for block in document.blocks] == [1, 5, 7, 9, 12, 13]


def test_the_deep_keys_of_a_long_section_are_sections_too() -> None:
    told = "What the harbour does with a boat that asks for a berth " * 6
    berths = f"  /berths:\n    get:\n      summary: {told}\n    post:\n      summary: {told}\n"
    text = f"paths:\n{berths}  /lamps:\n    get:\n      summary: Lamps\n"
    document = read(text.encode(), name="a.yaml")
    assert_blocks_fit(document)
    assert titles(document) == [(1, "paths"), (2, "/berths"), (3, "get"), (3, "post"), (2, "/lamps")]
    assert [shown.split(":")[0].strip() for _, _, shown in shown_blocks(document)] == [
        "paths",
        "/berths",
        "get",
        "post",
        "/lamps",
    ]


def test_toml_and_ini_are_cut_at_their_sections() -> None:
    text = "name = 1\n\n# Tests.\n[tool.tests]\nfast = true\n\n[[people]]\nname = 'Ann'\n"
    document = read(text.encode(), name="a.toml")
    assert_blocks_fit(document)
    assert document.text == text.rstrip()
    assert titles(document) == [(1, "tool.tests"), (1, "people")]
    assert shown_blocks(document)[1][2] == "# Tests.\n[tool.tests]\nfast = true"
    assert titles(read(b"; main\n[server]\nport=1\n", name="a.ini")) == [(1, "server")]


INI = """[DEFAULT]

#
# GENERAL
#

# Seconds until a lamp goes out.
burn-time = 30
oil.kind = seed
# Turned off; a lamp is lit by hand.
#light = auto

[pier]
lamp = 3

  further = "in"
"""


def test_the_stanzas_of_a_section_have_the_names_of_their_settings() -> None:
    document = read(INI.encode(), name="a.conf")
    assert_blocks_fit(document)
    assert document.text == INI.rstrip()
    assert titles(document) == [(1, "DEFAULT"), (2, "GENERAL"), (2, "burn-time, oil.kind"), (2, "light"), (1, "pier")]
    assert shown_blocks(document)[3] == ("code", 1, "# Turned off; a lamp is lit by hand.\n#light = auto")
    assert shown_blocks(document)[-1] == ("code", 0, '[pier]\nlamp = 3\n\n  further = "in"')


def test_the_comment_of_a_stanza_that_is_too_long_is_cut_at_its_empty_lines() -> None:
    comment = "\n#\n".join(f"# {word} " + "and so on " * 20 for word in ("First", "Second", "Third"))
    document = read(f"[lamps]\n\n{comment}\nlamp = 3\n".encode(), name="a.ini")
    assert_blocks_fit(document)
    assert [text.split()[1] for _, _, text in shown_blocks(document)[1:]] == ["First", "Second", "Third"]
    assert titles(document) == [(1, "lamps"), (2, "lamp")]


def test_the_settings_of_a_yaml_section_stand_as_deep_as_the_first() -> None:
    text = "pier:\n    lamp: 3\n    # Metres.\n    height: 4\n\n    # Of each.\n    colours:\n        - red\n"
    document = read(text.encode(), name="a.yml")
    assert titles(document) == [(1, "pier"), (2, "height"), (2, "colours")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("text: |\n  # Markdown\n  first\n\n  second\n\n  third\n", "a.yaml"),
        ("boats:\n  # One.\n  - a\n  # Two.\n  - b\n\n  - c\n", "a.yaml"),
        ("[x]\nn = [\n1,\n\n2,\n# Three.\n3\n]\n", "a.toml"),
        ('[x]\nt = """\none\n\ntwo\n"""\n', "a.toml"),
    ],
)
def test_a_value_of_several_lines_is_not_cut(text: str, name: str) -> None:
    document = read(text.encode(), name=name)
    assert_blocks_fit(document)
    assert len(document.headings) <= 1
    assert len([block for block in document.blocks if block.kind == "code"]) == 1


@pytest.mark.parametrize(
    ("text", "name", "title"),
    [
        ("a:\n  b: 1\n\n  '/ping': 2\n", "a.yaml", "/ping"),
        ('a:\n  b: 1\n\n  "c d": 2\n', "a.yaml", "c d"),
        ("a=1\n\n# Port.\nport: 1\n", "a.properties", "port"),
    ],
)
def test_a_setting_has_its_name_however_it_is_written(text: str, name: str, title: str) -> None:
    assert titles(read(text.encode(), name=name))[-1][1] == title


def test_a_file_without_sections_is_code() -> None:
    assert shown_blocks(read(b"# Where.\npath=/x\n", name="a.conf")) == [("code", 0, "# Where.\npath=/x")]


def test_long_values_are_cut_at_blank_lines() -> None:
    long = "text: |\n" + "\n\n".join(f"  line {number}" for number in range(100))
    document = read(long.encode(), name="a.yml")
    assert_blocks_fit(document)
    assert len(document.blocks) > 2
    assert document.text == long


def test_paths_with_braces_are_keys() -> None:
    text = "paths:\n  /boats:\n    get: {summary: List}\n  /boats/{id}:\n    put:\n      summary: Rename\n"
    document = read(text.encode(), name="a.yaml")
    assert titles(document) == [(1, "paths"), (2, "/boats"), (2, "/boats/{id}")]
    assert shown_blocks(document)[-1][2] == "  /boats/{id}:\n    put:\n      summary: Rename"


PARTS = """# What runs at the quay.
---
kind: Crane
metadata:
  labels: {a: b}
  name: "north"
load: 3
---
id: lamp-7
oil: seed
---
server:
  port: 80
---
# Nothing more.
"""


def test_the_documents_of_a_file_stand_below_what_names_them() -> None:
    document = read(PARTS.encode(), name="a.yaml")
    assert_blocks_fit(document)
    assert titles(document) == [
        (1, "Crane north"),
        (2, "metadata"),
        (2, "load"),
        (1, "lamp-7"),
        (1, "server"),
        (2, "server"),
    ]
    assert [shown for _, _, shown in shown_blocks(document)][1:5] == [
        "kind: Crane",
        'metadata:\n  labels: {a: b}\n  name: "north"',
        "load: 3",
        "id: lamp-7\noil: seed",
    ]
    assert [block.line for block in document.blocks] == [1, 3, 4, 7, 9, 12]


def test_a_file_of_one_document_has_no_name_above_it() -> None:
    assert titles(read(b"---\nkind: Crane\nname: north\nload:\n  most: 3\n", name="a.yaml")) == [(1, "load")]


@pytest.mark.parametrize(
    "part",
    [
        "#\n",
        "a=1\n#\n",
        "a:\n  #\n  b: 1\n",
        "a:\n",
        " a:\n",
        "- ",
        "[",
        "[a",
        "'",
        "a: {",
        "!x ",
        "\t",
        "a=[",
        "&: ",
        "---\n",
        "---\na:\n",
    ],
)
def test_any_amount_of_anything_is_read_in_time(part: str) -> None:
    content = part * (100_000 // len(part)) + "]\nend: 1"
    for name in ("a.yaml", "a.toml"):
        assert_blocks_fit(read(content.encode(), name=name))
