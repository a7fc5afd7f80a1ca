"""Settings, loaded from arguments, the environment and the home folder. No other module reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from hopline.errors import SettingsError
from hopline.stored_settings import STORED_SETTINGS, build_file_error, read_stored_settings

NO_READER: Final = "none"  # of the setting `reader`
_PREFIX: Final = "HOPLINE_"
_GRAPH_ADDRESS: Final = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://(\[[^\]\s]+\]|[^/?#\s:@]+)(:\d{1,5})?(/|\?\S*)?")
_CREDENTIALS: Final = re.compile(r"^(\w[\w+.-]*://)?.*@", re.DOTALL)  # a password may have an @
_WEB_ADDRESS: Final = re.compile(r"https?://[^/?#\s]+\S*")


def _accept_alias(name: str, alias: str) -> AliasChoices:
    return AliasChoices(f"{_PREFIX}{name.upper()}", alias, name)


class Settings(BaseSettings):
    """All settings: the variables ``HOPLINE_<NAME>``, and the common ``NEO4J_*`` and ``OPENAI_*``.

    The defaults use no network services: a language model is used only when `model` is set, an external Neo4j only when
    `neo4j_uri` is.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, frozen=True, extra="ignore", populate_by_name=True, hide_input_in_errors=True
    )

    home: Path = Field(
        default_factory=lambda: user_data_path("hopline"),
        description="Folder of documents, graph, trained weights and logs. Default: the user's data folder.",
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("hopline"),
        description="Folder of what can be downloaded again: Neo4j. Default: the user's cache folder.",
    )

    # the database
    neo4j_uri: str = Field(
        "",
        validation_alias=_accept_alias("neo4j_uri", "NEO4J_URI"),
        description="Address of a Neo4j server, 5.26 or newer, Aura too. Empty: Hopline runs a private server.",
    )
    neo4j_user: str = Field(
        "neo4j",
        validation_alias=AliasChoices("HOPLINE_NEO4J_USER", "NEO4J_USER", "NEO4J_USERNAME", "neo4j_user"),
        description="User of that server.",
    )
    neo4j_password: SecretStr = Field(
        SecretStr(""),
        validation_alias=_accept_alias("neo4j_password", "NEO4J_PASSWORD"),
        description="Password of that user.",
    )
    neo4j_database: str = Field(
        "neo4j",
        validation_alias=_accept_alias("neo4j_database", "NEO4J_DATABASE"),
        description="Database on that server.",
    )
    server_heap_mb: int | None = Field(
        None,
        ge=256,
        description="Heap memory of the private server, in MB. Default: 512, or more for a large graph, at most an "
        "eighth of the machine's memory.",
    )
    server_pagecache_mb: int | None = Field(
        None,
        ge=32,
        description="Page cache of the private server, in MB. Default: 128, or 1.2 times the size of a larger graph, "
        "at most 40 % of the machine's memory.",
    )
    server_idle_minutes: float = Field(
        30.0, gt=0, description="The private server stops after so many minutes without use."
    )

    # models
    embedder: str = Field(
        "minilm",
        description="Embedding model: `minilm` (all-MiniLM-L6-v2, installed with Hopline), the name or folder of a "
        "sentence-transformers model, or `openai:NAME` for a model at `OPENAI_BASE_URL`.",
    )
    model: str = Field(
        "",
        description="Language model that writes answers: its name at any OpenAI-compatible endpoint, or "
        "`langchain:MODULE:NAME`. Empty: answers are extracted from the documents.",
    )
    reader: str = Field(
        "minilm",
        description="Model that finds answers in passages: `minilm` (included, or trained by `hopline train reader`), "
        "the name or folder of a question answering model of Hugging Face, or `none`: without a language model, the "
        "nearest sentences are shown instead of an answer.",
    )
    answer_threshold: float = Field(
        0.6,
        ge=0,
        le=1,
        description="Confidence of the reader below which a question counts as not answered. Lower: more questions are "
        "answered, and more of the answers are wrong.",
    )
    openai_base_url: str = Field(
        "",
        validation_alias=_accept_alias("openai_base_url", "OPENAI_BASE_URL"),
        description="Address of the OpenAI-compatible endpoint. Empty: api.openai.com if OPENAI_API_KEY is set.",
    )
    openai_api_key: SecretStr = Field(
        SecretStr(""),
        validation_alias=_accept_alias("openai_api_key", "OPENAI_API_KEY"),
        description="API key of the endpoint.",
    )
    model_timeout: float = Field(120.0, gt=0, description="Seconds to wait for one reply of the model.")
    model_retries: int = Field(4, ge=0, description="Retries of a failed call to the model.")
    model_parallel: int = Field(4, ge=1, description="Calls to the model at the same time.")
    model_context: int = Field(
        8192,
        ge=2048,
        description="Context length of the model in tokens, prompt and reply together. A longer one lets an answer use "
        "more evidence; `hopline doctor --model` checks it.",
    )
    verify: Literal["mark", "strict"] = Field(
        "mark",
        description="Verification of the model's answers. `mark`: they are shown as written, each sentence with what "
        "was found of its quotes and figures. `strict`: only sentences with a verbatim quote are shown; advised for "
        "models with fewer than about 7 billion parameters.",
    )
    price_in: float = Field(
        0.0, ge=0, description="Price of a million input tokens; `evaluate` and the trace then show costs."
    )
    price_out: float = Field(0.0, ge=0, description="Price of a million output tokens.")
    extract_with_model: bool = Field(
        default=False,
        description="New collections have entities and triples extracted by the model instead of by rules; existing "
        "collections keep their extractor until `hopline extract`.",
    )
    max_calls: int | None = Field(
        200, ge=0, description="Limit on model calls for one question; a large number for practically none."
    )
    max_tokens: int | None = Field(None, ge=0, description="Limit on tokens for one question.")
    max_seconds: float | None = Field(
        None, ge=0, description="Limit on seconds for one question, without the time that it waits for other questions."
    )
    max_cost: float | None = Field(
        None, ge=0, description="Limit on cost for one question, in the currency of the prices."
    )

    # processing documents
    workers: int = Field(0, ge=0, description="Processes that parse and extract; 0: one for each core, at most 4.")
    max_pages: int = Field(2000, ge=1, description="Limit on the pages of one document.")
    max_file_mb: int = Field(
        100, ge=1, description="Limit on the size of one file, in MB; of a compressed `.jsonl`, the unpacked size."
    )
    parse_memory_mb: int = Field(2048, ge=512, description="Limit on the memory of one parsing process, in MB.")
    worker_idle_seconds: float = Field(20.0, ge=0, description="The worker exits after so many seconds without work.")

    # questions
    strategy: str = Field("hopline", description="Retrieval strategy, with its options if any: `gnn_ret:base=hybrid`.")
    k: int = Field(10, ge=1, description="Number of passages and tables retrieved for a question.")

    @field_validator("home", "cache", "embedder", "strategy", mode="before")
    @classmethod
    def _check_not_blank(cls, value: Any) -> Any:
        if isinstance(value, str) and not value.strip():
            raise ValueError("it is empty; give it a value, or omit it for its default")
        return value

    @field_validator("neo4j_uri")
    @classmethod
    def _check_graph_address(cls, address: str) -> str:
        if address and not _GRAPH_ADDRESS.fullmatch(address):
            raise ValueError("not the address of a Neo4j server; it looks like bolt://host:7687 or neo4j+s://host")
        _ = urlsplit(address).port  # raises ValueError for a port out of range
        return address

    @field_validator("openai_base_url")
    @classmethod
    def _check_web_address(cls, address: str) -> str:
        if address and not _WEB_ADDRESS.fullmatch(address):
            raise ValueError("not the address of an endpoint; it looks like https://host/v1")
        return address

    @property
    def extraction_model(self) -> str:
        """Extraction model of collections that are created with these settings; empty: rules."""
        return self.model if self.extract_with_model else ""

    @property
    def files(self) -> Path:
        """Folder that stores added files by their sha256."""
        return self.home / "files"

    @property
    def weights(self) -> Path:
        """Folder of the weights trained on this machine, one subfolder per part."""
        return self.home / "weights"

    @property
    def server_home(self) -> Path:
        """Folder of the private Neo4j: data, logs, password; its jars are in `cache`."""
        return self.home / "neo4j"

    @property
    def replies(self) -> Path:
        """File of the cache of model replies."""
        return self.home / "replies.sqlite"


def load_settings(**values: Any) -> Settings:
    """Load the settings: ``values`` that are not None, then the environment, then what is stored in the home folder.

    Raises:
        SettingsError: no such setting, or a value that cannot be used; names the setting and what would work.
    """
    chosen = load_unstored_settings(**values)
    stored = _select_stored(chosen)
    if not stored:
        return chosen
    try:
        return Settings(**_remove_none(values), **stored)
    except ValidationError as error:
        raise build_file_error(chosen.home, _describe_problems(error)) from error


def load_unstored_settings(**values: Any) -> Settings:
    """Load the settings from ``values`` and the environment, without what is stored in the home folder.

    Raises:
        SettingsError: as `load_settings`.
    """
    for name in values:
        if name not in Settings.model_fields:
            raise SettingsError(f"there is no setting {name!r}; {_suggest(name, list(Settings.model_fields))}")
    try:
        return Settings(**_remove_none(values))
    except ValidationError as error:
        raise SettingsError(f"settings that cannot be used: {_describe_problems(error)}") from error


def _select_stored(chosen: Settings) -> dict[str, Any]:
    """Return the stored values of the settings that neither an argument nor the environment sets.

    A stored API key is used for the stored endpoint only.
    """
    stored = read_stored_settings(chosen.home)
    selected = {name: value for name, value in stored.items() if name not in chosen.model_fields_set}
    if "openai_base_url" not in selected and chosen.openai_base_url != stored.get("openai_base_url", ""):
        selected.pop("openai_api_key", None)
    return selected


def _remove_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def find_variables() -> dict[str, str]:
    """Find the environment variables that set the settings of the language model, by the name of the setting."""
    present = {name.upper(): name for name in os.environ}
    return {
        setting: present[variable]
        for setting in STORED_SETTINGS
        for variable in reversed(list_variables(setting))
        if variable in present
    }


def list_variables(setting: str) -> list[str]:
    """List the environment variables of a setting, the one that takes precedence first."""
    alias = Settings.model_fields[setting].validation_alias
    names = [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else []
    return [name for name in names if name.isupper()] or [f"{_PREFIX}{setting.upper()}"]


def hide_credentials(address: str) -> str:
    """Replace the user name and password of an address by ``***``; an address without them is unchanged."""
    return _CREDENTIALS.sub(r"\1***@", address)


def _describe_problems(error: ValidationError) -> str:
    return "; ".join(map(_describe_problem, error.errors()))


def _describe_problem(problem: Mapping[str, Any]) -> str:
    """Describe a value that cannot be used in one sentence, without passwords and keys."""
    name, value = ".".join(map(str, problem["loc"])), problem["input"]
    secrets = tuple(key for key, field in Settings.model_fields.items() if field.annotation is SecretStr)
    if name.lower().endswith(secrets):
        received = f"a {type(value).__name__}"
    else:
        is_address = isinstance(value, str) and name.lower().endswith(("_uri", "_url"))
        received = repr(hide_credentials(value) if is_address else value)
    return f"{name}: {problem['msg'].removeprefix('Value error, ')} (got {received})"


def find_unknown_variables() -> dict[str, str]:
    """Find the variables ``HOPLINE_*`` of the environment that name no setting, each with a suggestion."""
    known = [f"{_PREFIX}{name.upper()}" for name in Settings.model_fields]
    return {
        name: _suggest(name, known)
        for name in sorted(os.environ)
        if name.upper().startswith(_PREFIX) and name.upper() not in known
    }


def _suggest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(sorted(known))}"


def to_environment(settings: Settings) -> dict[str, str]:
    """Convert settings to the environment with which another process loads the same settings."""
    values = {name: getattr(settings, name) for name in settings.model_fields_set}
    plain = {name: v.get_secret_value() if isinstance(v, SecretStr) else v for name, v in values.items()}
    return dict(os.environ) | {f"{_PREFIX}{name.upper()}": str(v) for name, v in plain.items() if v is not None}
