"""The form of the language model: provider, endpoint, key, model, and limits; test, save and remove."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import streamlit as st

from hopline.config import Settings
from hopline.llm.connection_check import ConnectionCheck, check_connection, list_models
from hopline.llm.endpoint import get_host
from hopline.llm.local_servers import PORTS, LocalServer, find_local_servers
from hopline.llm.presets import PRESETS, find_preset
from hopline.stored_settings import read_stored_settings, remove_stored_settings, write_stored_settings
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.model_draft import (
    ModelDraft,
    build_values,
    describe_sent,
    get_address,
    get_target,
    keeps_key,
    load_draft,
    select_changed,
)
from hopline_ui.session.state import get_state

PREFIX: Final = "model setting "  # of the keys of the inputs
VERIFY_LABELS: Final = {"mark": "Mark sentences without support", "strict": "Show only sentences with a quote"}
_KEEP, _REPLACE, _REMOVE = "keep", "replace", "remove"


def show(home: Path, settings: Settings, variables: Mapping[str, str]) -> None:
    """Show the form with the settings of a home; those in ``variables`` are set by environment variables."""
    _start_inputs(settings)
    with st.container(border=True, key="model form"):
        _show_local_servers()
        address = _input_address(settings, variables)
        key = _input_key(settings, variables, address)
        values = {"openai_base_url": address, "model": _input_model(home, settings, variables, address, key)}
        draft = ModelDraft(values | _input_limits(variables), key)
        if get_host(address):
            st.info(escape_markdown(describe_sent(address, settings)), icon=":material/upload:")
        _show_actions(home, settings, variables, draft)


def clear_inputs() -> None:
    """Forget what was entered, so that the next run shows what is stored."""
    for key in [key for key in st.session_state if str(key).startswith(PREFIX)]:
        del st.session_state[key]


def describe_variable(name: str, variables: Mapping[str, str]) -> str:
    """Return the sentence that a value comes from the environment; "" if it does not."""
    return f"Set by the environment variable {variables[name]}; it cannot be changed here." if name in variables else ""


def _start_inputs(settings: Settings) -> None:
    """Give every input that is not yet on the page the value of the settings."""
    start = {
        "address": get_address(settings),
        "model": settings.model or None,
        "key": "",
        "key mode": _KEEP,
        "context": settings.model_context,
        "timeout": settings.model_timeout,
        "verify": settings.verify,
        "price in": settings.price_in,
        "price out": settings.price_out,
    }
    for name, value in start.items():
        st.session_state.setdefault(f"{PREFIX}{name}", value)


def _show_local_servers() -> None:
    """Show the button that looks for servers on this machine, and what was found."""
    help_text = f"Asks this machine only, at the ports {', '.join(map(str, PORTS))}"
    if st.button("Look for a local server", key="find servers", icon=":material/search:", help=help_text):
        with st.spinner("Looking on this machine …"):
            get_state().local_servers = find_local_servers()
    servers = get_state().local_servers
    if servers is None:
        return
    if not servers:
        st.caption(f"No server was found on this machine at the ports {', '.join(map(str, PORTS))}.")
    for server in servers:
        label = f"Use {server.name} at {get_host(server.address)} · {format_count(len(server.models), 'model')}"
        st.button(
            escape_markdown(label),
            key=f"use server {server.address}",
            icon=":material/dns:",
            on_click=_use_server,
            args=(server,),
        )


def _use_server(server: LocalServer) -> None:
    state = st.session_state
    state[f"{PREFIX}address"] = server.address
    state[f"{PREFIX}model"] = server.models[0] if server.models else None
    get_state().listed_models = {server.address: list(server.models)}
    get_state().local_servers = None


def _input_address(settings: Settings, variables: Mapping[str, str]) -> str:
    """Show the provider and the address of the endpoint; returns the address."""
    if "openai_base_url" in variables:
        address = get_address(settings)
        st.text_input(
            "Endpoint",
            address,
            disabled=True,
            help=describe_variable("openai_base_url", variables),
            key="fixed address",
        )
        st.caption(describe_variable("openai_base_url", variables))
        return settings.openai_base_url
    address = st.session_state[f"{PREFIX}address"]
    st.session_state[f"{PREFIX}provider"] = find_preset(address).label if address else None
    with st.container(horizontal=True, key="model endpoint row"):
        st.selectbox(
            "Provider",
            [preset.label for preset in PRESETS],
            index=None,
            key=f"{PREFIX}provider",
            placeholder="Choose a provider",
            on_change=_use_preset,
        )
        st.text_input(
            "Endpoint",
            key=f"{PREFIX}address",
            max_chars=2000,
            autocomplete="off",
            help="The address of an OpenAI-compatible API; it mostly ends in /v1",
        )
    return str(st.session_state[f"{PREFIX}address"]).strip()


def _use_preset() -> None:
    label = st.session_state[f"{PREFIX}provider"]
    st.session_state[f"{PREFIX}address"] = next((item.address for item in PRESETS if item.label == label), "")
    st.session_state[f"{PREFIX}model"] = None


def _input_key(settings: Settings, variables: Mapping[str, str], address: str) -> str | None:
    """Show the input of the API key; returns it, None to keep the stored one. A stored key is never shown."""
    if "openai_api_key" in variables:
        st.caption(f"**API key** · {describe_variable('openai_api_key', variables)} It is sent with every request.")
        return None
    has_key, mode = bool(settings.openai_api_key.get_secret_value()), st.session_state[f"{PREFIX}key mode"]
    if has_key and mode == _KEEP and keeps_key(settings, address):
        with st.container(horizontal=True, vertical_alignment="center", key="model key row"):
            st.markdown("**API key** · stored, and never shown", width="content")
            for label, wanted, icon in (
                ("Replace key", _REPLACE, ":material/edit:"),
                ("Remove key", _REMOVE, ":material/delete:"),
            ):
                st.button(label, key=f"{wanted} key", icon=icon, type="tertiary", on_click=_set_mode, args=(wanted,))
        return None
    if has_key and mode == _REMOVE:
        with st.container(horizontal=True, vertical_alignment="center", key="model key row"):
            st.markdown("**API key** · removed when you save", width="content")
            st.button(
                "Keep key", key="keep key", icon=":material/undo:", type="tertiary", on_click=_set_mode, args=(_KEEP,)
            )
        return ""
    needs_key = find_preset(address).needs_key
    st.text_input(
        "API key",
        key=f"{PREFIX}key",
        type="password",
        max_chars=2000,
        autocomplete="new-password",
        placeholder="" if needs_key else "Most local servers need none",
        help="Stored in the home folder in a file that only you can read, and sent to the endpoint only",
    )
    if has_key and not keeps_key(settings, address):
        st.caption("The stored key belongs to another host and is not sent to this one.")
    return str(st.session_state[f"{PREFIX}key"]).strip()


def _set_mode(mode: str) -> None:
    st.session_state[f"{PREFIX}key mode"] = mode
    st.session_state[f"{PREFIX}key"] = ""


def _input_model(home: Path, settings: Settings, variables: Mapping[str, str], address: str, key: str | None) -> str:
    """Show the input of the model's name, and the button that lists those of the endpoint; returns the name."""
    if "model" in variables:
        st.text_input("Model", settings.model, disabled=True, key="fixed model")
        st.caption(describe_variable("model", variables))
        return settings.model
    with st.container(horizontal=True, vertical_alignment="bottom", key="model name row"):
        slot = st.container()
        if st.button(
            "List models",
            key="list models",
            icon=":material/list:",
            disabled=not get_host(address),
            help=f"Asks {get_host(address)} for the names of its models" if get_host(address) else None,
        ):
            _list_models(home, settings, variables, address, key)
    names = get_state().listed_models.get(address, [])
    chosen = st.session_state[f"{PREFIX}model"]
    with slot:
        st.selectbox(
            "Model",
            list(dict.fromkeys([*names, *([chosen] if chosen else [])])),
            index=None,
            key=f"{PREFIX}model",
            accept_new_options=True,
            placeholder="Choose or type a name",
            help="The name of the model at this endpoint",
        )
    if address in get_state().listed_models:
        st.caption(f"{get_host(address)} has {format_count(len(names), 'model')}." if names else "It lists no models.")
    return (st.session_state[f"{PREFIX}model"] or "").strip()


def _list_models(home: Path, settings: Settings, variables: Mapping[str, str], address: str, key: str | None) -> None:
    get_state().listed_models.pop(address, None)
    with report_errors("listing the models"), st.spinner(f"Asking {escape_markdown(get_host(address))} …"):
        draft = ModelDraft({"model": "any", "openai_base_url": address}, key)
        chosen = load_draft(home, build_values(draft, settings, variables))
        get_state().listed_models = {address: list_models(chosen)}


def _input_limits(variables: Mapping[str, str]) -> dict[str, Any]:
    """Show the inputs that have defaults; returns their values."""
    with st.expander("More settings", icon=":material/tune:"):
        values: dict[str, Any] = {}
        inputs: list[tuple[str, str, str, dict[str, Any]]] = [
            ("model_context", "context", "Context length (tokens)", {"min_value": 2048, "step": 1024}),
            ("model_timeout", "timeout", "Time limit of a reply (seconds)", {"min_value": 1.0, "step": 10.0}),
            ("price_in", "price in", "Price of a million input tokens", {"min_value": 0.0, "step": 0.1}),
            ("price_out", "price out", "Price of a million output tokens", {"min_value": 0.0, "step": 0.1}),
        ]
        for name, key, label, options in inputs:
            help_text = describe_variable(name, variables) or None
            values[name] = st.number_input(
                label, key=f"{PREFIX}{key}", disabled=name in variables, help=help_text, **options
            )
        values["verify"] = st.selectbox(
            "Sentences of the answer",
            list(VERIFY_LABELS),
            key=f"{PREFIX}verify",
            format_func=lambda name: VERIFY_LABELS[name],
            disabled="verify" in variables,
            help=describe_variable("verify", variables) or None,
        )
        fixed = [variables[name] for name in values if name in variables]
        if fixed:
            st.caption(f"Set by environment variables, and not changed here: {', '.join(fixed)}.")
    return values


def _show_actions(home: Path, settings: Settings, variables: Mapping[str, str], draft: ModelDraft) -> None:
    """Show the buttons that test, store and remove the settings, and what came of them."""
    with st.container(horizontal=True, key="model actions"):
        may_act = bool(draft.values["model"])
        save = st.button("Save", key="save model", type="primary", icon=":material/save:")
        test = st.button(
            "Test",
            key="test model",
            icon=":material/network_check:",
            disabled=not may_act,
        )
        _show_removal(home, settings, variables)
    st.caption("“Test” sends one short question, without text of your documents.")
    if test:
        with report_errors("testing the model"):
            values = build_values(draft, settings, variables)
            chosen = load_draft(home, values)
            with st.spinner(f"Waiting for {escape_markdown(get_host(get_target(values, settings)))} …"):
                check = check_connection(chosen)
            _show_check(check)
    if save:
        with report_errors("storing the settings"):
            values = build_values(draft, settings, variables)
            load_draft(home, values)  # raises SettingsError
            fixed = {name: value for name, value in read_stored_settings(home).items() if name in variables}
            write_stored_settings(home, fixed | select_changed(values))
            _finish("Saved. The next question uses these settings.")


def _show_removal(home: Path, settings: Settings, variables: Mapping[str, str]) -> None:
    has_own = any(name not in variables for name in ("model", "openai_base_url", "openai_api_key"))
    if not settings.model or not has_own:
        return
    with st.popover("Remove", icon=":material/delete:", key="model removal"):
        st.markdown("Remove the stored settings and the key? Answers are then extracted from the documents.")
        if st.button("Remove settings", key="remove model", type="primary"):
            with report_errors("removing the settings"):
                remove_stored_settings(home)
                _finish("Removed.")


def _finish(message: str) -> None:
    """Show the page again with what is stored now."""
    clear_inputs()
    get_state().settings_message = message
    st.rerun()


def _show_check(check: ConnectionCheck) -> None:
    show = {"good": st.success, "note": st.warning, "bad": st.error}[check.state]
    show(escape_markdown(f"{check.message} {check.advice}".strip()))
    trace = check.trace
    if trace.calls:
        st.caption(f"{format_count(trace.calls, 'call')}, {trace.tokens:,} tokens")
