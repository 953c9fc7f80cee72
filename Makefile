# `make help` lists the targets.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
# Without developers' tools.
RUNS := .venv/.runs
# More than two cores, because tests often wait for sockets and processes; not many more, because
# each collects the tests again, and starts servers of its own.
TEST_WORKERS ?= 4
# Each has a browser, which takes a core of its own.
BROWSER_WORKERS ?= 2
PORT ?= 8000
SIMULATOR_PORT ?= 8901
SBOM ?= var/sbom.cdx.json

CHROMIUM := $(shell command -v chromium || command -v chromium-browser)
# Both: an example in TypeScript is built with npm and run with Node.
NODE := $(shell command -v node >/dev/null && command -v npm)
FIREFOX := $(shell command -v firefox-esr || command -v firefox)
MISSING := $(strip $(if $(CHROMIUM),,browser) $(if $(FIREFOX),,firefox) $(if $(NODE),,node))
IN_BROWSERS := (browser or firefox or node)
# Settings for `manage.py check --deploy`, with random secrets.
RANDOM_KEY = $$($(BIN)/python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())')
DEPLOYMENT = DEBUG=0 SECRET_KEY=$(RANDOM_KEY)$(RANDOM_KEY) FIELD_ENCRYPTION_KEYS=$(RANDOM_KEY) \
	REDIS_URL=redis://127.0.0.1:6379/0 \
	UPSTREAM_URL=https://upstream.example ALLOWED_HOSTS=school.example \
	PUBLIC_URL=https://school.example TRUSTED_PROXIES=10.0.0.0/8

define INSTALL
@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed." if sys.version_info < (3, 11) else 0)'
@echo "Installing $(1) into .venv ..."
@$(PYTHON) -m venv .venv
@$(BIN)/python -m pip install --disable-pip-version-check --quiet --only-binary=:all: --require-hashes -r $(2)
endef

# The tests start many processes, and each would compile the project again: 0.45 of its 2.4 seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo install webapp test browsers soak check messages bench lock sbom image

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(RUNS) ## Run the service and a simulated school system, with demo people.
	@DEBUG=1 PORT=$(PORT) SIMULATOR_PORT=$(SIMULATOR_PORT) exec $(BIN)/python manage.py demo

install: $(INSTALLED) ## Create the environment (.venv) from the locked requirements.

webapp: $(INSTALLED) ## Build the web app (webapp/dist) from its locked requirements; needs Node.
	@DEBUG=1 $(BIN)/python webapp/write_schemas.py webapp/schemas
	cd webapp && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund
	cd webapp && npm run generate
	cd webapp && npm run build

test: $(INSTALLED) ## Run the tests on SQLite, or on DATABASE_URL and REDIS_URL.
	$(BIN)/pytest -n $(TEST_WORKERS) --dist worksteal -m "not $(IN_BROWSERS)" $(PYTEST_ARGS)

browsers: $(INSTALLED) ## Run the tests that need Chromium, Firefox or Node.
	@$(if $(CHROMIUM),,echo "Chromium is missing: tests marked browser are skipped.")
	@$(if $(FIREFOX),,echo "Firefox is missing: tests marked firefox are skipped.")
	@$(if $(NODE),,echo "Node or npm is missing: tests marked node are skipped.")
	$(BIN)/pytest -n $(BROWSER_WORKERS) --dist worksteal \
		-m "$(IN_BROWSERS)$(if $(MISSING), and not ($(subst $() , or ,$(MISSING))))" $(PYTEST_ARGS)

soak: $(INSTALLED) ## Run the long forms of property and fault tests (DATABASE_URL and REDIS_URL).
	SOAK=1 $(BIN)/pytest -m soak -n 0 $(PYTEST_ARGS)

check: $(INSTALLED) ## Check lint, format, types, layers, migrations, schema, settings.
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	@$(DEPLOYMENT) $(BIN)/python manage.py makemigrations --check --dry-run
	@$(DEPLOYMENT) $(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null
	@$(DEPLOYMENT) $(BIN)/python manage.py check --deploy --fail-level WARNING

# Without the date, which would change each time.
messages: $(INSTALLED) ## Update the translations in locale/ from the code (needs gettext).
	@$(DEPLOYMENT) $(BIN)/python manage.py makemessages -l sv -e py,html,svg \
		--no-location --no-obsolete --no-wrap --ignore tests --ignore benchmarks --ignore examples \
		--ignore webapp
	@for file in locale/*/LC_MESSAGES/django.po; do \
		sed '/^"POT-Creation-Date/d' "$$file" >"$$file.new" && mv "$$file.new" "$$file"; done
	@$(DEPLOYMENT) $(BIN)/python manage.py compilemessages --locale sv

bench: $(INSTALLED) ## Run the benchmarks.
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

lock: $(INSTALLED) ## Update both requirements files from pyproject.toml.
	$(BIN)/uv pip compile pyproject.toml --generate-hashes --universal \
		--python-version 3.11 --no-header -o requirements.txt
	$(BIN)/uv pip compile pyproject.toml --group dev --constraint requirements.txt \
		--generate-hashes --universal --python-version 3.11 --no-header -o requirements-dev.txt

# Without the environment: the lock file says everything.
sbom: ## List the libraries of the service and their hashes in CycloneDX (var/sbom.cdx.json).
	@mkdir -p $(dir $(SBOM))
	@$(PYTHON) deploy/sbom.py requirements.txt >$(SBOM)
	@echo $(SBOM)

image: ## Build the container image without a daemon, start it and ask it (root, buildah).
	@deploy/build_image.sh

$(RUNS): requirements.txt
	$(call INSTALL,what the service needs (about a minute),requirements.txt)
	@touch $@

$(INSTALLED): requirements-dev.txt
	$(call INSTALL,the service and the tools for developers (one to three minutes),requirements-dev.txt)
	@touch $(RUNS) $@
