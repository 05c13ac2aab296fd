import pytest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("retrieval: {fusoin: rrf}", 'retrieval -> fusoin: unknown key, did you mean "fusion"?'),
        ("retreival: {}", 'retreival: unknown key, did you mean "retrieval"?'),
        ("extend: base.yaml", 'extend: unknown key, did you mean "extends"?'),
        ("7: x", "7: unknown key"),
        ("feedback: {folder: x}", "feedback -> folder: unknown key; its section has keep_days"),
        ("'': x", "'': unknown key"),
        ('"a\\nb": x', "'a\\nb': unknown key"),
        (
            "metadata: {fields: {suite: {tpye: keyword}}}",
            'metadata -> fields -> suite -> tpye: unknown key, did you mean "type"?',
        ),
        ("rerank: [{type: mmr}, {typ: mmr}]", 'rerank -> 1 -> typ: unknown key, did you mean "type"?'),
        ("store: {hnsw: {efconstruct: 9}}", 'store -> hnsw -> efconstruct: unknown key, did you mean "ef_construct"?'),
        ("embedding: {base_url: 'http://x'}", 'embedding -> base_url: unknown key with provider "huggingface"'),
        ("rerank: [{type: mmr, weights: {}}]", 'rerank -> 0 -> weights: unknown key with type "mmr"'),
    ],
)
def test_an_unknown_key_is_named_with_its_path_and_the_nearest_one(text, said, problems):
    assert problems(text) == [said]


def test_a_key_is_looked_for_in_the_section_of_its_provider(problems):
    text = "embedding: {provider: ollama, model: m, dimensions: 3, backned: torch, bse_url: 'http://x'}"
    assert problems(text) == [
        'embedding -> backned: unknown key with provider "ollama"',
        'embedding -> bse_url: unknown key, did you mean "base_url"?',
    ]


def test_a_misspelt_tag_hides_the_keys_that_it_would_have_allowed(problems):
    text = "embedding: {provder: ollama, model: m, dimensions: 3, base_url: 'http://x'}\n"
    assert problems(text + "rerank: [{tye: mmr, diversity: 1}]") == [
        'embedding -> provder: unknown key, did you mean "provider"?',
        'rerank -> 0 -> tye: unknown key, did you mean "type"?',
    ]


def test_a_key_that_is_misspelt_is_not_also_missing(problems):
    assert problems("llm: {provider: ollama, modle: llama}") == ['llm -> modle: unknown key, did you mean "model"?']


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "extractors: [frontmatter, heading]",
            'extractors -> 1: "heading" is not one of frontmatter, headings, language, title, keywords, '
            'questions, summary, did you mean "headings"?',
        ),
        (
            "retrieval: {mode: hybird}",
            'retrieval -> mode: "hybird" is not one of hybrid, dense, sparse, did you mean "hybrid"?',
        ),
        ("knowledge: {sync: false}", 'knowledge -> sync: "false" is not one of off, startup, background, watch'),
        ("retrieval: {mode: [dense]}", "retrieval -> mode: must be one of hybrid, dense, sparse"),
        ("store: {engine: edgee}", 'store -> engine: "edgee" is not one of edge, memory, server, did you mean "edge"?'),
        ("store: {engine: {a: b}}", "store -> engine: must be one of edge, memory, server"),
        ("llm: {provider: olama}", 'llm -> provider: "olama" is not one of ollama, openai, did you mean "ollama"?'),
        ("llm: {model: m}", "llm -> provider: must be given"),
        ("rerank: [{}]", "rerank -> 0 -> type: must be given"),
        (
            "contract: texbook",
            'contract: "texbook" is not one of smartbreeds, openpharma, textbook, cortx, pocketpal, '
            'did you mean "textbook"?',
        ),
        (
            "metadata: {fields: {a: {type: text}}}",
            'metadata -> fields -> a -> type: "text" is not one of keyword, keywords, integer, float, boolean,',
        ),
    ],
)
def test_a_name_outside_a_closed_set_is_met_with_the_set(text, said, problems):
    (problem,) = problems(text)
    assert problem.startswith(said)


def test_names_out_of_the_environment_are_checked_but_not_repeated(problems, load):
    assert load("retrieval: {mode: '${MODE}'}", MODE="dense").retrieval.mode == "dense"
    assert problems("retrieval: {mode: '${MODE}'}\nstore: {engine: '${MODE}'}", MODE="s3cret") == [
        "store -> engine: the value of ${MODE} is not one of edge, memory, server",
        "retrieval -> mode: the value of ${MODE} is not one of hybrid, dense, sparse",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tenant: 123", "tenant: must be text: put it in quotes"),
        ("title: true", "title: must be text: put it in quotes"),
        ("title: [a]", "title: must be text"),
        ("title:", "title: must be text"),
        ("title: ' '", "title: must be one line of text that is not empty"),
        ("retrieval: {top_k: many}", "retrieval -> top_k: must be a whole number"),
        ("retrieval: {top_k: 2.5}", "retrieval -> top_k: must be a whole number"),
        ("retrieval: {top_k: true}", "retrieval -> top_k: must be a number, not true or false"),
        ("retrieval: {top_k: 0}", "retrieval -> top_k: must be at least 1"),
        (f"retrieval: {{top_k: {'9' * 5000}}}", "retrieval -> top_k: must be a whole number"),
        ("retrieval: {dense_weight: 1.5}", "retrieval -> dense_weight: must be at most 1"),
        ("retrieval: {dense_weight: half}", "retrieval -> dense_weight: must be a number"),
        ("sparse: {k: 1e999}", "sparse -> k: must be a finite number"),
        ("sparse: {k: .nan}", "sparse -> k: must be a number"),
        ("sparse: {k: nan}", "sparse -> k: must be a finite number"),
        ("feedback: {keep_days: -1}", "feedback -> keep_days: must be at least 0"),
        ("answer: {cache: {seconds: 0}}", "answer -> cache -> seconds: must be more than 0"),
        ("answer: {verify: maybe}", "answer -> verify: must be true or false"),
        ("answer:", "answer: is empty: write something below it, or remove it"),
        ("answer: [a]", "answer: must be a mapping of keys to values"),
        ("embedding: ollama", "embedding: must be a mapping of keys to values"),
        ("extractors: headings", "extractors: must be a list"),
        ("knowledge: {path: 7}", "knowledge -> path: must be text, the path of a file or folder"),
        ("limits: {question_chars: [1]}", "limits -> question_chars: must be [least, most]"),
        ("limits: {question_chars: 5}", "limits -> question_chars: must be [least, most]"),
        ("limits: {question_chars: [9, 5]}", "limits -> question_chars: must be [least, most], the least not below 0"),
        ("limits: {question_chars: [1, x]}", "limits -> question_chars -> 1: must be a whole number"),
        ("metadata: {fields: {a: {}}}", "metadata -> fields -> a -> type: must be given"),
        (
            "metadata: {fields: {a: {type: keyword, values: [1]}}}",
            "metadata -> fields -> a -> values -> 0: must be text: put it in quotes",
        ),
        (
            "metadata: {fields: {a: {type: keyword, values: []}}}",
            "metadata -> fields -> a -> values: must not be empty",
        ),
        (
            "llm: {provider: ollama, model: m, keep_alive: soon}",
            'llm -> keep_alive: must be seconds, -1, or a duration such as "5m"',
        ),
        (
            "llm: {provider: ollama, model: m, keep_alive: true}",
            'llm -> keep_alive: must be seconds, -1, or a duration such as "5m"',
        ),
        ("conversations: {turns: 1000001}", "conversations -> turns: must be at most 1000000"),
        ("retention: {days: 36501}", "retention -> days: must be at most 36500"),
        ("knowledge: {path: x, every_s: 31536001}", "knowledge -> every_s: must be at most 31536000"),
        ('knowledge: {path: "a\\0b"}', "knowledge -> path: must not hold a null character"),
        ("rerank: [{type: mmr, diversity: 2}]", "rerank -> 0 -> diversity: must be at most 1"),
        ("llm: {provider: ollama, model: m, timeouts: {call_s: 0}}", "llm -> timeouts -> call_s: must be more than 0"),
    ],
)
def test_a_wrong_value_is_met_in_plain_words(text, said, problems):
    assert problems(text) == [said]


@pytest.mark.parametrize("name", ["Suite", "my-field", "2nd", "_x", "a b", "é"])
def test_a_fields_name_is_refused_in_plain_words_under_its_own_path(name, problems):
    assert problems(f"metadata: {{fields: {{'{name}': {{type: keyword}}}}}}") == [
        f"metadata -> fields -> {name}: must be lower-case letters, digits and underscores, beginning with a letter"
    ]


def test_a_fields_name_that_is_a_number_must_be_text(problems):
    assert problems("metadata: {fields: {7: {type: keyword}}}") == [
        "metadata -> fields -> 7: must be text: put it in quotes"
    ]


def test_a_field_may_not_be_called_like_a_word_of_the_filter_language(problems):
    assert problems("metadata: {fields: {not: {type: keyword}}}") == [
        "metadata -> fields -> not: is a word of the filter language; choose another name"
    ]


def test_a_name_that_occurs_twice_in_a_path_stays_there_twice(problems):
    text = (
        "metadata: {fields: {type: {type: keywrd}, fields: {type: keyword, fields: 1}, keyword: {type: keyword, x: 1}}}"
    )
    assert [problem.partition(":")[0] for problem in problems(text)] == [
        "metadata -> fields -> fields -> fields",
        "metadata -> fields -> keyword -> x",
        "metadata -> fields -> type -> type",
    ]


def test_a_value_that_equals_a_tag_does_not_disturb_the_path(problems):
    text = "rerank: [{type: field_boost, field: field_boost, weights: {field_boost: much, '[key]': more}}]"
    assert problems(text) == [
        "rerank -> 0 -> weights -> field_boost: must be a number",
        "rerank -> 0 -> weights -> [key]: must be a number",
    ]


def test_everything_wrong_is_listed_at_once(problems):
    text = "tenant: A\nretrieval: {fusoin: 1, top_k: 0}\nchunking: {size: 20, overlap: 11}\nauth: {keys: [{name: a}]}"
    assert problems(text) == [
        'retrieval -> fusoin: unknown key, did you mean "fusion"?',
        "tenant: must be at most 63 lower-case letters, digits, - and _, beginning with a letter",
        "chunking -> overlap: must be at most half of the size 20",
        "retrieval -> top_k: must be at least 1",
        "auth -> keys -> 0 -> secret: must be given",
        "auth -> keys -> 0 -> role: must be given",
    ]
