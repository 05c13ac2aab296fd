"""Reranker stages over HTTP."""

from __future__ import annotations

from tests.app.running import Serve

PROFILE = """
tenant: breeds
metadata: {fields: {species: {type: keyword, values: [dog, cat]}}}
rerank: [{type: mmr}, {type: field_boost, field: species, weights: {cat: 99}}, {type: mmr, diversity: 1}]
"""
TEXTS = {
    "collie": ("The Border Collie is a herding dog from the border of Scotland and England.", "dog"),
    "persian": ("The Persian is a cat with long fur. It must be brushed every day.", "cat"),
}


def test_the_scores_of_the_stages_are_on_the_wire(serve: Serve) -> None:
    api = serve(PROFILE)
    for name, (content, species) in TEXTS.items():
        body = {"document_id": name, "content": content, "metadata": {"species": species}}
        assert api.post("/tenants/breeds/documents", json=body).status_code == 201
    results = api.post("/tenants/breeds/search", json={"query": "A herding dog from Scotland"}).json()["results"]
    assert results[0]["document_id"] == "persian"
    for rank, hit in enumerate(results, 1):
        assert set(hit["scores"]) - {"sparse"} == {"dense", "fused", "mmr", "field_boost", "mmr_2"}
        assert hit["scores"]["mmr_2"]["rank"] == rank
