"""A server of five tenants, and the documents that it is given."""

from __future__ import annotations

import httpx

CORTX = """
tenant: cortx
contract: cortx
jobs: {{run: worker}}
metadata:
  fields:
    level: {{type: keyword, values: [platform, suite, module, entity], required: true}}
    suite: {{type: keyword}}
    module: {{type: keyword}}
    entity_id: {{type: keyword}}
    source: {{type: keyword}}
  hierarchy: {{level: level, path: [suite, module, entity_id]}}
llm: {{provider: ollama, model: llama3, base_url: "{url}"}}
answer: {{abstain_below: 0}}
"""
PLAIN = "tenant: plain\njobs: {run: worker}"
DEAF = """
tenant: deaf
jobs: {run: worker}
llm: {provider: ollama, model: llama3, base_url: "http://127.0.0.1:9", fallback: error}
answer: {abstain_below: 0}
"""
AWAY = """
tenant: away
jobs: {run: worker}
embedding: {provider: ollama, model: none, base_url: "http://127.0.0.1:9", dimensions: 8}
"""
TORN = "tenant: torn\njobs: {run: worker}"


def ingest(client: httpx.Client, tenant: str, content: str, document_id: str = "beagle") -> httpx.Response:
    metadata = {"level": "platform"} if tenant == "cortx" else {}
    body = {"content": content, "document_id": document_id, "metadata": metadata}
    return client.post(f"/tenants/{tenant}/documents", json=body)
