# Everything from a fresh checkout, with only Python 3.11 or newer and make:
#   make demo    set up, then open the studio: a page to play in and to look into the search (Ctrl-C ends it)
#   make tour    set up, then show in the terminal what zermelo does
#   make test    set up, then run the tests            make test-all   the slow ones too
#   make quick   style, and what can be tested without the compiler: while editing, in a minute or two
#   make lint    style, types, import layers           make bench      speed beside the peers, in one run
#   make docs    the documentation as a site, in build/site   make contract   docs/contract.md from the table of hooks
#   make test-gpu   what needs a graphics card         make test-ptx   what needs only its compiler
#   make golden  the searches and trainings kept as data, written anew

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PTX := build/ptx
CARD := $(wildcard tests/batch/test_card*.py) tests/search/forest/test_card.py tests/search/test_perft_simulated.py \
	tests/solve/test_tables_card.py tests/compile/targets
PROGRAMS := stockfish:stockfish gnubg:gnubg gnugo:gnugo gtp-rhino:grhino chromium:chromium chromedriver:chromium-driver # program:package
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: demo tour quick test test-all test-gpu test-ptx test-interpreted lint bench golden docs contract format clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "zermelo needs Python 3.11 or newer; say which with make PYTHON=…"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[studio]'
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@for peer in chess open_spiel bitbully easyAI; do \
	  $(BIN)/python -m pip install --quiet $$peer || echo "$$peer cannot be had here: what compares with it will be skipped"; \
	done
	@packages=; for pair in $(PROGRAMS); do \
	  program=$${pair%:*}; command -v $$program >/dev/null || test -x /usr/games/$$program || packages="$$packages $${pair#*:}"; \
	done; \
	install() { timeout 300 apt-get install -qq -y --no-install-recommends "$$@" >/dev/null 2>&1; }; \
	test -z "$$packages" || install $$packages || timeout 120 apt-get update -qq >/dev/null 2>&1; \
	for pair in $(PROGRAMS); do \
	  program=$${pair%:*}; command -v $$program >/dev/null || test -x /usr/games/$$program || install $${pair#*:} \
	    || echo "$$program cannot be had here: the tests that need it will be skipped"; \
	done
	@touch $@

$(VENV)/.ready-docs: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

demo: $(VENV)/.ready
	@$(BIN)/zermelo studio --game connect-four

tour: $(VENV)/.ready
	@$(BIN)/python examples/demo.py

quick: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory test-interpreted

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow and not gpu"
	@$(MAKE) --no-print-directory test-interpreted

test-gpu: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -m gpu $(CARD) tests/search/test_perft_split.py tests/search/test_on_a_device.py

# Every game compiled for a card, without one. The card's compiler is 140 MB: it has an environment of its own.
$(PTX)/.ready: pyproject.toml
	$(PYTHON) -m venv $(PTX)
	$(PTX)/bin/python -m pip install --quiet --editable '.[ptx]'
	@touch $@

test-ptx: $(PTX)/.ready
	$(PTX)/bin/python -m pytest -n $(WORKERS) -m "not gpu" $(CARD)

# The same tests with the compiler switched off, where plain Python is fast enough.
test-interpreted: $(VENV)/.ready-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not slow and not jit" tests/core tests/compile tests/check tests/textbook tests/drawing tests/search

test-all: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n $(WORKERS)
	@$(MAKE) --no-print-directory test-interpreted
	@$(MAKE) --no-print-directory test-ptx

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks

# The page that lists every hook and declaration, from their tables.
contract: $(VENV)/.ready
	$(BIN)/python -m zermelo.check.contract docs/contract.md

# A change of what searches or learners do, if it is meant: the diff says what changed.
golden: $(VENV)/.ready-dev
	$(BIN)/python -m tests.search.test_golden
	$(BIN)/python -m tests.learn.test_golden

# Every warning (a link that leads nowhere, a name that is not there) is an error.
docs: $(VENV)/.ready-docs
	$(BIN)/python docs/site/assemble.py
	$(BIN)/zensical build --strict --clean
	@{ printf 'var __index = '; cat build/site/search.json; } >build/site/search.js # for pages opened as files
	@echo "the documentation: build/site/index.html"

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache build dist
