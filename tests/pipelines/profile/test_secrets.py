"""Secrets are written only as names, and their values are seen nowhere."""

import traceback

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.loader import load_profile

CANARY = "CANARY-7f3a91"
SERVED = """
embedding: {provider: openai, model: m, dimensions: 3, api_key: "${SECRET}"}
store: {engine: server, url: "http://qdrant:6333", api_key: "${SECRET}"}
catalogue: {url: "${DATABASE_URL}"}
llm: {provider: openai, model: m, api_key: "${SECRET}"}
auth: {keys: [{name: ops, secret: "${SECRET}", role: admin}]}
"""
ENVIRONMENT = {"SECRET": CANARY, "DATABASE_URL": f"postgresql://user:{CANARY}@db/footnote"}
PLACES = [
    "embedding -> api_key",
    "store -> api_key",
    "catalogue -> url",
    "llm -> api_key",
    "auth -> keys -> 0 -> secret",
]


def test_secrets_reach_the_parts_that_need_them(load):
    profile = load(SERVED, **ENVIRONMENT)
    assert profile.auth.keys[0].secret.get_secret_value() == CANARY
    assert profile.store.api_key.get_secret_value() == CANARY
    assert profile.catalogue.url.get_secret_value() == ENVIRONMENT["DATABASE_URL"]


def test_secrets_are_masked_wherever_a_profile_is_shown(write):
    loaded = load_profile(write(SERVED), ENVIRONMENT)
    shown = [repr(loaded), str(loaded.profile), str(loaded.profile.dump()), loaded.profile.model_dump_json()]
    assert not [text for text in shown if CANARY in text]
    assert loaded.profile.dump()["auth"]["keys"][0]["secret"] == "**********"


@pytest.mark.parametrize("value", [CANARY, "x${SECRET}", "${SECRET:-x}", "$SECRET", "12345", "[a]", "true"])
def test_a_secret_in_the_file_is_refused_and_not_repeated(value, problems):
    written = SERVED.replace('"${SECRET}"', f"'{value}'" if "$" in value else value)
    found = problems(written.replace("${DATABASE_URL}", "sqlite:///" + CANARY), **ENVIRONMENT)
    said = "a secret is written only as ${NAME}, never in the file"
    assert sorted(found) == sorted(f"{place}: {said}" for place in PLACES)


def test_an_optional_secret_may_be_left_out(load):
    text = 'store: {engine: server, url: "http://x", api_key: "${KEY:-}"}\ncatalogue: {url: "${URL:-}"}'
    profile = load(text)
    assert profile.store.api_key.get_secret_value() == ""
    assert profile.catalogue.url is None


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("${K}", "the environment variable K is empty"),
        ("${K:-}", "must not be empty: an empty key would admit everybody"),
        ("", "must not be empty: an empty key would admit everybody"),
        ("${L}", "the environment variable L is not set"),
    ],
)
def test_a_key_without_a_secret_is_refused(secret, said, problems):
    text = f'auth: {{keys: [{{name: a, role: reader, secret: "{secret}"}}]}}'
    (problem,) = problems(text, K="")
    assert problem.startswith(f"auth -> keys -> 0 -> secret: {said}")


@pytest.mark.parametrize("value", [" ", f"{CANARY}\n", f" {CANARY}", f"{CANARY} x", f"{CANARY}é"])
def test_a_secret_that_no_header_carries_is_refused(value, problems):
    text = 'auth: {keys: [{name: a, role: reader, secret: "${K}"}]}\nllm: {provider: openai, model: m, api_key: "${K}"}'
    assert problems(text, K=value) == [
        "llm -> api_key: must be ASCII characters without spaces and line ends (the file says ${K})",
        "auth -> keys -> 0 -> secret: must be ASCII characters without spaces and line ends (the file says ${K})",
    ]


def test_two_keys_differ_in_name_and_secret(problems):
    keys = [("a", "ONE"), ("b", "TWO"), ("a", "THREE"), ("c", "ONE")]
    listed = ", ".join(f'{{name: {name}, role: reader, secret: "${{{secret}}}"}}' for name, secret in keys)
    assert problems(f"auth: {{keys: [{listed}]}}", ONE="1", TWO="2", THREE="2") == [
        "auth -> keys -> 2 -> name: another key has this name",
        "auth -> keys -> 2 -> secret: another key has the same secret",
        "auth -> keys -> 3 -> secret: another key has the same secret",
    ]


def test_missing_secrets_do_not_count_as_equal(problems):
    text = 'auth: {keys: [{name: a, role: reader, secret: "${A}"}, {name: b, role: reader, secret: "${B}"}]}'
    assert problems(text) == [
        "auth -> keys -> 0 -> secret: the environment variable A is not set",
        "auth -> keys -> 1 -> secret: the environment variable B is not set",
    ]


def test_an_unknown_catalogue_url_is_refused_without_its_password(problems):
    text = 'catalogue: {url: "${URL}"}'
    assert problems(text, URL=f"postgres://user:{CANARY}@db/x") == [
        "catalogue -> url: must begin with postgresql:// (or postgresql+psycopg://), or sqlite:/// "
        "(the file says ${URL})"
    ]


@pytest.mark.parametrize("url", ["http://user:pass@host", "https://token@host/v1"])
def test_an_address_holds_no_password(url, problems):
    text = f"store: {{engine: server, url: '{url}'}}"
    assert problems(text) == ["store -> url: must not hold a name or a password: they would be shown"]


@pytest.mark.parametrize(
    "url", ["localhost:6333", "ftp://x", "http://", "http://a b", "http://[::1", "http://x:99999", "http://x:0", ""]
)
def test_an_address_is_one(url, problems):
    said = "store -> url: must be an address that begins with http:// or https://"
    assert problems(f"store: {{engine: server, url: '{url}'}}") == [said]


@pytest.mark.parametrize(
    "broken",
    [
        SERVED + "auth2: {}",
        SERVED.replace("provider: openai", "provider: openia"),
        SERVED.replace("role: admin", "role: ${SECRET}".replace("${SECRET}", '"${SECRET}"')),
        SERVED.replace("keys: [{", "keys: {x: {").replace("}]}", "}}}"),
        SERVED.replace("name: ops", 'name: [{a: "${SECRET}"}]'),
        SERVED.replace("dimensions: 3", 'dimensions: "${SECRET}"'),
        SERVED.replace("model: m", 'modle: "${SECRET}"'),
        SERVED.replace('secret: "${SECRET}"', 'secret: {x: "${SECRET}"}'),
        SERVED.replace("http://qdrant", "http://${SECRET}@qdrant"),
        SERVED + 'retrieval: "${SECRET}"',
        SERVED + 'retrieval: {mode: {a: "${SECRET}"}}',
        SERVED + 'limits: {question_chars: ["${SECRET}", 1]}',
    ],
)
def test_no_refusal_repeats_a_value_of_the_environment(broken, write):
    with pytest.raises(ProfileError) as refused:
        load_profile(write(broken), ENVIRONMENT)
    error = refused.value
    shown = [str(error), repr(error), str(error.problems), *traceback.format_exception(error, chain=True)]
    assert not [text for text in shown if CANARY in text]
    assert error.__context__ is None
