# Every target installs what it needs into .venv, once, and again when a lock file changes:
# demo and ui install what Hopline runs on (constraints-runtime.txt), the others all of constraints.txt.
#   make demo PYTHON=python3.12     another Python
#   make test PYTEST_ARGS="-k path" other arguments to pytest

PYTHON ?= python3
PYTEST_ARGS ?=
CHECKS ?= style format names layers dependencies types
BIN := .venv/bin
RUNTIME := .venv/.ready-runtime
READY := .venv/.ready
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo $(BIN)/uv)

# without cached bytecode, every process would compile torch and all other modules again: 5 s of 10 for `hopline ask`
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo ui check test chromium soak docs bench clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(RUNTIME)  ## Add the sample documents, ask three questions, show answers and evidence paths.
	@$(BIN)/python -m hopline.demo

ui: $(RUNTIME)  ## Open the web page in a browser.
	@$(BIN)/hopline ui

check: $(READY)  ## Check lock files, environment, style, names, types, layers and test collection, in about a minute.
	@$(BIN)/python scripts/check.py

test: chromium $(READY) docs  ## Run all checks that a change has to pass: style, types, layers, documentation, tests.
	@$(if $(CHECKS),$(BIN)/python scripts/check.py $(CHECKS))
	$(BIN)/pytest -n 3 --dist loadgroup $(PYTEST_ARGS)

chromium:
	@scripts/ensure_chromium.sh || true

soak: $(READY)  ## Run the long form of the tests that use chance, for some minutes.
	$(BIN)/pytest -m soak --soak $(PYTEST_ARGS)

docs: $(READY)  ## Build the documentation into build/docs; a warning is an error.
	$(BIN)/zensical build --clean --strict

bench: $(READY)  ## Run the benchmarks and compare them with the committed figures.
	$(BIN)/python benchmarks/run.py

clean:  ## Remove the environment and the caches of the tools; documents and graph stay.
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(RUNTIME): constraints-runtime.txt pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) not found; Hopline needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V); Hopline needs 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@if [ "$(UV)" = uv ]; then uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv; \
	 else $(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet --disable-pip-version-check uv; fi || \
	  { echo "the virtual environment could not be created; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r constraints-runtime.txt
	$(UV) pip install --python $(BIN)/python --no-deps -e .
	@touch $@

$(READY): $(RUNTIME) constraints.txt
	$(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r constraints.txt
	@touch $@
