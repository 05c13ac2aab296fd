"""Source code: cut where functions and classes begin, each with the comments above it, and kept as it is."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.reading.code.languages import LANGUAGES
from pipelines.reading.formats import CODE
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

PYTHON = '''"""Kennels."""

import os

# How many dogs.
MOST = 3


@dataclass
class Kennel(Base):
    """A place for dogs."""

    size: int = 0

    # Asked by the clerk.
    @property
    def is_full(self) -> bool:
        """Whether no dog fits in."""
        def counted() -> int:
            return 1
        return self.size > MOST


if os.name:
    def hidden(): ...


async def main() -> None:
    pass
'''


def titles(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings]


def test_classes_methods_and_functions_are_blocks_with_what_stands_above_them() -> None:
    document = read(PYTHON.encode(), name="kennel.py")
    assert_blocks_fit(document)
    assert document.text == PYTHON.rstrip()
    assert titles(document) == [(1, "class Kennel"), (2, "is_full()"), (1, "main()")]
    assert [(level, text.split("\n")[0]) for _, level, text in shown_blocks(document)] == [
        (0, '"""Kennels."""'), (0, "@dataclass"), (1, "    # Asked by the clerk."), (0, "async def main() -> None:"),
    ]  # fmt: skip
    assert [block.line for block in document.blocks] == [1, 9, 15, 28]
    assert {block.kind for block in document.blocks} == {"code"}


@pytest.mark.parametrize(
    ("name", "program", "expected"),
    [
        (
            "a.js",
            "export class Pet {\n  name() {\n    if (x) {\n      y();\n    }\n  }\n}\nconst walk = async (dog) => dog;",
            ["class Pet", "name()", "walk()"],
        ),
        (
            "a.ts",
            "export interface Pet<T> { a: T }\nexport default function run<T>(a: T): T {\n  return a;\n}",
            ["interface Pet", "run()"],
        ),
        (
            "a.java",
            "public class Pet {\n    public Pet(int a) {\n    }\n    public List<Map<String, Dog>> all() {\n        "
            "return x();\n    }\n}",
            ["class Pet", "Pet()", "all()"],
        ),
        ("a.cs", "namespace Pets\n{\n    public record Dog(string Name);\n}", ["namespace Pets", "record Dog"]),
        (
            "a.kt",
            "data class Pet(val a: Int) {\n    fun walk(): Int = 1\n}\nfun String.bark() = 1",
            ["class Pet", "walk()", "bark()"],
        ),
        ("a.scala", "object Main {\n  def run(a: Int) = a\n}", ["object Main", "run()"]),
        ("a.swift", "struct Pet {\n    func walk() {}\n}", ["struct Pet", "walk()"]),
        (
            "a.go",
            "type Pet struct {\n\tName string\n}\n\nfunc (p *Pet) Walk(n int) error {\n\treturn nil\n}",
            ["type Pet", "Walk()"],
        ),
        (
            "a.rs",
            "pub struct Pet;\nimpl<T: Clone> Walk for Pet {\n    pub async fn walk(&self) {}\n}\n"
            "macro_rules! bark { () => {} }",
            ["struct Pet", "impl Walk for Pet", "walk()", "bark()"],
        ),
        (
            "a.c",
            "#define MAX(a, b) a\nstruct pet {\n  int age;\n};\n\n"
            "static int walk(int a,\n                int b)\n{\n  return run(a);\n}\nint x = f(1);",
            ["MAX()", "struct pet", "walk()"],
        ),
        ("a.cpp", "class Pet : public Base {\n};\nint Pet::walk(int a) {\n}", ["class Pet", "Pet::walk()"]),
        (
            "a.rb",
            "module Pets\n  class Dog\n    def walk?\n    end\n  end\nend",
            ["module Pets", "class Dog", "walk?()"],
        ),
        ("a.php", "<?php\nfinal class Pet {\n    public static function walk() {}\n}", ["class Pet", "walk()"]),
        ("a.sh", "# Walks.\nwalk() {\n  go\n}\nfunction rest {\n  :\n}", ["walk()", "rest()"]),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS pets (id int);\ncreate or replace view v as select 1;",
            ["table pets", "view v"],
        ),
        ("a.pl", "package Pet;\nsub walk {\n}", ["package Pet", "walk()"]),
        ("a.lua", "local function walk() end\nPet.rest = function() end", ["walk()", "Pet.rest()"]),
        ("a.r", "walk <- function(a) {\n  a\n}", ["walk()"]),
    ],
)
def test_definitions_of_each_language_are_found(name: str, program: str, expected: list[str]) -> None:
    document = read(program.encode(), name=name)
    assert_blocks_fit(document)
    assert document.text == program
    assert [title for _, title in titles(document)] == expected


def test_each_language_has_its_patterns() -> None:
    assert {known.label for known in CODE if known.module == "code.program"} == set(LANGUAGES)


def test_code_without_definitions_is_cut_where_it_grows_long() -> None:
    program = "\n\n".join(f"run({number})\nrest()" for number in range(100))
    document = read(program.encode(), name="a.py")
    assert_blocks_fit(document)
    assert document.text == program
    assert all(text.count("\n") < 70 for _, _, text in shown_blocks(document))


def test_a_piece_of_many_words_is_cut_before_the_blank_line_that_exceeds_them() -> None:
    told = "\n\n".join(f"    The harbour master's own table gives the tide of day {number}." for number in range(20))
    program = f'"""The tides.\n\n{told}\n"""\n\nDEEPEST = 12  # metres\n'
    document = read(program.encode(), name="a.py")
    assert_blocks_fit(document)
    assert document.text == program.rstrip()
    assert all(len(text.split()) <= 100 for _, _, text in shown_blocks(document))
    assert len(document.blocks) == 3


def test_a_url_is_not_a_program() -> None:
    assert read("# Walks\n\nDogs walk.", name="https://example.org/index.php").media_type == "text/markdown"
    assert read("<?php echo 1;", name="https://example.org/index.php").media_type == "text/x-php"
    assert read(b"<!DOCTYPE html>\n<p><?php echo 1; ?></p>", name="page.php").media_type == "text/x-php"


@pytest.mark.parametrize("name", ["a.py", "a.ts", "a.java", "a.c", "a.rs", "a.kt", "a.sql", "a.sh"])
@pytest.mark.parametrize(
    "part", ["public ", "a<", "f(", "{\n", " class A:\n", "static int\n", "@a\n", "*", "async ", "pub(a) ", "<a>\n"]
)
def test_a_quarter_million_of_anything_is_read_in_time(name: str, part: str) -> None:
    content = "x\n" + part * (250_000 // len(part))
    assert_blocks_fit(read(content.encode(), name=name))
