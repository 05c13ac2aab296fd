"""The shipped OpenPharma profile, served for tests, and a sample in JATS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.app.running import serving

SHIPPED = Path(__file__).parents[4] / "configs" / "openpharma"
NOBODY = "http://127.0.0.1:9"  # where nothing answers, at once
PROFILE = f"""
extends: {SHIPPED / "profile.yaml"}
knowledge: {{path: {SHIPPED / "knowledge"}}}
retrieval: {{expansion: {{synonyms: {SHIPPED / "synonyms.txt"}, names: {SHIPPED / "drugs.txt"}}}}}
answer: {{prompt: {SHIPPED / "prompts" / "answer.md"}, unsupported: UNSUPPORTED}}
"""
# A sample for tests: one of the summaries of configs/openpharma in the form of a paper. There is no such paper.
SAMPLE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.4//EN" "JATS-archivearticle1-4.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="other">
<front>
<journal-meta><journal-title-group><journal-title>Samples for Tests</journal-title></journal-title-group></journal-meta>
<article-meta>
<article-id pub-id-type="pmc">PMC99999999</article-id>
<article-id pub-id-type="doi">https://doi.org/10.5555/sample.1</article-id>
<title-group><article-title>Sample: SGLT2 inhibitors</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Sample</surname><given-names>First A.</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Example</surname><given-names>Second</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Test</surname><given-names>Third</given-names></name></contrib>
</contrib-group>
<pub-date date-type="pub" iso-8601-date="2021-03-15"><day>15</day><month>3</month><year>2021</year></pub-date>
<abstract><p>A summary of SGLT2 inhibitors, in the form of a paper, as a sample.</p></abstract>
</article-meta>
</front>
<body>
<sec><label>1.</label><title>Methods</title>
<p>This sample was written from a summary; nobody was treated for it with dapagliflozin.</p></sec>
<sec><label>2.</label><title>Results</title>
<p>In the EMPA-REG OUTCOME trial empagliflozin lowered the risk of cardiovascular death by 38 per cent and of hospital
admission for heart failure by 35 per cent, compared with placebo.</p></sec>
<sec><label>3.</label><title>Safety</title><p>Genital yeast infections are the most frequent side effect.</p></sec>
</body>
<back><ref-list><ref><mixed-citation>Left out</mixed-citation></ref></ref-list></back>
</article>
"""


def models_at(url: str) -> str:
    """The lines of a profile whose models, of either provider, are at ``url``."""
    return f"llm: {{base_url: {url}, allowed: [{{provider: openai, model: gpt-4, base_url: {url}/v1}}]}}\n"


@contextmanager
def library(
    folder: Path, ollama: str = NOBODY, more: str = "", unsupported: str = "withhold"
) -> Iterator[httpx.Client]:
    """OpenPharma as it is shipped, its model at ``ollama``, with the sample among its papers."""
    with serving(folder, (PROFILE.replace("UNSUPPORTED", unsupported) + models_at(ollama) + more,)) as client:
        upload = {"file": ("sample.nxml", SAMPLE.encode(), "application/xml")}
        answer = client.post("/tenants/openpharma/documents", files=upload)
        assert answer.status_code == 201, answer.text
        yield client
