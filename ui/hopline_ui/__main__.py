"""``python -m hopline_ui``: serve the page on this machine. Streamlit's settings are in ``.streamlit/``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from streamlit.web import cli

from hopline.config import load_settings

APP = Path(__file__).parent / "app.py"


def build_arguments(arguments: Sequence[str] | None = None) -> list[str]:
    """Return the arguments of ``streamlit`` for the arguments of ``hopline ui`` (default: those of the process)."""
    parser = argparse.ArgumentParser(
        prog="hopline ui", description="Start the web page: add documents, ask questions, inspect the evidence."
    )
    parser.add_argument("--port", type=int, help="port to listen on (default: 8501, or the next that is free)")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    options = parser.parse_args(arguments)
    settings: dict[str, str | int | bool] = {
        "server.address": options.address,
        "server.maxUploadSize": load_settings().max_file_mb,
        "server.headless": True,
        "server.enableXsrfProtection": True,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
    }
    if options.port is not None:
        settings["server.port"] = options.port
    return ["run", str(APP), *(f"--{name}={str(value).lower()}" for name, value in settings.items())]


def main() -> None:
    """Serve the page until interrupted."""
    cli.main(build_arguments(), prog_name="streamlit")


if __name__ == "__main__":
    main()
