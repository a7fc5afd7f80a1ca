"""The settings of the language model that are stored in a home folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hopline.atomic_files import replace_file
from hopline.errors import SettingsError

FILE_NAME: Final = "settings.json"
STORED_SETTINGS: Final = (
    "model",
    "openai_base_url",
    "openai_api_key",
    "model_context",
    "model_timeout",
    "verify",
    "price_in",
    "price_out",
)
FileVersion = tuple[int, int, int]  # inode, size and time of the last change of the file


def get_stored_settings_file(home: Path) -> Path:
    """Return the path of the file in which the settings of a home are stored."""
    return home / FILE_NAME


def read_stored_settings(home: Path) -> dict[str, Any]:
    """Read the stored settings of a home by name; empty if none are stored. Their values are not checked.

    Raises:
        SettingsError: the file cannot be read or is damaged; says what to do.
    """
    path = get_stored_settings_file(home)
    try:
        values = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise build_file_error(home, str(error)) from error
    if not isinstance(values, dict):
        raise build_file_error(home, f"it is no JSON object, but of type {type(values).__name__}")
    unknown = [name for name in values if name not in STORED_SETTINGS]
    if unknown:
        raise build_file_error(home, f"{', '.join(unknown)} cannot be stored; there are: {', '.join(STORED_SETTINGS)}")
    return values


def build_file_error(home: Path, problem: str) -> SettingsError:
    """Build the error of stored settings that cannot be used, with the ways to repair them."""
    return SettingsError(
        f"the stored settings of the language model, {get_stored_settings_file(home)}, cannot be used: {problem}; "
        "correct the file, delete it, or remove the settings on the page Settings (hopline ui)"
    )


def write_stored_settings(home: Path, values: Mapping[str, Any]) -> None:
    """Store settings by name in place of those that are stored; only the user can read the file.

    Raises:
        SettingsError: one of the names cannot be stored, or the file cannot be written.
    """
    unknown = [name for name in values if name not in STORED_SETTINGS]
    if unknown:
        raise SettingsError(f"{', '.join(unknown)} cannot be stored; there are: {', '.join(STORED_SETTINGS)}")
    text = json.dumps(dict(values), indent=2, ensure_ascii=False) + "\n"

    def write(fresh: Path) -> None:
        fresh.chmod(0o600)  # before the API key is in it
        fresh.write_text(text, "utf-8")

    try:
        home.mkdir(parents=True, exist_ok=True)
        replace_file(get_stored_settings_file(home), write)
    except OSError as error:
        raise SettingsError(f"the settings cannot be stored in {home}: {error}; check its permissions") from error


def remove_stored_settings(home: Path) -> None:
    """Remove the stored settings of a home, whether they can be read or not.

    Raises:
        SettingsError: the file cannot be removed.
    """
    try:
        get_stored_settings_file(home).unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(f"the stored settings cannot be removed: {error}; check the permissions") from error


def read_file_version(home: Path) -> FileVersion | None:
    """Return the version of the stored settings, which every change replaces; None if none are stored."""
    try:
        state = get_stored_settings_file(home).stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
