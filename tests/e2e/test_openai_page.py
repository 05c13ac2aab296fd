"""The example of docs/openai.md, run as it stands there, prints what stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.app.running import serving

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON, PRINTED = BLOCK.findall((ROOT / "docs" / "openai.md").read_text(encoding="utf-8"))
KENNEL = "tenant: kennel\nmetadata: {fields: {species: {type: keyword}}}"
BEAGLE = {
    "content": "Beagles need 60 minutes of exercise a day.",
    "source": "beagle.txt",
    "metadata": {"species": "dog"},
}


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    with serving(tmp_path, (KENNEL,)) as http:
        assert http.post("/tenants/kennel/documents", json=BEAGLE).status_code == 201
        code = PYTHON.replace("http://localhost:8000", str(http.base_url).rstrip("/"))
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=False, timeout=120
        )
    assert (done.returncode, done.stdout) == (0, PRINTED), done.stderr
