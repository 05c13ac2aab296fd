import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.loader import find_profile, load_profile
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding, OllamaEmbedding
from pipelines.profile.sections.storage import ServerStore


def refusal(name: str | Path, environment: dict[str, str] | None = None) -> str:
    with pytest.raises(ProfileError) as refused:
        load_profile(name, environment or {})
    return str(refused.value)


def test_an_empty_profile_is_the_defaults(load):
    assert load("") == Profile()


def test_a_profile_is_found_as_a_folder_and_as_a_file(write):
    path = write("tenant: acme", "acme/profile.yaml")
    assert load_profile(path).path == path
    assert load_profile(str(path.parent)).path == path


def test_a_bare_name_is_a_folder_or_a_file_in_configs(write, tmp_path, monkeypatch):
    tenant, base = write("", "configs/acme/profile.yaml"), write("", "configs/plain.yaml")
    monkeypatch.chdir(tmp_path)
    assert find_profile("acme") == tenant
    assert find_profile("plain") == base


def test_the_projects_own_profiles_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_profile("smartbreeds").profile.tenant == "smartbreeds"


def test_an_unknown_name_is_met_with_the_nearest_known_one(write, tmp_path, monkeypatch):
    write("", "configs/acme/profile.yaml")
    monkeypatch.chdir(tmp_path)
    assert 'no such tenant folder, YAML file, or folder in configs/, did you mean "acme"?' in refusal("acmee")
    assert 'did you mean "smartbreeds"?' in refusal("smartbreds")
    assert "did you mean" not in refusal(tmp_path / "smartbreds")  # a path


def test_an_unknown_path_is_met_with_the_nearest_folder_or_file_beside_it(write, tmp_path, monkeypatch):
    write("", "north/profile.yaml"), write("", "south/lamps.yaml"), write("", ".nort/profile.yaml")
    assert f'did you mean "{tmp_path / "north"}"?' in refusal(tmp_path / "nort")
    monkeypatch.chdir(tmp_path)
    assert 'did you mean "north"?' in refusal("norht")
    assert f'did you mean "{Path("south/lamps.yaml")}"?' in refusal("south/lamp.yaml")
    assert "did you mean" not in refusal("nowhere/north")


@pytest.mark.parametrize("value", [None, 3, b"acme", ["acme"]])
def test_a_value_that_names_no_profile_is_met_with_what_does(value):
    with pytest.raises(
        ProfileError, match=rf"(?s){type(value).__name__}.*a tenant folder, a YAML file, .* or a mapping"
    ):
        load_profile(value)


def test_a_folder_without_a_profile_is_named_as_such(tmp_path):
    (tmp_path / "looks_like.yaml").mkdir()
    assert "has no profile.yaml; run `footnote init" in refusal(tmp_path / "looks_like.yaml")


def test_a_document_in_the_place_of_a_profile_is_met_with_its_folder(tmp_path):
    (tmp_path / "minutes.md").write_text("# Minutes\nThe roof will be repaired in May.\n")
    assert f"is a file and no profile: name its folder, {tmp_path}," in refusal(tmp_path / "minutes.md")


@pytest.mark.parametrize("name", ["x" * 5000, "nul\0byte", "", "no/such/profile.yaml"])
def test_names_that_cannot_be_looked_up_are_refused_plainly(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "cannot be used" in refusal(name)


def test_a_profile_takes_from_its_base_what_it_does_not_say(write):
    write("title: Base\nretrieval: {mode: sparse, top_k: 7}", "base.yaml")
    profile = load_profile(write("extends: base.yaml\nretrieval: {top_k: 9}")).profile
    assert (profile.title, profile.retrieval.mode, profile.retrieval.top_k) == ("Base", "sparse", 9)


def test_bases_are_named_from_the_file_that_names_them(write, tmp_path, monkeypatch):
    write("title: Bottom", "bases/bottom.yaml")
    write("extends: bottom.yaml\nretrieval: {top_k: 8}", "bases/middle.yaml")
    path = write("extends: ../bases/middle.yaml", "tenants/profile.yaml")
    monkeypatch.chdir("/")
    profile = load_profile(path).profile
    assert (profile.title, profile.retrieval.top_k) == ("Bottom", 8)


def test_names_and_synonyms_are_looked_for_beside_the_base_where_the_profile_has_none(write):
    write("retrieval: {expansion: {synonyms: words.txt, names: names.txt}}", "bases/base.yaml")
    base = write("beagle, hound", "bases/words.txt"), write("Pug", "bases/names.txt")
    path = write("extends: ../bases/base.yaml", "tenants/profile.yaml")
    expansion = load_profile(path).profile.retrieval.expansion
    assert (expansion.synonyms, expansion.names) == base
    own = write("pug, mops", "tenants/words.txt")
    expansion = load_profile(path).profile.retrieval.expansion
    assert (expansion.synonyms, expansion.names) == (own, base[1])


def test_mappings_merge_deeply_and_lists_are_replaced(write):
    base = (
        "metadata: {fields: {suite: {type: keyword, required: true}}}\nstore: {hnsw: {m: 32}}\nextractors: [headings]"
    )
    write(base, "base.yaml")
    over = "extends: base.yaml\nmetadata: {fields: {year: {type: integer}}}\nstore: {hnsw: {ef_construct: 64}}\n"
    profile = load_profile(write(over + "extractors: [frontmatter]")).profile
    assert list(profile.metadata.fields) == ["suite", "year"]
    assert profile.metadata.fields["suite"].required
    assert (profile.store.hnsw.m, profile.store.hnsw.ef_construct) == (32, 64)
    assert profile.extractors == ("frontmatter",)


def test_a_section_that_chooses_another_provider_takes_nothing_of_the_base(write):
    write("embedding: {provider: huggingface, backend: torch, batch_size: 64}", "base.yaml")
    over = "extends: base.yaml\nembedding: {provider: ollama, model: nomic, dimensions: 768}"
    embedding = load_profile(write(over)).profile.embedding
    assert isinstance(embedding, OllamaEmbedding)
    assert embedding.batch_size == 8


def test_a_section_that_keeps_its_provider_merges_even_if_the_environment_names_it(write):
    write("embedding: {provider: huggingface, backend: torch}", "base.yaml")
    over = write('extends: base.yaml\nembedding: {provider: "${PROVIDER}", batch_size: 4}')
    embedding = load_profile(over, {"PROVIDER": "huggingface"}).profile.embedding
    assert isinstance(embedding, HuggingFaceEmbedding)
    assert (embedding.backend, embedding.batch_size) == ("torch", 4)


def test_a_section_without_its_provider_has_the_default_one(load):
    assert load("embedding: {batch_size: 4}").embedding == HuggingFaceEmbedding(batch_size=4)


def test_metadata_fields_called_provider_and_engine_merge_like_any_other(write):
    write("metadata: {fields: {provider: {type: keyword}, other: {type: integer}}}", "base.yaml")
    over = "extends: base.yaml\nmetadata: {fields: {provider: {required: true}}}"
    fields = load_profile(write(over)).profile.metadata.fields
    assert list(fields) == ["provider", "other"]
    assert fields["provider"].required


def test_a_profile_may_take_away_a_section_of_its_base(write):
    write("llm: {provider: ollama, model: llama}", "base.yaml")
    assert load_profile(write("extends: base.yaml\nllm: null")).profile.llm is None


def test_the_environment_may_choose_the_base(write):
    write("store: {engine: server, url: http://qdrant}", "server.yaml")
    path = write("extends: ${BASE:-server}.yaml")
    assert isinstance(load_profile(path, {}).profile.store, ServerStore)
    assert "there is no file other.yaml" in refusal(path, {"BASE": "other"})
    assert "extends: the environment variable BASE is not set" in refusal(write("extends: ${BASE}"))


@pytest.mark.parametrize("base", ["[a.yaml, b.yaml]", "7", '""', "{a: b}"])
def test_a_base_is_one_file(base, problems):
    assert problems(f"extends: {base}") == ["extends: must name one YAML file"]


def test_a_missing_base_is_named(problems):
    assert problems("extends: gone.yaml") == ["extends: there is no file gone.yaml, seen from the profile's folder"]


def test_what_a_missing_base_may_have_meant_is_suggested(write):
    write("tenant: pier", "harbour.yaml")
    assert refusal(write("extends: harbor.yaml")).endswith('did you mean "harbour.yaml"?')
    assert refusal(write("extends: quality")).endswith('/configs/quality.yaml"?')


def test_bases_in_a_circle_are_refused(write):
    write("extends: two.yaml", "one.yaml")
    write("extends: sub/../one.yaml", "two.yaml")
    message = refusal(write("extends: one.yaml"))
    assert "extends: the bases form a cycle: one.yaml extends two.yaml extends one.yaml" in message


def test_profiles_of_the_same_text_share_neither_environment_nor_changes(write):
    write("retrieval: {top_k: 9}", "base.yaml")
    path = write("extends: base.yaml\ntenant: '${NAME}'")
    loaded = [load_profile(path, {"NAME": name}).profile for name in ("one", "two")]
    assert [(one.tenant, one.retrieval.top_k) for one in loaded] == [("one", 9), ("two", 9)]


def test_a_base_that_changed_is_read_again(write):
    path = write("extends: base.yaml")
    for number in (8, 9):
        write(f"retrieval: {{top_k: {number}}}", "base.yaml")
        assert load_profile(path).profile.retrieval.top_k == number


def test_a_profile_that_extends_itself_is_a_circle(problems):
    assert "cycle" in problems("extends: profile.yaml")[0]


def test_a_circle_through_a_link_is_found(write, tmp_path):
    path = write("extends: link.yaml")
    (tmp_path / "link.yaml").symlink_to(path)
    assert "cycle" in refusal(path)


def test_a_problem_of_the_base_names_the_base(write):
    write("retrieval: {fusoin: rrf}", "base.yaml")
    message = refusal(write("extends: base.yaml\nretrieval: {top_k: 0}"))
    assert 'retrieval -> fusoin: unknown key (in base.yaml), did you mean "fusion"?' in message
    assert "retrieval -> top_k: must be at least 1" in message
    assert "must be at least 1 (in" not in message


def test_a_variable_that_only_the_replaced_part_of_a_base_needs_is_not_missed(write):
    write("store: {engine: server, url: ${QDRANT_URL}}".replace("${QDRANT_URL}", '"${QDRANT_URL}"'), "base.yaml")
    assert load_profile(write("extends: base.yaml\nstore: {engine: edge}"), {}).profile.store.engine == "edge"


def test_knowledge_is_looked_for_beside_the_profile(write, tmp_path, monkeypatch):
    write("", "base.yaml")
    path = write("extends: ../base.yaml\nknowledge: {path: docs/../knowledge}", "acme/profile.yaml")
    monkeypatch.chdir("/")
    assert load_profile(path).knowledge_folder == tmp_path / "acme" / "knowledge"
    monkeypatch.chdir(tmp_path)
    assert load_profile("acme").knowledge_folder == tmp_path / "acme" / "knowledge"


def test_knowledge_may_be_absolute_or_at_home(write, monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    assert load_profile(write("knowledge: {path: /srv/docs}")).knowledge_folder == Path("/srv/docs")
    assert load_profile(write("knowledge: {path: ~/docs}")).knowledge_folder == Path("/home/somebody/docs")
    assert load_profile(write("knowledge: {path: ~}")).knowledge_folder is None


def test_an_embedding_model_in_a_folder_is_looked_for_beside_the_profile(write, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    (tmp_path / "mine").mkdir()
    path = write("embedding: {provider: huggingface, model: ./mine, backend: torch}")
    assert Path(load_profile(path).profile.embedding.model) == tmp_path / "mine"
    assert load_profile(write("embedding: {model: mine}")).profile.embedding.model == "mine"


def test_a_linked_profile_lives_where_the_link_is(write, tmp_path):
    """Kubernetes mounts a file as a link into a folder of its own."""
    (tmp_path / "mounted").mkdir()
    (tmp_path / "mounted" / "profile.yaml").symlink_to(write("knowledge: {path: docs}", "hidden/profile.yaml"))
    assert load_profile(tmp_path / "mounted").knowledge_folder == tmp_path / "mounted" / "docs"


def test_the_process_environment_is_the_default(write, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_TEST_TITLE", "From outside")
    assert load_profile(write("title: ${FOOTNOTE_TEST_TITLE}")).profile.title == "From outside"


def test_loading_a_profile_imports_only_light_packages():
    script = (
        "import sys; before = set(sys.modules)\n"
        "from pipelines.profile.loader import load_profile\n"
        "load_profile('smartbreeds')\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    installed = packages_distributions()
    loaded = {package for name in done.stdout.split() for package in installed.get(name, ())}
    pydantic = {"pydantic", "pydantic_core", "annotated-types", "typing-inspection", "typing_extensions"}
    assert {"pydantic", "PyYAML"} <= loaded <= {*pydantic, "PyYAML", "MarkupSafe", "footnote-rag"}


@pytest.mark.parametrize("name", ["a/b", "a:b", "what?", ".."])
def test_a_collection_that_qdrant_could_not_name_is_refused(name: str) -> None:
    store = {"engine": "server", "url": "http://q:6333", "collection": name}
    with pytest.raises(ProfileError, match="store -> collection"):
        load_profile({"tenant": "t", "store": store})
