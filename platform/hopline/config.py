"""One settings object, read once at the edge. The only module that looks at the environment."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from hopline.errors import SettingsError

_PREFIX: Final = "HOPLINE_"
_GRAPH_ADDRESS: Final = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://(\[[^\]\s]+\]|[^/?#\s:@]+)(:\d{1,5})?(/|\?\S*)?")
_WEB_ADDRESS: Final = re.compile(r"https?://[^/?#\s]+\S*")


def _either(name: str, usual: str) -> AliasChoices:
    return AliasChoices(f"{_PREFIX}{name.upper()}", usual, name)


class Settings(BaseSettings):
    """Every setting: ``HOPLINE_<NAME>``, beside the usual ``NEO4J_*`` and ``OPENAI_*``.

    Nothing here reaches the network: a model is used only when `model` is set, an external
    Neo4j only when `neo4j_uri` is.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, frozen=True, extra="ignore", populate_by_name=True)

    home: Path = Field(default_factory=lambda: user_data_path("hopline"))
    cache: Path = Field(default_factory=lambda: user_cache_path("hopline"))  # what can be fetched again: the jars

    # the graph
    neo4j_uri: str = Field("", validation_alias=_either("neo4j_uri", "NEO4J_URI"))
    neo4j_user: str = Field(
        "neo4j", validation_alias=AliasChoices("HOPLINE_NEO4J_USER", "NEO4J_USER", "NEO4J_USERNAME", "neo4j_user")
    )
    neo4j_password: SecretStr = Field(SecretStr(""), validation_alias=_either("neo4j_password", "NEO4J_PASSWORD"))
    neo4j_database: str = Field("neo4j", validation_alias=_either("neo4j_database", "NEO4J_DATABASE"))
    server_heap_mb: int = Field(512, ge=256)
    server_pagecache_mb: int = Field(128, ge=32)
    server_idle_minutes: float = Field(30.0, gt=0)

    # the embedder: "minilm" is the model in the wheel; any sentence-transformers name or folder;
    # "openai:<name>" asks the endpoint below
    embedder: str = "minilm"

    # the language model: none unless named
    model: str = ""
    openai_base_url: str = Field("", validation_alias=_either("openai_base_url", "OPENAI_BASE_URL"))
    openai_api_key: SecretStr = Field(SecretStr(""), validation_alias=_either("openai_api_key", "OPENAI_API_KEY"))
    model_timeout: float = Field(120.0, gt=0)
    model_retries: int = Field(4, ge=0)
    model_parallel: int = Field(4, ge=1)
    price_in: float = Field(0.0, ge=0, description="money for a million tokens that the model reads")
    price_out: float = Field(0.0, ge=0, description="… that it writes")
    extract_with_model: bool = False
    max_calls: int | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=0)
    max_seconds: float | None = Field(None, ge=0)
    max_cost: float | None = Field(None, ge=0)

    # reading
    workers: int = Field(0, ge=0, description="processes that parse and extract; 0: one per core, at most 4")
    max_pages: int = Field(2000, ge=1)
    max_file_mb: int = Field(100, ge=1)
    parse_memory_mb: int = Field(2048, ge=512)
    worker_idle_seconds: float = Field(20.0, ge=0)

    # asking
    strategy: str = "hopline"
    k: int = Field(10, ge=1)

    @field_validator("home", "cache", "embedder", "strategy", mode="before")
    @classmethod
    def _refuse_blank(cls, given: Any) -> Any:
        if isinstance(given, str) and not given.strip():
            raise ValueError("it is empty; give it a value, or leave it out for its default")
        return given

    @field_validator("neo4j_uri")
    @classmethod
    def _check_graph_address(cls, given: str) -> str:
        if given and not _GRAPH_ADDRESS.fullmatch(given):
            raise ValueError("no address of a Neo4j; it looks like bolt://host:7687 or neo4j+s://host")
        _ = urlsplit(given).port  # refuses a number that no port has
        return given

    @field_validator("openai_base_url")
    @classmethod
    def _check_web_address(cls, given: str) -> str:
        if given and not _WEB_ADDRESS.fullmatch(given):
            raise ValueError("no address of an endpoint; it looks like https://host/v1")
        return given

    @property
    def extraction_model(self) -> str:
        """The model that extracts in collections that are made with these settings; empty: rules."""
        return self.model if self.extract_with_model else ""

    @property
    def files(self) -> Path:
        """Folder that keeps added files by their sha256."""
        return self.home / "files"

    @property
    def weights(self) -> Path:
        """Folder of what was trained on this machine, a folder a part."""
        return self.home / "weights"

    @property
    def server_home(self) -> Path:
        """Folder of the private Neo4j: data, logs, password; its jars are in `cache`."""
        return self.home / "neo4j"

    @property
    def replies(self) -> Path:
        """The cache of model replies."""
        return self.home / "replies.sqlite"


def load_settings(**given: Any) -> Settings:
    """The settings, from the environment and what is given; ``None`` counts as not given.

    Raises:
        SettingsError: no such setting, or a value that cannot be used; names the setting and what would do.
    """
    for name in given:
        if name not in Settings.model_fields:
            raise SettingsError(f"no setting {name!r}; {_nearest(name, list(Settings.model_fields))}")
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {e['msg'].removeprefix('Value error, ')} (got {e['input']!r})"
            for e in error.errors()
        )
        raise SettingsError(f"settings that cannot be used: {found}") from error


def unknown_variables() -> dict[str, str]:
    """The variables ``HOPLINE_*`` of the environment that name no setting, each with the ones it may stand for."""
    known = [f"{_PREFIX}{name.upper()}" for name in Settings.model_fields]
    return {
        name: _nearest(name, known)
        for name in sorted(os.environ)
        if name.upper().startswith(_PREFIX) and name.upper() not in known
    }


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(sorted(known))}"


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment in which another process reads the same settings."""
    given = {name: getattr(settings, name) for name in settings.model_fields_set}
    plain = {name: v.get_secret_value() if isinstance(v, SecretStr) else v for name, v in given.items()}
    return dict(os.environ) | {f"{_PREFIX}{name.upper()}": str(v) for name, v in plain.items() if v is not None}
