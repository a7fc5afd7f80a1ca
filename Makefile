# Every target installs what it needs into .venv, once, and again when a lock file changes:
# demo and ui what Hopline runs on (constraints.txt), the others also the tools of development (constraints-dev.txt).
#   make demo PYTHON=python3.12     another Python
#   make test PYTEST_ARGS="-k path" other arguments to pytest

PYTHON ?= python3
PYTEST_ARGS ?=
BIN := .venv/bin
READY := .venv/.ready
DEV := .venv/.ready-dev
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo $(BIN)/uv)

.DEFAULT_GOAL := help
.PHONY: help demo test ui lint docs bench clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY)  ## Add the sample documents, ask three questions, show answers and evidence paths.
	@$(BIN)/python -m hopline.demo

ui: $(READY)  ## Open the web page in a browser.
	@$(BIN)/hopline ui

test: lint docs  ## Run all checks that a change has to pass: lint, docs, tests.
	$(BIN)/pytest -n 2 --dist loadfile $(PYTEST_ARGS)

lint: $(DEV)  ## Check style, types, import layers and declared dependencies.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry platform ingest ui cypher

docs: $(DEV)  ## Build the documentation into build/docs; a warning is an error.
	$(BIN)/zensical build --clean --strict

bench: $(DEV)  ## Run the benchmarks and compare them with the committed figures.
	$(BIN)/python benchmarks/run.py

clean:  ## Remove the environment and the caches of the tools; documents and graph stay.
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(READY): constraints.txt pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) not found; Hopline needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V); Hopline needs 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@if [ "$(UV)" = uv ]; then uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv; \
	 else $(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet --disable-pip-version-check uv; fi || \
	  { echo "the virtual environment could not be created; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r constraints.txt
	$(UV) pip install --python $(BIN)/python --no-deps -e .
	@touch $@

$(DEV): $(READY) constraints-dev.txt
	$(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r constraints-dev.txt
	@touch $@
