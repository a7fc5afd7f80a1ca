"""Streamlit's arguments and settings, and the files of the package."""

from __future__ import annotations

import re
import socket
import sys
import tomllib

import pytest
from streamlit import config
from streamlit.web import bootstrap

from hopline_ui import __main__ as main_module
from hopline_ui.__main__ import APP, find_free_port, format_url, parse_arguments


def build_arguments(arguments):
    return main_module.build_arguments(parse_arguments(arguments))


def test_the_page_listens_on_this_machine_only_and_sends_no_statistics():
    arguments = build_arguments([])
    assert arguments[:2] == ["run", str(APP)]
    assert "--server.address=127.0.0.1" in arguments
    assert "--browser.gatherUsageStats=false" in arguments
    assert "--server.enableXsrfProtection=true" in arguments
    assert "--server.headless=true" in arguments
    assert "--server.showEmailPrompt=false" in arguments
    assert [flag for flag in arguments if re.fullmatch(r"--server\.port=85\d\d", flag)]


def test_a_port_and_an_address_can_be_chosen():
    arguments = build_arguments(["--port", "9000", "--address", "0.0.0.0"])
    assert "--server.port=9000" in arguments
    assert "--server.address=0.0.0.0" in arguments


def test_a_port_in_use_is_skipped():
    first = find_free_port("127.0.0.1")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", first))
        listener.listen()
        assert first < find_free_port("127.0.0.1") < first + 100


@pytest.mark.parametrize(
    ("arguments", "variables", "headless"),
    [
        (["--browser"], {"DISPLAY": ":0"}, "false"),
        (["--browser"], {"WAYLAND_DISPLAY": "wayland-0"}, "false"),
        (["--browser"], {}, "true"),
        ([], {"DISPLAY": ":0"}, "true"),
    ],
)
def test_a_browser_opens_only_if_asked_for_and_if_there_is_a_display(monkeypatch, arguments, variables, headless):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert f"--server.headless={headless}" in build_arguments(arguments)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:9000"),
        ("0.0.0.0", "http://127.0.0.1:9000"),
        ("10.0.0.7", "http://10.0.0.7:9000"),
        ("::1", "http://[::1]:9000"),
    ],
)
def test_the_printed_address_can_be_opened_on_this_machine(address, url):
    assert format_url(parse_arguments(["--port", "9000", "--address", address])) == url


def test_uploads_are_limited_to_the_maximum_file_size(monkeypatch):
    monkeypatch.setenv("HOPLINE_MAX_FILE_MB", "7")
    assert "--server.maxUploadSize=7" in build_arguments([])


def test_every_flag_and_every_setting_is_one_that_streamlit_knows():
    known = config.get_config_options()
    for flag in build_arguments(["--port", "9000"])[2:]:
        assert flag[2:].partition("=")[0] in known
    settings = tomllib.loads((APP.parent / ".streamlit" / "config.toml").read_text("utf-8"))
    for section, values in settings.items():
        for name, value in values.items():
            options = {f"{section}.{name}": value} if not isinstance(value, dict) else {
                f"{section}.{name}.{inner}": option for inner, option in value.items()
            }  # fmt: skip
            assert set(options) <= set(known), options
    assert bootstrap  # used by `streamlit run`


def test_nothing_of_the_page_names_another_host():
    ours = [
        path
        for path in APP.parent.rglob("*")
        if path.suffix in {".py", ".css", ".toml", ".js"} and "node_modules" not in path.parts
    ]
    assert len(ours) > 20
    for path in ours:
        if path.parent.name == "bundle":
            continue  # third-party code and its licence notes; the browser tests check its requests
        text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "http://" not in text, path
        assert "https://" not in text, path
