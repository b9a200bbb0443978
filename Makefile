# Works on a bare machine with Python 3.11 or newer, git and make.
#
#   make demo               see it learn and answer
#   make test               the fast tests
#   make check              lint, types and the fast tests
#   make bench DATA=path    measure on a data set (DATASET=locomo, longmemeval or realmem)

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
CLEAN := build/clean
DATASET ?= locomo
BENCH_OPTIONS ?=

# PYTHON if it is given, else the first of these, that is new enough and can make environments.
find_python = for candidate in $(or $(PYTHON),python3.13 python3.12 python3.11 python3); do \
	if "$$candidate" -c 'import sys, venv, ensurepip, sqlite3; sys.exit(sys.version_info < (3, 11))' \
		>/dev/null 2>&1; then echo "$$candidate"; exit 0; fi; done; \
	echo 'Retain needs Python 3.11 or newer with venv and sqlite3 (Debian: apt install python3-venv).' >&2; \
	echo 'Name one with: make PYTHON=/path/to/python3' >&2; exit 1

pip_install = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check slow package bench docs lock clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

$(BIN)/python:
	@echo 'Making $(VENV) (once) ...'
	@python=$$($(find_python)) && { "$$python" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }; }

# What the library needs and what builds it, hash by hash; then the library itself, in place.
$(VENV)/.base: requirements.txt requirements-build.txt pyproject.toml | $(BIN)/python
	@echo 'Installing what Retain needs (once) ...'
	@$(pip_install) --require-hashes -r requirements.txt -r requirements-build.txt
	@$(pip_install) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.base
	@echo 'Installing the development tools (once) ...'
	@$(pip_install) --require-hashes -r requirements-dev.txt
	@touch $@

demo: $(VENV)/.base
	@$(BIN)/retain demo

# COVERED=1 measures what the tests reach, and fails below the bound of pyproject.toml.
test: $(VENV)/.dev
ifdef COVERED
	rm -f .coverage*
	$(BIN)/python -m coverage run -m pytest -n auto
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
else
	$(BIN)/python -m pytest -n auto
endif

# TESTED=1 leaves out the fast tests, for those who have just run them.
check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
ifndef TESTED
	$(BIN)/python -m pytest -n auto
endif

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow -n auto
	$(BIN)/python -m pytest -m model

# The wheel, in an environment that has nothing but what it names.
package: $(VENV)/.base
	rm -rf $(CLEAN)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		-w $(CLEAN) .
	$(BIN)/python -m venv $(CLEAN)/venv
	$(CLEAN)/venv/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes -r requirements.txt
	$(CLEAN)/venv/bin/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-index $(CLEAN)/retain-*.whl
	cd $(CLEAN) && venv/bin/retain demo

bench: $(VENV)/.base
	@test -n '$(DATA)' || { echo 'Name the data: make bench DATA=path' >&2; exit 2; }
	$(BIN)/retain bench $(DATASET) '$(DATA)' $(BENCH_OPTIONS)

# The pages that are generated from the code.
docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py

# Needs uv. All locks hold the same versions.
lock:
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
		--no-header pyproject.toml -o requirements.txt
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
		--no-header -c requirements.txt pyproject.toml --group dev -o requirements-dev.txt
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
		--no-header -c requirements-dev.txt --group build -o requirements-build.txt

clean:
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
