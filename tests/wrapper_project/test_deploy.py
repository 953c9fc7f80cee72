"""The samples of deploy/ are valid and agree with the documentation."""

import ipaddress
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.core.management import get_commands
from pytest_django.live_server_helper import LiveServer

from tests.architecture.sources import APPS
from tests.architecture.test_docs import first_column, read, section
from tests.nginx import MISSING, NGINX_CONF, nginx_site, programs_missing
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
# Used by compose.yaml only; the service does not read them.
OF_COMPOSE = {"SITE", "POSTGRES_PASSWORD", "APP_PASSWORD"}
# The port of the health check, and the password of the database, which its library reads.
OF_IMAGE = {"HEALTH_PORT", "PGPASSWORD"}
DOCUMENTED = first_column(section(read("docs/operations.md"), "Environment"))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def names_of(value: Any) -> set[str]:
    """The keys of a mapping or the items of a list; compose accepts both."""
    return set(value or ())


def test_compose_names_only_variables_that_are_read(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) <= DOCUMENTED | OF_COMPOSE
    for name in (
        "web",
        "sockets",
        "worker",
        "migrate",
        "maintenance",
        "watch_school",
        "purge_audit",
    ):
        given = names_of(compose["services"][name]["environment"]) - OF_IMAGE
        assert given <= DOCUMENTED, name
        assert {"SECRET_KEY", "FIELD_ENCRYPTION_KEYS", "UPSTREAM_URL"} <= given


def test_compose_names_services_networks_and_volumes_that_are_there(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    for name, service in services.items():
        assert names_of(service.get("depends_on")) <= set(services), name
        assert set(service.get("networks", [])) <= set(compose["networks"]), name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            there = (DEPLOY / source).exists() if "/" in source else source in compose["volumes"]
            assert there, (name, volume)


def test_the_proxy_reaches_the_servers_only_through_the_trusted_network(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    for name in ("web", "sockets"):
        shared = set(services[name]["networks"]) & set(services["proxy"]["networks"])
        (network,) = (compose["networks"][each] for each in shared)
        (block,) = network["ipam"]["config"]
        trusted = services[name]["environment"]["TRUSTED_PROXIES"]
        assert ipaddress.ip_network(trusted) == ipaddress.ip_network(block["subnet"])


def test_no_url_of_compose_holds_a_password(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for variable, value in dict(service.get("environment") or {}).items():
            assert "@" not in str(value) or "${" not in str(value), (name, variable)
    for name, password in {"web": "${APP_PASSWORD:?}", "migrate": "${POSTGRES_PASSWORD:?}"}.items():
        assert compose["services"][name]["environment"]["PGPASSWORD"] == password


def test_every_image_of_compose_is_pinned_and_its_logs_are_bounded(
    compose: dict[str, Any],
) -> None:
    for name, service in compose["services"].items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
        image, _, tag = service["image"].partition(":")
        ours = image == "school-wrapper"
        assert ours or re.fullmatch(r"\d+\.\d+(\.\d+)?(-[a-z]+)?", tag), name
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)) == {"${BASE}"}
    [base] = re.findall(r"^ARG BASE=(\S+)$", dockerfile, re.MULTILINE)
    assert re.fullmatch(r"python:3\.13\.\d+-slim-\w+@sha256:[0-9a-f]{64}", base)


def test_redis_of_compose_evicts_nothing(compose: dict[str, Any]) -> None:
    command = compose["services"]["redis"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"


def commands_in(text: str) -> set[str]:
    return set(re.findall(r"manage\.py ([a-z_]+)", text))


def test_the_samples_run_existing_commands_and_files(compose: dict[str, Any]) -> None:
    texts = [
        str(compose),
        *(path.read_text() for path in (DEPLOY / "systemd").glob("**/*.*") if path.is_file()),
    ]
    texts += [(DEPLOY / "Dockerfile").read_text()]
    for text in texts:
        assert commands_in(text) <= set(get_commands())
        for conf in re.findall(r"deploy/\w+\.conf\.py", text):
            assert (ROOT / conf).exists()


def test_the_image_holds_every_package() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ")]
    sources = {name for names in copied for name in names if not name.startswith("--from")}
    for name in sources - {"/venv"}:
        assert (ROOT / name).exists(), name
    assert set(APPS) <= sources
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    for name in {*APPS, "templates", "manage.py", "requirements.txt"}:
        assert f"!{name}" in kept
    assert "USER wrapper" in text
    assert "--require-hashes" in text


def test_every_nginx_location_repeats_the_headers_it_overrides() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    server = text[text.index("listen 443") :]
    outside = set(re.findall(r"^    proxy_set_header +(\S+)", server, re.MULTILINE))
    assert {"Host", "X-Forwarded-For", "X-Forwarded-Proto", "Connection"} <= outside
    for body in re.findall(r"location [^{]+\{(.*?)\n    \}", server, re.DOTALL):
        inside = set(re.findall(r"proxy_set_header +(\S+)", body))
        assert not inside or outside <= inside


@pytest.mark.skipif(programs_missing(), reason=MISSING)
def test_nginx_accepts_its_sample(tmp_path: Path) -> None:
    (tmp_path / "site.conf").write_text(nginx_site(18443, [18000, 18010], [18001]))
    (tmp_path / "nginx.conf").write_text(NGINX_CONF.format(folder=tmp_path, user=""))
    command = ["nginx", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_example_environment_fits_the_roles_that_are_created() -> None:
    text = (DEPLOY / "README.md").read_text()
    (owner, role) = re.findall(r"createuser --pwprompt (\w+)", text)
    ((of, name),) = re.findall(r"createdb -O (\w+) (\w+)", text)
    assert of == owner
    (url,) = re.findall(r"^DATABASE_URL=(\S+)", read(".env.example"), re.MULTILINE)
    parts = urlsplit(url)
    assert (parts.username, parts.path) == (role, f"/{name}")
    # Not the Unix socket, where Debian asks for a system user of the role's name.
    assert parts.hostname == "127.0.0.1"
    assert f"deploy/roles.sh {role}" in text


@pytest.mark.parametrize("script", [path.name for path in DEPLOY.glob("*.sh")])
def test_every_script_is_valid_shell(script: str) -> None:
    path = DEPLOY / script
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0
    if shutil.which("dash"):
        assert subprocess.run(["dash", "-n", str(path)], check=False).returncode == 0


def restart(site: Path, port: int) -> "subprocess.CompletedProcess[str]":
    own = {"NGINX_CONF": str(site), "RELOAD": "true", "RESTART": "false", "DRAIN": "0"}
    return subprocess.run(
        ["sh", str(DEPLOY / "rolling_restart.sh"), f"wrapper-web@{port}"],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_last_server_that_is_up_is_never_taken_out(tmp_path: Path) -> None:
    site = tmp_path / "site.conf"
    original = nginx_site(18443, [18000, 18010], [18001])
    site.write_text(original.replace("127.0.0.1:18000", "127.0.0.1:18000 down"))
    before = site.read_text()
    ran = restart(site, 18010)
    assert (ran.returncode, site.read_text()) == (2, before)
    assert "last server" in ran.stderr


def test_a_server_that_is_dead_does_not_count_as_up(
    tmp_path: Path, live_server: LiveServer
) -> None:
    site = tmp_path / "site.conf"
    site.write_text(nginx_site(18443, [free_port(), 18010], [18001]))
    before = site.read_text()
    ran = restart(site, 18010)
    assert (ran.returncode, site.read_text()) == (2, before)
    assert "last server" in ran.stderr
    # With another one that is ready it goes on, as far as the restart, which fails here.
    site.write_text(nginx_site(18443, [live_server.thread.port, 18010], [18001]))
    assert restart(site, 18010).returncode == 1
    assert site.read_text().count("127.0.0.1:18010 down") == 2


def test_a_single_server_is_restarted_without_taking_it_out(tmp_path: Path) -> None:
    site = tmp_path / "site.conf"
    site.write_text(nginx_site(18443, [18000, 18010], [18001]))
    before = site.read_text()
    assert restart(site, 18001).returncode == 1
    assert site.read_text() == before
