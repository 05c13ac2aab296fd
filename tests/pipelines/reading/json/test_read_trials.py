"""Records of ClinicalTrials.gov."""

from __future__ import annotations

import json

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit

# Made up for this test, in the form of the register's API: there is no such study.
STUDY = {
    "protocolSection": {
        "identificationModule": {"nctId": "NCT00000000", "briefTitle": "A sample study"},
        "statusModule": {"overallStatus": "COMPLETED", "studyFirstPostDateStruct": {"date": "2021-03-15"}},
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Sample Institute"}},
        "descriptionModule": {"briefSummary": "Compares walking with sitting."},
        "designModule": {"phases": ["PHASE3"], "enrollmentInfo": {"count": 120, "type": "ACTUAL"}},
        "armsInterventionsModule": {"interventions": [{"name": "Walking", "description": "30 minutes a day."}]},
        "outcomesModule": {"primaryOutcomes": [{"measure": "HbA1c", "timeFrame": "24 weeks"}]},
        "eligibilityModule": {"eligibilityCriteria": "Inclusion Criteria:\n\n* Type 2 diabetes\n* Age over 18"},
    },
    "resultsSection": {"left": "out"},
}


def test_a_study_is_read_in_sections_with_its_bibliographic_data() -> None:
    document = read(json.dumps(STUDY), name="NCT00000000.json")
    assert_blocks_fit(document)
    assert document.title == "A sample study"
    assert [heading.title for heading in document.headings] == [
        "A sample study", "Summary", "Design", "Interventions", "Primary outcomes", "Eligibility",
    ]  # fmt: skip
    for said in ("Walking: 30 minutes a day", "HbA1c: 24 weeks", "Phase: PHASE3", "Enrolment: 120", "Age over 18"):
        assert said in document.text
    assert "out" not in document.text.split()
    assert document.metadata == {
        "source_type": "trial",
        "source_id": "NCT00000000",
        "authors": ["Sample Institute"],
        "journal": "ClinicalTrials.gov",
        "publication_date": "2021-03-15",
    }


def test_a_study_with_parts_missing_or_of_another_type_is_read_all_the_same() -> None:
    bare = {"protocolSection": {"identificationModule": {"nctId": "NCT1"}, "designModule": [], "outcomesModule": 3}}
    assert read(json.dumps(bare), name="a.json").text == "NCT1"


def test_other_json_stays_as_it_is() -> None:
    assert read('{"protocolSection": {"a": "b"}}', name="a.json").text == "protocolSection\n\na | b"
