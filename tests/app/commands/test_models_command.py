from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.running import RunCli


@pytest.mark.parametrize(("more", "precisions"), [([], 2), (["--quantize", "int8"], 1)])
def test_the_model_is_exported_and_its_folder_named(run_cli: RunCli, more: list[str], precisions: int) -> None:
    done = run_cli("models", "export", *more)
    assert done.code == 0
    folders = [Path(line) for line in done.out.splitlines()]
    assert len(folders) == precisions
    assert all(folder.is_dir() for folder in folders)


def test_a_precision_that_does_not_exist_ends_with_2(run_cli: RunCli) -> None:
    assert run_cli("models", "export", "--quantize", "int4").code == 2
