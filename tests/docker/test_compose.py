"""Checks of the Compose file as text; running it needs a Docker daemon."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from hopline.config import Settings

ROOT = Path(__file__).resolve().parents[2]
HOPLINE_SERVICES = ("worker", "page")


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    return yaml.safe_load((ROOT / "docker/compose.yml").read_text(encoding="utf-8"))["services"]


@pytest.mark.parametrize("name", HOPLINE_SERVICES)
def test_each_service_runs_a_module_that_exists(services: dict[str, dict[str, Any]], name: str) -> None:
    assert find_spec(f"{services[name]['command'][0]}.__main__") is not None


@pytest.mark.parametrize("name", HOPLINE_SERVICES)
def test_each_environment_variable_is_a_setting(services: dict[str, dict[str, Any]], name: str) -> None:
    known = {f"HOPLINE_{field.upper()}" for field in Settings.model_fields}
    for field in Settings.model_fields.values():
        known |= {str(choice) for choice in getattr(field.validation_alias, "choices", ())}
    assert set(services[name]["environment"]) <= known


def test_the_page_accepts_the_arguments_of_its_command(services: dict[str, dict[str, Any]]) -> None:
    from hopline_ui.__main__ import build_arguments, parse_arguments

    assert {"--server.address=0.0.0.0", "--server.port=8501"} <= set(
        build_arguments(parse_arguments(services["page"]["command"][1:]))
    )


def test_every_service_has_a_health_check_and_ours_share_their_volumes(services: dict[str, dict[str, Any]]) -> None:
    assert all("healthcheck" in service for service in services.values())
    assert services["worker"]["volumes"] == services["page"]["volumes"]


def test_only_the_page_is_published_and_only_on_the_local_host(
    services: dict[str, dict[str, Any]],
) -> None:
    ports = {name: service.get("ports", []) for name, service in services.items()}
    assert ports == {"neo4j": [], "worker": [], "page": ["127.0.0.1:8501:8501"]}


def test_the_image_contains_every_source_root_and_does_not_run_as_root() -> None:
    text = (ROOT / "docker/Dockerfile").read_text(encoding="utf-8")
    for root in ("cypher", "platform", "ingest", "ui"):
        assert f"COPY {root} {root}" in text
    assert "\nUSER hopline\n" in text
