"""Which language models a profile's section stands for."""

import pytest
from pydantic import TypeAdapter, ValidationError

from pipelines.profile.sections.llm import LlmSection, OllamaLlm, OpenAILlm, llm_choices


def section(**said: object) -> LlmSection:
    return TypeAdapter(LlmSection).validate_python({"provider": "openai", "model": "m", "api_key": "secret", **said})


def test_a_model_of_the_same_server_has_what_the_section_says() -> None:
    allowed = [{"provider": "openai", "model": "n"}]
    own, other = llm_choices(section(base_url="http://here/v1", max_tokens=99, timeouts={"call_s": 9}, allowed=allowed))
    assert (own.model, other.model) == ("m", "n")
    assert (other.base_url, other.max_tokens, other.timeouts.call_s) == ("http://here/v1", 99, 9)
    assert other.api_key.get_secret_value() == "secret"
    assert other.allowed == ()


def test_a_model_of_another_provider_has_that_ones_defaults_and_the_sections_budgets() -> None:
    _, other = llm_choices(section(max_tokens=99, allowed=[{"provider": "ollama", "model": "n"}]))
    assert isinstance(other, OllamaLlm)
    assert (other.base_url, other.max_tokens) == ("http://127.0.0.1:11434", 99)


@pytest.mark.parametrize(
    "choice", [{"provider": "ollama", "model": "n"}, {"provider": "openai", "model": "n", "base_url": "http://there"}]
)
def test_a_key_goes_to_no_server_that_it_was_not_given_for(choice: dict[str, str]) -> None:
    assert llm_choices(section(allowed=[choice]))[1].api_key.get_secret_value() == ""
    own = llm_choices(section(allowed=[{**choice, "api_key": "own"}]))[1]
    assert own.api_key.get_secret_value() == "own"


def test_another_address_of_the_same_provider_keeps_what_only_that_provider_has() -> None:
    said = {"provider": "ollama", "keep_alive": "1m", "think": True}
    _, other = llm_choices(section(**said, allowed=[{"provider": "ollama", "model": "n", "base_url": "http://there"}]))
    assert isinstance(other, OllamaLlm)
    assert (other.base_url, other.keep_alive, other.think) == ("http://there", "1m", True)


def test_an_answer_must_leave_room_for_a_prompt() -> None:
    with pytest.raises(ValidationError, match="leaves no room for a prompt: context_tokens is 1024"):
        section(context_tokens=1024)
    assert isinstance(section(context_tokens=2048), OpenAILlm)
