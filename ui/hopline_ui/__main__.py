"""``python -m hopline_ui``: serves the page on this machine. Settings stand beside it, in ``.streamlit/``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from streamlit.web import cli

from hopline.config import load_settings

APP = Path(__file__).parent / "app.py"


def flags(arguments: Sequence[str] | None = None) -> list[str]:
    """What `streamlit` is called with."""
    parser = argparse.ArgumentParser(prog="hopline ui", description="The page: add documents, ask, see the evidence.")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8501, or the next that is free)")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    given = parser.parse_args(arguments)
    settings: dict[str, str | int | bool] = {
        "server.address": given.address,
        "server.maxUploadSize": load_settings().max_file_mb,
        "server.headless": True,
        "server.enableXsrfProtection": True,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
    }
    if given.port is not None:
        settings["server.port"] = given.port
    return ["run", str(APP), *(f"--{name}={str(value).lower()}" for name, value in settings.items())]


def main() -> None:
    """Serves until it is interrupted."""
    cli.main(flags(), prog_name="streamlit")


if __name__ == "__main__":
    main()
