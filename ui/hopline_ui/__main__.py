"""``python -m hopline_ui``: serve the page on this machine. Streamlit's settings are in ``.streamlit/``."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlunsplit

import typer
from streamlit.web import cli

from hopline.config import load_settings

APP: Final = Path(__file__).parent / "app.py"
FIRST_PORT: Final = 8501
PORTS_TRIED: Final = 100


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the arguments of ``hopline ui`` (default: those of the process), with a free port if none is named."""
    parser = argparse.ArgumentParser(
        prog="hopline ui", description="Start the web page: add documents, ask questions, inspect the evidence."
    )
    parser.add_argument("--port", type=int, help=f"port to listen on (default: {FIRST_PORT}, or the next that is free)")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--browser", action="store_true", help="open the page in the browser, if there is a display")
    options = parser.parse_args(arguments)
    if options.port is None:
        options.port = find_free_port(options.address)
    return options


def find_free_port(address: str) -> int:
    """Return the first free port of the address from 8501 on; 8501 if a hundred ports are taken."""
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port whose connections are just closing
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
    return FIRST_PORT


def build_arguments(options: argparse.Namespace) -> list[str]:
    """Build the arguments of ``streamlit``."""
    settings: dict[str, str | int | bool] = {
        "server.address": options.address,
        "server.maxUploadSize": load_settings().max_file_mb,
        "server.port": options.port,
        "server.headless": not (options.browser and has_display()),
        "server.showEmailPrompt": False,
        "server.enableXsrfProtection": True,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
        "logger.hideWelcomeMessage": True,
    }
    return ["run", str(APP), *(f"--{name}={str(value).lower()}" for name, value in settings.items())]


def has_display() -> bool:
    """Return whether a browser can open a window: on Linux only in a graphical session."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def format_url(options: argparse.Namespace) -> str:
    """Return the URL at which a browser of this machine reaches the page."""
    host = "127.0.0.1" if options.address in {"0.0.0.0", "::"} else options.address  # noqa: S104 — compared, not bound
    return urlunsplit(("http", f"{f'[{host}]' if ':' in host else host}:{options.port}", "", "", ""))


def main() -> None:
    """Serve the page until interrupted."""
    options = parse_arguments()
    typer.echo(f"The web page of Hopline is at {format_url(options)} (stop it with Ctrl+C)")
    cli.main(build_arguments(options), prog_name="streamlit")


if __name__ == "__main__":
    main()
