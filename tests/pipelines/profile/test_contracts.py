from typing import get_args

import pytest

from pipelines.profile.loader import load_profile
from pipelines.profile.schema import Contract

TEXTBOOK = "contract: textbook\nmetadata: {fields: {chapter: {type: integer}, page: {type: integer}}}\n"
LEVELS = "level: {type: keyword, values: [platform, suite]}, suite: {type: keyword}, module: {type: keyword}"


def test_a_contract_names_the_fields_that_it_needs(problems):
    assert problems("contract: textbook") == [
        "metadata -> fields -> chapter: the contract textbook needs this field: declare it as {type: integer}",
        "metadata -> fields -> page: the contract textbook needs this field: declare it as {type: integer}",
    ]
    assert problems(TEXTBOOK.replace("page: {type: integer}", "page: {type: keyword}")) == [
        "metadata -> fields -> page -> type: must be integer for the contract textbook"
    ]


def test_a_contract_of_scopes_needs_a_hierarchy(problems):
    fields = f"contract: cortx\nmetadata: {{fields: {{{LEVELS}, entity_id: {{type: keyword}}}}}}"
    (problem,) = problems(fields)
    assert problem.startswith("metadata -> hierarchy: the contract cortx needs it: {level: level, path: [suite, ")


def test_a_request_may_ask_for_as_many_hits_as_its_contract_does_by_default(problems):
    few = "limits: {top_k: 9}\nretrieval: {top_k: 9}\n"
    said = "limits -> top_k: must be at least 10, which the contract openpharma asks for by default"
    assert problems(f"contract: openpharma\n{few}") == [said]


@pytest.mark.parametrize("contract", get_args(Contract))
def test_a_shipped_profile_has_what_its_contract_needs(contract):
    assert load_profile(contract).profile.contract == contract


def test_a_profile_with_the_needed_fields_is_accepted(load):
    assert load(TEXTBOOK).contract == "textbook"
