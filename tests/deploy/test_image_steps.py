"""The script that takes the Dockerfile's steps reads it as an engine does."""

from __future__ import annotations

from pathlib import Path

from tests.deploy.image import ROOT, instructions, placed


def test_every_line_of_the_dockerfile_is_an_instruction() -> None:
    found = list(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))
    assert [rest.split(" AS ")[-1] for name, rest in found if name == "FROM"][:2] == ["build", "models"]
    assert all("\\" not in rest for _, rest in found)
    assert [name for name, _ in found][-2:] == ["ENTRYPOINT", "CMD"]
    assert sum(name == "RUN" for name, _ in found) == 5


def test_folders_of_the_image_are_moved_and_names_within_names_are_not() -> None:
    assert placed("footnote --data /data /models/x /opt/footnote/bin", Path("/t")) == (
        "footnote --data /t/data /t/models/x /t/opt/footnote/bin"
    )
    assert placed("/etc/data ./models /footnotes", Path("/t")) == "/etc/data ./models /footnotes"
