# Needs make and Python 3.11 or newer with pip and venv; `make PYTHON=/path/to/python` chooses the interpreter.

VENV := .venv
TRAIN := .train
BRIDGES := .bridges
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check

# The stamp holds the folder it was made in: a .venv that is missing, half made, moved, or without its interpreter
# is made anew; one that is merely out of date is brought up to date in place.
ifneq ($(shell $(BIN)/python -c 'import pip; print(open("$(VENV)/.setup").read())' 2>/dev/null),$(CURDIR))
MAKE_VENV := yes
.PHONY: $(VENV)/.setup
endif

SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

.PHONY: help setup play web site facts pictures prebuilt types docs quick alone test bridges mutants simulate hunt proof lint format bench lock clean
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.warm ## Install everything the game needs into .venv and compile the rules

play: $(VENV)/.warm web ## Play in the browser (sets up first if needed); `.venv/bin/sunglade play` is the terminal
	@$(BIN)/sunglade serve

web: facts ## Build the web client, if its sources have changed
	@$(BIN)/python hatch_build.py

site: $(VENV)/.dev facts ## Put the game together as static files that need no server, in build/site
	@$(BIN)/python hatch_build.py site
	@echo "The site is build/site: put that folder on any web host"

pictures: $(VENV)/.dev ## Draw the picture of links and the icons of home screens anew (needs Chromium)
	@PYTHONPATH=tests $(BIN)/python tests/web/link_pictures.py web/public

prebuilt: $(VENV)/.dev ## Compile the kernel ahead of time into build/prebuilt, as wheels carry it
	@$(BIN)/python -m sunglade.prebuilding --into build/prebuilt

facts: $(VENV)/.setup
	@$(BIN)/python -m sunglade.table.game_facts > web/game_facts.new && mv web/game_facts.new web/src/api/game_facts.ts
	@$(BIN)/python -m sunglade.teaching.lessons > web/lessons.new && mv web/lessons.new web/src/lessons/lessons.json
	@$(BIN)/python -m sunglade.teaching.printed_facts > web/printed.new && mv web/printed.new web/src/guide/printed.json
	@$(BIN)/python -m sunglade.words.key_types

types: facts ## Make what the web client knows of the game and of the server's API anew
	@$(BIN)/python -m sunglade.server.openapi > web/openapi.json.new && mv web/openapi.json.new web/openapi.json
	@$(BIN)/python hatch_build.py openapi-typescript/bin/cli.js openapi.json -o src/api/schema.ts

docs: $(VENV)/.dev web ## Build the documentation as a site, in build/docs
	@$(BIN)/python -m sphinx -q -E -W --keep-going -d build/docs-cache -b html docs build/docs
	@echo "The site is at build/docs/index.html"

PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup --durations 20

# Everything that is fast and needs no server, browser or PyTorch.
QUICK := tests/rules tests/bots $(wildcard tests/test_*.py)

quick: lint ## What a small change needs: style, types, the rules and what stands on them
	$(PYTEST) -m "not slow and not proof" $(QUICK)

test: lint web $(TRAIN)/.setup ## What every change needs before it lands (sets up first if needed)
	$(BIN)/sunglade warm --search
	$(PYTEST)

bridges: $(VENV)/.dev $(BRIDGES)/.setup ## Run the bridges to JAX, TorchRL and RLlib, in an environment of their own (several GB)
	SUNGLADE_BRIDGES=$(BRIDGES) $(PYTEST) tests/envs/test_bridges.py

mutants: $(VENV)/.dev ## Plant mistakes in the rules, see that tests find them, write docs/mutants.md
	@PYTHONPATH=tests $(BIN)/python -m mutants $(ONLY)

simulate: $(VENV)/.dev ## Run the server in simulated worlds: SEEDS=20, SEEDS=5-9, FOR=seconds, without end if neither is given; JOBS=2
	@PYTHONPATH=tests $(BIN)/python -m simulation $(if $(SEEDS),--seeds $(SEEDS)) $(if $(FOR),--for $(FOR)) $(if $(JOBS),--jobs $(JOBS))

hunt: $(VENV)/.dev ## Plant mistakes in the server, see that simulated worlds find them: SEEDS=2000, ONLY=word, FOR=seconds, JOBS=2
	@PYTHONPATH=tests $(BIN)/python -m simulation.hunt $(if $(SEEDS),--seeds $(SEEDS)) $(if $(FOR),--for $(FOR)) $(if $(JOBS),--jobs $(JOBS)) "$(ONLY)"

alone: $(VENV)/.dev ## Run every test file by itself, shuffled, on a busy machine, in the background
	$(BIN)/python tests/alone.py

proof: test mutants alone ## Everything, the large too: hours; before a release
	$(PYTEST) -m proof

lint: $(VENV)/.dev ## Check style and types only
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/python hatch_build.py prettier/bin/prettier.cjs --check --log-level warn .
	$(BIN)/python hatch_build.py eslint/bin/eslint.js --max-warnings 0 .

format: $(VENV)/.dev ## Lay out all code
	$(BIN)/python -m ruff format
	$(BIN)/python hatch_build.py prettier/bin/prettier.cjs --write --log-level warn .

bench: $(VENV)/.warm ## Measure the speed; LIMIT=path compares with the reference program there
	@$(BIN)/sunglade bench $(if $(LIMIT),--limit "$(LIMIT)")

# Pins that still fit are kept; `make lock UPGRADE=--upgrade` takes the newest versions.
LOCK := .lock/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock"

# What `make play` needs beside the plain game.
EXTRAS := --extra numba --extra postgres

lock: ## Write requirements/*.txt anew from pyproject.toml
	@$(find_python); "$$python" -m venv .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/lock.txt
	$(LOCK) $(UPGRADE) --group lock -o requirements/lock.txt
	$(LOCK) $(UPGRADE) pyproject.toml $(EXTRAS) --group dev -o requirements/dev.txt
	$(LOCK) -c requirements/dev.txt pyproject.toml $(EXTRAS) -o requirements/runtime.txt
	$(LOCK) -c requirements/dev.txt pyproject.toml -o requirements/plain.txt
	$(LOCK) -c requirements/dev.txt --group build -o requirements/build.txt

clean: ## Remove .venv and everything built
	rm -rf $(VENV) $(TRAIN) $(BRIDGES) .lock build dist web/node_modules src/sunglade/web src/sunglade/device .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.setup: pyproject.toml requirements/runtime.txt requirements/build.txt
ifdef MAKE_VENV
	@$(find_python); echo "Making $(VENV) with $$("$$python" --version)"; "$$python" -m venv --clear $(VENV)
endif
	@echo "Installing the locked dependencies"
	@$(PIP_INSTALL) --require-hashes -r requirements/runtime.txt -r requirements/build.txt
	@$(PIP_INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@printf '%s' "$(CURDIR)" > $@

$(VENV)/.dev: $(VENV)/.setup requirements/dev.txt
	@echo "Installing the locked developer tools"
	@$(PIP_INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

# Training alone needs PyTorch, so it has an environment of its own. Not locked: which build fits depends on the machine.
$(TRAIN)/.setup: requirements/runtime.txt
	@echo "Making $(TRAIN) with PyTorch, for the tests of the training and of the training example"
	@$(find_python); "$$python" -m venv --clear $(TRAIN)
	@$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.txt
	@$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 sb3-contrib
	@touch $@

# Libraries that Sunglade has bridges to, in whatever versions there are. Not locked, and not part of `make test`.
$(BRIDGES)/.setup: requirements/runtime.txt
	@echo "Making $(BRIDGES) with JAX, TorchRL and RLlib"
	@$(find_python); "$$python" -m venv --clear $(BRIDGES)
	@$(BRIDGES)/bin/python -m pip install --quiet --disable-pip-version-check platformdirs filelock rich prompt_toolkit
	@$(BRIDGES)/bin/python -m pip install --quiet --disable-pip-version-check numba gymnasium pettingzoo jax torchrl "ray[rllib]"
	@touch $@

$(VENV)/.warm: $(VENV)/.setup
	@$(BIN)/sunglade warm --search
	@touch $@

# Sets the shell variable `python`: $(PYTHON) if given, else the first interpreter found that will do.
define find_python
for python in $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3); do \
	"$$python" -c '$(SUITABLE)' 2>/dev/null && break; python=; \
done; \
[ -n "$$python" ] || { echo "Sunglade needs Python 3.11 or newer with pip and venv; name it with PYTHON=/path/to/python" >&2; exit 1; }
endef
