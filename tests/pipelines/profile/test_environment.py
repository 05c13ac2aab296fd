import pytest

from pipelines.profile.environment import EnvironmentText, substitute


def test_a_name_is_replaced_by_its_value():
    assert substitute({"a": ["http://${HOST}:${PORT}/"]}, {"HOST": "h", "PORT": "1"}) == {"a": ["http://h:1/"]}


@pytest.mark.parametrize("environment", [{}, {"NAME": ""}])
def test_the_default_replaces_unset_and_empty_values(environment):
    assert substitute("${NAME:-a:-b c}", environment) == "a:-b c"
    assert substitute("${NAME:-}", environment) == ""


def test_a_value_wins_over_the_default():
    assert substitute("${NAME:-default}", {"NAME": "value"}) == "value"


def test_values_are_not_read_for_references_again():
    text = substitute("${NAME}", {"NAME": "${OTHER}", "OTHER": "x"})
    assert (text, text.faults) == ("${OTHER}", ())


def test_values_that_are_not_text_stay_as_they_are():
    assert substitute({"a": 1, "b": None, "c": [True, 0.5]}, {}) == {"a": 1, "b": None, "c": [True, 0.5]}


def test_text_without_references_stays_plain():
    assert not isinstance(substitute("$NAME costs 5$ {x}", {}), EnvironmentText)


@pytest.mark.parametrize(
    ("environment", "said"),
    [({}, "the environment variable NAME is not set"), ({"NAME": ""}, "the environment variable NAME is empty")],
)
def test_a_missing_value_is_a_fault(environment, said):
    assert substitute("x${NAME}", environment).faults == (said,)


@pytest.mark.parametrize("written", ["${NAME", "${my-name}", "${NAME-x}", "${NAME:-${OTHER}}", "${}", "${1NAME}"])
def test_a_reference_that_is_written_wrongly_is_a_fault(written):
    (fault,) = substitute(written, {"NAME": "x", "OTHER": "y"}).faults
    assert fault.startswith("a reference is written ${NAME} or ${NAME:-default}")


def test_only_a_lone_name_is_a_name_only():
    environment = {"A": "1", "B": "2"}
    named = {
        text: substitute(text, environment).is_name_only for text in ("${A}", "${A:-}", "${A:-x}", "x${A}", "${A}${B}")
    }
    assert [text for text, name_only in named.items() if name_only] == ["${A}", "${A:-}"]


def test_a_number_or_boolean_may_come_from_the_environment(load):
    text = 'retrieval: {top_k: "${K}", dense_weight: "${W}"}\nanswer: {verify: "${V}"}\n'
    profile = load(text + 'limits: {question_chars: [1, "${N}"]}', K="7", W="0.25", V="false", N=" 90 ")
    assert (profile.retrieval.top_k, profile.retrieval.dense_weight) == (7, 0.25)
    assert profile.answer.verify is False
    assert profile.limits.question_chars == (1, 90)


def test_a_keep_alive_from_the_environment_is_seconds(load):
    text = 'llm: {provider: ollama, model: m, keep_alive: "${KEEP:--1}"}'
    assert load(text).llm.keep_alive == -1
    assert load(text, KEEP="5m").llm.keep_alive == "5m"


def test_an_optional_key_is_left_out_by_an_empty_default(load):
    text = 'knowledge: {path: "${P:-}"}\nanswer: {prompt: "${P:-}"}\ncatalogue: {url: "${P:-}"}\ncontract: ${P:-}'
    profile = load(text)
    assert (profile.knowledge.path, profile.answer.prompt) == (None, None)
    assert (profile.catalogue.url, profile.contract) == (None, None)


def test_missing_values_are_listed_with_all_other_problems_and_only_once(problems):
    assert problems("retrieval: {top_k: '${K}', mode: hybird, candidates: '${C}x'}\ntitle: ${T}", C="y") == [
        "title: the environment variable T is not set",
        "retrieval -> top_k: the environment variable K is not set",
        'retrieval -> mode: "hybird" is not one of hybrid, dense, sparse, did you mean "hybrid"?',
        "retrieval -> candidates: must be a whole number (the file says ${C}x)",
    ]
