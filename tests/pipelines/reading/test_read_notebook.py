"""Jupyter notebooks: cells in order, what they printed shortened, pictures left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def notebook(*cells: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, **more}).encode()


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": outputs}


def test_code_stands_with_what_it_printed() -> None:
    printed = {"output_type": "stream", "text": ["\x1b[32mok\x1b[0m\n", "done\n"]}
    value = {"output_type": "execute_result", "data": {"text/plain": "42", "image/png": "aGVsbG8="}}
    failed = {"output_type": "error", "ename": "ValueError", "evalue": "no such pet", "traceback": ["..."]}
    document = read(notebook(code("import pets\npets.count()", printed, value), code("x", failed)), name="a.ipynb")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("code", 0, "import pets\npets.count()"),
        ("code", 1, "ok\ndone"),
        ("code", 1, "42"),
        ("code", 0, "x"),
        ("code", 1, "ValueError: no such pet"),
    ]


PAGE = "<table><tr><th>Pet</th><th>Fee</th></tr><tr><td>cat</td><td>5</td></tr></table><script>draw()</script>"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (
            {"text/plain": "<IPython.core.Markdown object>", "text/markdown": ["**Result:** ", "42"]},
            "Result: 42",
        ),
        ({"text/plain": "<IPython.core.display.HTML object>", "text/html": PAGE}, "Pet | Fee\ncat | 5"),
        ({"text/html": [PAGE]}, "Pet | Fee\ncat | 5"),
        ({"text/plain": "   Pet  Fee\n0  cat  5", "text/html": PAGE}, "   Pet  Fee\n0  cat  5"),
        (
            {"text/plain": "<pets.Cat object at 0x7f>", "text/html": "<script>draw()</script>"},
            "<pets.Cat object at 0x7f>",
        ),
        ({"text/plain": "<cat>", "text/html": PAGE, "text/markdown": " "}, "<cat>"),
        ({"text/plain": "<p.Map object>", "text/html": f"{PAGE}<p>{'x' * 200_000}</p>"}, "<p.Map object>"),
    ],
)
def test_a_result_is_shown_in_the_form_that_says_something(data: dict[str, Any], shown: str) -> None:
    document = read(notebook(code("show()", {"output_type": "display_data", "data": data})), name="a.ipynb")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [("code", 0, "show()"), ("code", 1, shown)]


def test_a_long_page_that_code_made_is_cut() -> None:
    output = {"output_type": "display_data", "data": {"text/html": "".join(f"<p>{number}</p>" for number in range(99))}}
    assert read(notebook(code("go()", output)), name="a.ipynb").text.endswith("\n9\n...")


def test_markdown_is_read_and_pictures_are_left_out() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "aGVsbG8="}}
    cell = {"cell_type": "markdown", "source": ["Pets are counted here."]}
    document = read(notebook(cell, code("plot()", picture)), name="a.ipynb")
    assert document.text == "Pets are counted here.\n\nplot()"


def test_long_outputs_are_cut() -> None:
    output = {"output_type": "stream", "text": "\n".join(map(str, range(1000)))}
    assert read(notebook(code("go()", output)), name="a.ipynb").text.endswith("\n19\n...")


def test_notebooks_of_the_old_form_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Pets"},
        {"cell_type": "code", "input": "1 + 1", "outputs": []},
    ]
    content = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert shown_blocks(read(content, name="a.ipynb")) == [("heading", 2, "Pets"), ("code", 0, "1 + 1")]


def test_the_title_is_the_notebook_s_own() -> None:
    assert read(notebook(code("x"), metadata={"title": "Counting pets"}), name="a.ipynb").title == "Counting pets"


@pytest.mark.parametrize("content", [b"[1, 2]", b'{"a": 1}', b"{not json"])
def test_a_file_that_is_not_a_notebook_is_refused(content: bytes) -> None:
    with pytest.raises(CorruptDocument):
        read(content, name="a.ipynb")


def test_cells_of_any_shape_are_passed_over() -> None:
    strange = [{}, 1, None, {"cell_type": "code", "source": {"a": 1}, "outputs": 3}, code("kept", {"data": [1]}, {})]
    assert read(notebook(*strange), name="a.ipynb").text == "kept"  # type: ignore[arg-type]
