"""ONNX Runtime reports to nobody what it runs."""

import os
import subprocess
import sys
from pathlib import Path

from pipelines.components.embedding import models_folder

RUN = """
from pipelines.components.embedding import build_embedding, models_folder
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
print(build_embedding(HuggingFaceEmbedding(), models_folder()).vectors(["a"]).shape)
"""


def test_a_model_that_ran_leaves_nothing_to_be_sent(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment = kept | {
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
        "FOOTNOTE_MODELS": str(models_folder()),
    }
    run = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "(1, 384)\n"
    assert not list(tmp_path.rglob("*"))


def test_who_wants_to_report_still_may() -> None:
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": "0"}
    told = "import os, pipelines.components.models; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    run = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "0\n"
