import pytest

HIERARCHY = """
metadata:
  fields:
    level: {type: keyword, values: [platform, suite, module]}
    suite: {type: keyword, values: [fed, corp]}
    module: {type: keyword}
    published: {type: datetime}
  hierarchy: {level: level, path: [suite, module]}
"""


def test_a_hierarchy_of_declared_fields_is_accepted(load):
    assert load(HIERARCHY).metadata.hierarchy.path == ("suite", "module")


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("level: level,", "level: levl,", 'level: "levl" is not a declared field, did you mean "level"?'),
        ("[suite, module]", "[suite, modul]", 'path -> 1: "modul" is not a declared field, did you mean "module"?'),
        (
            "[suite, module]",
            "[suite, published]",
            'path -> 1: "published" must be of type keyword, with ignore_case left false',
        ),
        ("[suite, module]", "[suite, suite]", 'path -> 1: "suite" is named twice'),
        ("[suite, module]", "[suite, level]", 'path -> 1: "level" is named twice'),
        ("[suite, module]", "[]", "path: must not be empty"),
    ],
)
def test_a_hierarchy_names_fields_that_can_hold_it(written, instead, said, problems):
    assert problems(HIERARCHY.replace(written, instead)) == [f"metadata -> hierarchy -> {said}"]


@pytest.mark.parametrize(
    ("written", "instead", "levels"),
    [("[suite, module]", "[suite]", 3), (", values: [platform, suite, module]", "", 0)],
)
def test_a_hierarchy_has_a_field_for_each_level_below_the_top_one(written, instead, levels, problems):
    said = f"must have one field for each level below the top one, and level has {levels} values"
    assert problems(HIERARCHY.replace(written, instead)) == [f"metadata -> hierarchy -> path: {said}"]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("requires: {modul: [module]}", 'requires -> modul: is not a level of level, did you mean "module"?'),
        ("requires: {module: [suite]}", 'requires -> module: must name "module", which places documents of this level'),
        ("requires: {module: [modul, module]}", 'requires -> module -> 0: "modul" is not a declared field, did you'),
        ("requires: {suite: [suite, module]}", 'requires -> suite -> 1: "module" does not place documents of this'),
        ("requires: {platform: [suite]}", 'requires -> platform -> 0: "suite" does not place documents of this level'),
        ("requires: {suite: [suite, level]}", 'requires -> suite -> 1: "level" does not place documents of this level'),
        ("weights: {suit: 2}", 'weights -> suit: is not a level of level, did you mean "suite"?'),
        ("weights: {suite: 0}", "weights -> suite: must be more than 0"),
    ],
)
def test_what_a_level_requires_and_weighs_is_checked(said, found, problems):
    (problem,) = problems(HIERARCHY.replace("[suite, module]}", f"[suite, module], {said}}}"))
    assert problem.startswith(f"metadata -> hierarchy -> {found}")


def test_fields_required_by_a_level_may_be_declared(load):
    said = "requires: {module: [module], platform: [published]}, weights: {module: 1.5}, below: true"
    hierarchy = load(HIERARCHY.replace("[suite, module]}", f"[suite, module], {said}}}")).metadata.hierarchy
    assert hierarchy.requires == {"module": ("module",), "platform": ("published",)}
    assert hierarchy.weights == {"module": 1.5}
    assert hierarchy.below


def test_a_scope_that_could_mean_several_places_is_refused(problems):
    deep = HIERARCHY.replace("suite, module]", "suite, module, team]")
    deep = deep.replace("module: {type: keyword}", "module: {type: keyword}\n    team: {type: keyword}")
    text = deep + 'auth: {keys: [{name: a, role: reader, secret: "${K}", scope: {module: x, team: y}}]}'
    said = "identifies a module only together with suite, which is missing"
    assert problems(text, K="k") == [f"auth -> keys -> 0 -> scope -> module: {said}"]


def test_values_are_for_keywords_and_differ(problems):
    text = "metadata: {fields: {a: {type: integer, values: [x]}, b: {type: keywords, values: [x, y, x]}}}"
    assert problems(text) == [
        "metadata -> fields -> a -> values: can be listed for keyword fields only, not for integer",
        "metadata -> fields -> b -> values -> 2: is listed twice",
    ]


def test_a_scope_names_places_of_the_hierarchy(problems, load):
    text = HIERARCHY + 'auth: {keys: [{name: a, role: reader, secret: "${K}", scope: {SCOPE}}]}'
    assert load(text.replace("SCOPE", "suite: fed, module: any"), K="k").auth.keys[0].scope == {
        "suite": "fed",
        "module": "any",
    }
    assert problems(text.replace("SCOPE", "modul: x, suite: fedd, published: x"), K="k") == [
        'auth -> keys -> 0 -> scope -> modul: is not in metadata -> hierarchy -> path, did you mean "module"?',
        'auth -> keys -> 0 -> scope -> suite: is not among the values of suite, did you mean "fed"?',
        "auth -> keys -> 0 -> scope -> published: is not in metadata -> hierarchy -> path",
    ]


@pytest.mark.parametrize("value", ["''", "' '", "null"])
def test_a_scope_without_a_value_is_refused(value, problems):
    text = HIERARCHY + f'auth: {{keys: [{{name: a, role: reader, secret: "${{K}}", scope: {{suite: {value}}}}}]}}'
    (problem,) = problems(text, K="k")
    assert problem.startswith("auth -> keys -> 0 -> scope -> suite: must be")


def test_a_scope_without_a_hierarchy_is_refused(problems):
    text = 'auth: {keys: [{name: a, role: reader, secret: "${K}", scope: {suite: x}}]}'
    assert problems(text, K="k") == [
        "auth -> keys -> 0 -> scope: needs metadata -> hierarchy, which says how fields nest"
    ]


def test_stages_name_fields_that_they_can_use(problems):
    stages = """
rerank:
  - {type: recency, field: publishd}
  - {type: recency, field: suite}
  - {type: field_boost, field: published, weights: {a: 1}}
  - {type: field_boost, field: suite, weights: {fed: 2, crop: 1}}
"""
    assert problems(HIERARCHY + stages) == [
        'rerank -> 0 -> field: "publishd" is not a declared field, did you mean "published"?',
        'rerank -> 1 -> field: "suite" must be of type datetime, it is keyword',
        'rerank -> 2 -> field: "published" must be of type keyword or keywords, it is datetime',
        'rerank -> 3 -> weights -> crop: is not among the values of suite, did you mean "corp"?',
    ]


def test_section_means_the_headings_unless_a_field_has_that_name(problems, load):
    boost = "rerank: [{type: field_boost, field: section, weights: {Results: 2}}]\n"
    assert load(boost).rerank[0].field == "section"
    assert problems(boost + "extractors: [frontmatter]") == [
        'rerank -> 0 -> field: "section" needs the headings: add headings to extractors'
    ]
    declared = "metadata: {fields: {section: {type: keyword, values: [news]}}}\n"
    said = ["rerank -> 0 -> weights -> Results: is not among the values of section"]
    assert problems(boost + declared + "extractors: [frontmatter]") == said


def test_a_stage_reads_no_deeper_than_the_legs_go(problems, load):
    said = ["rerank -> 0 -> depth: is over retrieval -> candidates, which is 9"]
    assert problems("retrieval: {candidates: 9}\nrerank: [{type: mmr, depth: 10}]") == said
    assert load("retrieval: {candidates: 9}\nrerank: [{type: mmr}]").rerank[0].depth == 50  # it reads the nine


def test_late_interaction_needs_a_model_that_gives_the_vectors_of_words(problems, load):
    stage = "rerank: [{type: late_interaction}]\n"
    assert load(stage).rerank[0].store
    said = [
        "rerank -> 0: the stage late_interaction needs an embedding model with provider huggingface and backend onnx"
    ]
    assert problems(stage + "embedding: {backend: torch}") == said
    assert problems(stage + "embedding: {provider: ollama, model: x, dimensions: 4}") == said


def test_features_with_a_language_model_need_the_section(problems, load):
    text = "extractors: [headings, summary]\nrerank: [{type: mmr}, {type: llm}]"
    assert problems(text) == [
        'extractors -> 1: "summary" needs a language model: give the section llm',
        "rerank -> 1: the stage llm needs a language model: give the section llm",
    ]
    assert load(text + "\nllm: {provider: ollama, model: m}").extractors == ("headings", "summary")


def test_a_search_without_a_number_stays_below_the_limit(problems):
    assert problems("limits: {top_k: 3}") == ["retrieval -> top_k: is over limits -> top_k, which is 3"]


def test_an_overlap_is_at_most_half_of_the_size(problems, load):
    assert load("chunking: {size: 64, overlap: 32}").chunking.overlap == 32
    assert problems("chunking: {size: 64, overlap: 33}") == ["chunking -> overlap: must be at most half of the size 64"]


def test_a_sync_needs_a_folder(problems):
    assert problems("knowledge: {sync: startup}") == ['knowledge -> path: must be given for sync "startup"']


def test_a_catalogue_that_outlives_its_store_is_refused(problems):
    said = problems('store: {engine: memory}\ncatalogue: {url: "${URL}"}', URL="sqlite:///x.sqlite")
    assert said == ["catalogue -> url: would outlive the store, whose engine is memory; leave it out"]


def test_the_context_of_an_answer_must_fit_beside_the_answer(problems, load):
    text = "llm: {provider: ollama, model: m, context_tokens: 4096, max_tokens: 1024}"
    assert problems(text + "\nanswer: {max_context_tokens: 3072}") == [
        "answer -> max_context_tokens: does not fit: llm -> context_tokens less max_tokens leaves 3072 for the context "
        "and the question"
    ]
    assert load(text + "\nanswer: {max_context_tokens: 2500}").llm is not None


def test_the_name_of_stored_extracts_is_not_a_field(problems):
    text = "extractors: [summary]\nllm: {provider: ollama, model: m}\nmetadata: {fields: {extracted: {type: keyword}}}"
    assert problems(text) == [
        "metadata -> fields -> extracted: is reserved for what the extractors write; choose another name"
    ]


def test_a_policy_for_unsupported_claims_needs_verdicts(problems, load):
    assert load("answer: {unsupported: withhold, nli: some/model}").answer.unsupported == "withhold"
    assert problems("answer: {verify: false, unsupported: strike, nli: some/model}") == [
        "answer -> unsupported: needs the verdicts on claims: set answer -> verify to true",
        "answer -> nli: checks nothing without verdicts: set answer -> verify to true, or remove nli",
    ]


def test_without_verdicts_the_default_has_nothing_to_withhold(load):
    assert load("answer: {verify: false}").answer.unsupported == "withhold"


def test_images_of_older_turns_need_a_model_that_reads_them(problems):
    said = '"image" needs a language model that sees: give the section llm'
    assert problems("conversations: {history: {compress: image}}") == [f"conversations -> history -> compress: {said}"]


def test_prompt_variants_need_a_model_and_names_and_weights_of_their_own(problems, load):
    llm = "llm: {provider: ollama, model: m}\n"
    assert problems("answer: {variants: [{name: a}]}") == [
        "answer -> variants: are prompts of a language model: give the section llm"
    ]
    assert problems(llm + "answer: {variants: [{name: a}, {name: a}]}") == [
        "answer -> variants -> 1 -> name: another variant has this name"
    ]
    assert problems(llm + "answer: {variants: [{name: a, weight: 0}]}") == [
        "answer -> variants: must have a variant with a weight over 0"
    ]
    assert problems(llm + "answer: {variants: [{name: A b}]}")[0].startswith("answer -> variants -> 0 -> name: must be")
    assert [
        one.weight for one in load(llm + "answer: {variants: [{name: a}, {name: b, weight: 0}]}").answer.variants
    ] == [
        1,
        0,
    ]


SECTIONED = "metadata: {fields: {part: {type: keywords, source: headings}}}\n"


def test_sections_are_a_field_and_can_be_weighed(load):
    boosted = "rerank: [{type: field_boost, field: part, weights: {Results: 2}}]"
    assert load(SECTIONED + boosted).metadata.fields["part"].source == "headings"


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("keywords", "keyword", 'source: "headings" is for keywords, not for keyword'),
        ("headings", "headings, required: true", "required: is not for headings, which each document has of its own"),
        ("headings", "headings, values: [a]", "values: is not for headings, which each document has of its own"),
    ],
)
def test_sections_are_what_documents_have_them_to_be(written, instead, said, problems):
    assert problems(SECTIONED.replace(written, instead)) == [f"metadata -> fields -> part -> {said}"]


def test_sections_need_the_headings(problems):
    said = "metadata -> fields -> part -> source: needs the headings: add headings to extractors"
    assert problems(SECTIONED + "extractors: [frontmatter]") == [said]
