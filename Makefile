# SPDX-License-Identifier: Apache-2.0

.DEFAULT_GOAL := help
.PHONY: help setup rsa test quick check-changed mutate durations wide lint docs vectors status measure-check trust fuzz format lock bench load compat release clean

BIN := .venv/bin
LOCKS := requirements-build.lock requirements.lock
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --quiet --no-header

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

$(BIN)/.ready: pyproject.toml $(LOCKS) scripts/setup
	@scripts/setup

setup: $(BIN)/.ready ## prepare .venv with every tool, at its locked version
	@:

rsa: setup ## sign and decrypt with RSA on the simulated accelerator, checked by OpenSSL
	@$(BIN)/perle demo rsa

test: setup ## every check that CI runs; FAMILY=orup: those of one family, three minutes at most
	@$(BIN)/pytest -n 2 --dist worksteal -m "not wide" $(if $(FAMILY),-k $(FAMILY))

wide: setup ## what make test leaves out: the widest configurations, and what is beyond 4 s of a test function (hours)
	@$(BIN)/pytest -n 2 --dist worksteal -m wide

quick: setup ## most of the tests' functions, each with its cheapest cases: four minutes (more when nothing is built)
	@$(BIN)/pytest -n 2 --dist worksteal -m "not wide" --quick

# What has changed since then; a branch, a tag or a commit.
SINCE ?= HEAD
check-changed: setup ## the tests that changes reach: those that are not committed, or SINCE=COMMIT
	@$(BIN)/pytest -n 2 --dist worksteal -m "not wide" --changed $(SINCE) || test $$? -eq 5  # 5: none was reached

mutate: setup ## break 30 places of the sources, one at a time: how many does make quick see? (half an hour)
	@$(BIN)/python -m tests.mutate

durations: setup ## time every test again: for make quick, after make test; with an empty PERLE_CACHE, for make test
	@$(BIN)/pytest -n 2 --dist worksteal -m "not wide" --record-durations

lint: setup ## the house rules alone: style, types, layering, links
	@$(BIN)/pytest -n 2 tests -k house

docs: setup ## the documentation as a site, with the report of all measurements, in build/site (a minute)
	@$(BIN)/python -m docs.site

vectors: setup ## every RSA vector of FIPS 186 through the command line, private exponents too (half an hour)
	@PERLE_ALL_VECTORS=1 $(BIN)/pytest -q tests/test_vectors.py

status: setup ## record what the cores' own tests prove (results/status.json)
	@$(BIN)/pytest -q -n 2 --dist worksteal perle/cores perle/pam perle/measure/test_check.py perle/report/papers perle/cli/test_reproduce.py --record-status && $(BIN)/python -m perle.report.readme --write

measure-check: setup ## synthesise the smallest core of every family again, and compare with its budget
	@$(BIN)/python -m perle.measure.check

trust: setup ## look for failures: proofs, netlists, coverage, broken hardware, bit flips, time, secrets, races, vectors, fuzzing, other releases of OpenSSL (seven and a half hours; what is recorded is not run again)
	@$(BIN)/perle trust; failed=$$?; $(BIN)/perle trust --page && exit $$failed

# Seconds of each target.
TIME ?= 60
fuzz: setup ## inputs that nobody meant, with sanitizers: key files, settings, calls on boards that fail, OpenSSL on such boards (TIME=60 seconds each)
	@$(MAKE) -f host/fuzz/targets.mk fuzz TIME=$(TIME)

format: setup ## bring Python and C++ into shape
	@$(BIN)/ruff check --fix-only --quiet . ; $(BIN)/ruff format --quiet .
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c' | xargs -r $(BIN)/clang-format -i

bench: setup ## speed of the simulated board on this machine
	@$(BIN)/perle bench sim

load: setup ## nginx on software boards, 20,000 handshakes a test, with faults (two minutes)
	@PERLE_LOAD=20000 $(BIN)/pytest -q tests/test_provider_clients.py -k load

# DRY=1 goes as far as trying the wheel, and shows what would change.
release: setup ## check, build, commit and tag VERSION=0.2.0, without a push; DRY=1: show what would change
	@$(BIN)/python -m scripts.release $(if $(DRY),--dry-run) $(VERSION)

compat: setup ## the provider and its clients on newer OpenSSL releases, which cargo fetches (OPENSSL=3.5: one; an hour, then minutes)
	@$(BIN)/perle trust compat --again $(addprefix --family openssl-,$(OPENSSL))

lock: setup ## resolve the dependencies of pyproject.toml anew
	@$(COMPILE) pyproject.toml --extra dev --extra docs --extra explore --extra farm --extra firmware --extra nexus --extra parquet --extra report --extra silicon --extra soc --extra trust -o requirements.lock > /dev/null
	@$(COMPILE) --group build -o requirements-build.lock > /dev/null

clean: ## remove what was built here (not .venv, not the user's cache of simulators)
	@rm -rf build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find perle tests host -name __pycache__ -prune -exec rm -rf {} +
