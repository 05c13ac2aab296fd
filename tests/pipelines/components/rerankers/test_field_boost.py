import pytest
from candidates import QUESTION, candidate, order, scores

from pipelines.components.rerankers.field_boost import FieldBoost
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.rerank import FieldBoostStage


def boost(field: str, weights: dict[str, float], **declared: MetadataField) -> FieldBoost:
    return FieldBoost(FieldBoostStage(type="field_boost", field=field, weights=weights), "field_boost", declared)


def test_the_score_is_multiplied_with_the_weight_of_the_value() -> None:
    hits = [candidate("a", 1.0, {"kind": "news"}), candidate("b", 0.8, {"kind": "law"}), candidate("c", 0.6)]
    ranked = boost("kind", {"law": 2.0, "news": 0.5}).rank(QUESTION, hits)
    assert order(ranked) == ["b", "c", "a"]
    assert scores(ranked) == pytest.approx([1.6, 0.6, 0.5])


def test_of_several_values_the_largest_weight_counts() -> None:
    hits = [candidate("a", 1.0), candidate("b", 0.5, {"tags": ["x", "y", "other"]})]
    assert boost("tags", {"x": 0.1, "y": 3.0}).rank(QUESTION, hits)[0][1] == pytest.approx(1.5)


def test_the_last_of_a_short_list_can_be_lifted_although_fusion_gave_it_0() -> None:
    hits = [candidate("a", 1.0), candidate("b", 0.0, {"kind": "law"})]
    assert order(boost("kind", {"law": 20}).rank(QUESTION, hits)) == ["b", "a"]


def test_a_weight_of_0_puts_a_hit_last() -> None:
    hits = [candidate("a", 1.0, {"kind": "news"}), candidate("b", 0.2), candidate("c", 0.0)]
    assert order(boost("kind", {"news": 0}).rank(QUESTION, hits)) == ["b", "c", "a"]


def test_equal_scores_stay_as_they_stood() -> None:
    hits = [candidate(name, 0.5) for name in "cab"]
    assert order(boost("kind", {"x": 2}).rank(QUESTION, hits)) == ["c", "a", "b"]


@pytest.mark.parametrize("odd", [{"law": 1}, [["law"]], 5, None])
def test_a_value_that_is_not_a_keyword_has_no_weight(odd: object) -> None:
    assert scores(boost("kind", {"law": 9}).rank(QUESTION, [candidate("a", 1.0, {"kind": odd})])) == [1.0]


@pytest.mark.parametrize("heading", ["Results", "3. RESULTS", "2.1 Results:", "iv. results", "  results "])
def test_sections_are_known_by_their_heading_whatever_its_number_and_case(heading: str) -> None:
    hits = [candidate("a", 1.0, headings=("Study", "Methods")), candidate("b", 0.8, headings=("Study", heading))]
    assert order(boost("section", {"results": 1.5}).rank(QUESTION, hits)) == ["b", "a"]


def test_the_lowest_heading_that_has_a_weight_counts() -> None:
    hit = candidate("a", 1.0, headings=("Results", "Methods", "Sample"))
    assert scores(boost("section", {"Results": 5, "methods": 0.5}).rank(QUESTION, [hit])) == [0.5]


def test_a_declared_field_called_section_is_a_field() -> None:
    hit = candidate("a", 1.0, {"section": "news"}, headings=("Results",))
    assert scores(
        boost("section", {"results": 5, "news": 2}, section=MetadataField(type="keyword")).rank(QUESTION, [hit])
    ) == [2.0]


def test_a_declared_field_of_headings_is_the_headings() -> None:
    part = MetadataField(type="keywords", source="headings")
    hit = candidate("a", 1.0, {"part": "news"}, headings=("2. Results",))
    assert scores(boost("part", {"results": 5, "news": 2}, part=part).rank(QUESTION, [hit])) == [5.0]


def test_no_hits_stay_no_hits() -> None:
    assert boost("kind", {"x": 2}).rank(QUESTION, []) == []
