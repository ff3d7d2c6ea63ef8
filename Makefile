# Short names for frequent tasks. A change must pass `python3 run.py test`.
PYTHON = .venv/bin/python

.PHONY: ready help test quick cover check format pages docs constraints clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 14

ready: # install every extra in .venv, unless that is already done
	@python3 -c "import run; run.set_up(run.needed_extras(['test']))"

test: ## run every check and test, as continuous integration does
	python3 run.py test

quick: ## run the checks and the quick tests
	python3 run.py test --quick

cover: ready ## run the tests and write a coverage report to htmlcov
	$(PYTHON) -m pytest -n 2 --cov=mineproof --cov-report=html

check: ready ## run ruff and mypy only
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

format: ready ## format the code
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

pages: ready ## update the generated pages: tutorial, notebooks, all names
	$(PYTHON) docs/make_pages.py

docs: ready ## build the documentation in docs/_build/html
	$(PYTHON) -m sphinx -W -q -b html docs docs/_build/html

constraints: ## pin all dependencies again (needs uv)
	printf '%s\n' '# Versions that work together, for pip -c. Made by `make constraints`.' > constraints.txt
	uv pip compile -q --universal --all-extras --python-version 3.11 --upgrade \
		--no-header --no-annotate --no-emit-index-url pyproject.toml >> constraints.txt

clean: ## remove build outputs, but keep .venv
	rm -rf build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
