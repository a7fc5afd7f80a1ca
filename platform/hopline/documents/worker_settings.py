"""Settings of the running worker as its lease records them, and how those of a client differ from them.

The record has no secrets: the API key, and an address with a password, are stored as a salted hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from hopline.config import Settings, hide_credentials

RESULT_SETTINGS: Final = ("embedder", "max_pages", "max_file_mb")  # they change what the worker writes
RESOURCE_SETTINGS: Final = ("workers", "parse_memory_mb")
CALL_SETTINGS: Final = ("model_timeout", "model_retries", "model_parallel")
_MODEL: Final = "model"
_ADDRESS: Final = "openai_base_url"  # of the language model, and of a remote embedder
_ITERATIONS: Final = 100_000  # of the hash; about 30 ms


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The settings that a worker was started with; ``stays``: it does not exit when idle."""

    values: dict[str, Any] = field(default_factory=dict)
    salt: str = ""
    credentials: str = ""
    stays: bool = False

    @classmethod
    def from_settings(cls, settings: Settings, *, stays: bool = False) -> Self:
        """Build the record of a worker with these settings."""
        names = (_MODEL, _ADDRESS, *RESULT_SETTINGS, *RESOURCE_SETTINGS, *CALL_SETTINGS)
        salt = secrets.token_hex(8)
        values = {name: _get_value(settings, name) for name in names}
        return cls(values, salt, _hash_credentials(settings, salt), stays)

    @classmethod
    def from_json(cls, text: str) -> Self | None:
        """Parse the record of a lease; None if the holder wrote none."""
        return cls(**json.loads(text)) if text else None

    def to_json(self) -> str:
        """Return the record as the text that `from_json` parses."""
        return json.dumps(asdict(self))

    @property
    def model(self) -> str:
        """The language model of the worker, "" for none."""
        return str(self.values.get(_MODEL, ""))


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting whose value differs; the values are as shown to users, "" where they are secret."""

    variable: str
    worker: str = ""
    client: str = ""


def uses_model_of(worker: WorkerSettings, settings: Settings) -> bool:
    """Return whether a worker was started with the language model of these settings, its endpoint and its key."""
    same = all(worker.values.get(name) == _get_value(settings, name) for name in (_MODEL, _ADDRESS))
    is_same_key = hmac.compare_digest(worker.credentials, _hash_credentials(settings, worker.salt))
    return bool(settings.model) and same and is_same_key


def find_differences(settings: Settings, worker: WorkerSettings, *, resources: bool) -> list[SettingDifference]:
    """Find the settings of a client that a worker was started without.

    A client without a language model does not compare its settings: it never takes the model away from a worker.
    ``resources``: compare those too that change how fast the worker is, and not what it writes.
    """
    has_model = bool(settings.model)
    has_endpoint = has_model or settings.embedder.startswith("openai:")
    names = [_MODEL] * has_model + [_ADDRESS] * has_endpoint + list(RESULT_SETTINGS)
    if resources:
        names += [*RESOURCE_SETTINGS, *(CALL_SETTINGS if has_model else ())]
    differences = [
        SettingDifference(_get_variable(name), _format(worker.values[name]), _format(_get_value(settings, name)))
        for name in names
        if name in worker.values and worker.values[name] != _get_value(settings, name)
    ]
    if has_endpoint and not hmac.compare_digest(worker.credentials, _hash_credentials(settings, worker.salt)):
        differences.append(SettingDifference(_get_variable("openai_api_key")))
    return differences


def describe_differences(differences: list[SettingDifference], *, was: str) -> str:
    """As "HOPLINE_MODEL is qwen (was not set)"; ``was`` is the word before the value of the worker."""
    return ", ".join(
        f"{item.variable} is {item.client} ({was} {item.worker})" if item.client else f"{item.variable} is another one"
        for item in differences
    )


def _get_value(settings: Settings, name: str) -> Any:
    value = getattr(settings, name)
    return hide_credentials(value).partition("?")[0] if name == _ADDRESS else value


def _get_variable(name: str) -> str:
    return name.upper() if name.startswith("openai_") else f"HOPLINE_{name.upper()}"


def _format(value: Any) -> str:
    return "not set" if value == "" else f"{value:g}" if isinstance(value, float) else str(value)


def _hash_credentials(settings: Settings, salt: str) -> str:
    """Hash the API key and the password of the address, if any; "" if there are none."""
    address = settings.openai_base_url
    secret = settings.openai_api_key.get_secret_value() + (address if address != hide_credentials(address) else "")
    if not secret:
        return ""
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), salt.encode(), _ITERATIONS).hex()
