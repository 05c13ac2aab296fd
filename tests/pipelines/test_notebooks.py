"""Every notebook runs from its first cell to its last, as a reader would run it, and is stored without outputs."""

import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_CELL_S = 600  # a bound for what hangs; a quiet machine needs seconds
# What an earlier notebook defined is gone, and its data folder too.
_FORGET = """\
%reset -f
import os
os.environ["FOOTNOTE_DATA"] = {!r}
del os
"""


def read(file: Path) -> nbformat.NotebookNode:
    return nbformat.read(file, as_version=4)


def test_the_notebooks_are_numbered_without_gaps() -> None:
    assert [file.name[:2] for file in NOTEBOOKS] == [f"{number:02}" for number in range(1, len(NOTEBOOKS) + 1)]
    assert len(NOTEBOOKS) >= 8


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_stored_without_outputs(file: Path) -> None:
    cells = [cell for cell in read(file).cells if cell.cell_type == "code"]
    assert cells
    assert not [cell.outputs for cell in cells if cell.outputs or cell.execution_count]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_links_to_existing_files(file: Path) -> None:
    said = "\n".join(cell.source for cell in read(file).cells if cell.cell_type == "markdown")
    linked = [part.split(")")[0] for part in said.split("](")[1:]]
    assert not [link for link in linked if not (file.parent / link).is_file()]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookClient]:
    """A kernel for all notebooks: starting one and importing the packages takes longer than a notebook's cells."""
    client = NotebookClient(
        nbformat.v4.new_notebook(),
        timeout=_CELL_S,
        kernel_name="python3",
        resources={"metadata": {"path": ROOT / "notebooks"}},
    )
    settings = str(tmp_path_factory.mktemp("ipython"))
    with client.setup_kernel(env={**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": settings}):
        yield client


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(file: Path, kernel: NotebookClient, tmp_path: Path) -> None:
    notebook = kernel.nb = read(file)
    notebook.cells.insert(0, new_code_cell(_FORGET.format(str(tmp_path))))
    kernel.reset_execution_trackers()
    for number, cell in enumerate(notebook.cells):
        kernel.execute_cell(cell, number)
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    complaints = [output.text for output in shown if output.get("name") == "stderr"]
    assert not complaints
