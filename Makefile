# Every target makes the environment .venv that it needs, once, and again when the lock changes.
#   make demo PYTHON=python3.12     another Python
#   make test PYTEST_ARGS="-k path" other arguments to pytest

PYTHON ?= python3
PYTEST_ARGS ?=
BIN := .venv/bin
READY := .venv/.ready
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo $(BIN)/uv)

.DEFAULT_GOAL := help
.PHONY: help demo test ui lint bench clean

help:  ## Say what there is to make.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY)  ## Read the sample documents, ask three questions, draw the answers.
	@$(BIN)/python -m hopline.demo

ui: $(READY)  ## Open the page in the browser.
	@$(BIN)/hopline ui

test: lint  ## Everything that a change has to pass.
	$(BIN)/pytest -n 2 --dist loadfile $(PYTEST_ARGS)

lint: $(READY)  ## Style, types, and who may import whom.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## Measure, and compare with the figures that are committed.
	$(BIN)/python benchmarks/run.py

clean:  ## Remove the environment and what the tools left; documents and graph stay.
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(READY): constraints.txt pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "no $(PYTHON) here; Hopline needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V); Hopline needs 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@if [ "$(UV)" = uv ]; then uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv; \
	 else $(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet --disable-pip-version-check uv; fi || \
	  { echo "no environment could be made; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r constraints.txt
	$(UV) pip install --python $(BIN)/python --no-deps -e .
	@touch $@
