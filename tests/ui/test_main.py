"""Streamlit's arguments and settings, and the files of the package."""

from __future__ import annotations

import tomllib

from streamlit import config
from streamlit.web import bootstrap

from hopline_ui.__main__ import APP, build_arguments


def test_the_page_listens_on_this_machine_only_and_sends_no_statistics():
    given = build_arguments([])
    assert given[:2] == ["run", str(APP)]
    assert "--server.address=127.0.0.1" in given
    assert "--browser.gatherUsageStats=false" in given
    assert "--server.enableXsrfProtection=true" in given
    assert "--server.headless=true" in given
    assert not [flag for flag in given if flag.startswith("--server.port")]


def test_a_port_and_an_address_can_be_chosen():
    given = build_arguments(["--port", "9000", "--address", "0.0.0.0"])
    assert "--server.port=9000" in given
    assert "--server.address=0.0.0.0" in given


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
                f"{section}.{name}.{inner}": one for inner, one in value.items()
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
