"""Settings: the language model, and the models that run on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from hopline.client import Hopline
from hopline.config import NO_READER, Settings, find_variables, load_settings, load_unstored_settings
from hopline.documents.status import ModelState
from hopline.errors import HoplineError, SettingsError
from hopline.llm.endpoint import get_host
from hopline.remote.client import RemoteHopline
from hopline.stored_settings import remove_stored_settings
from hopline_ui import client_connection, page_access
from hopline_ui.components import document_list, model_form
from hopline_ui.error_messages import report_errors, show_waiting
from hopline_ui.markup import escape_markdown
from hopline_ui.model_draft import REMOTE_EMBEDDER, describe_current, get_address
from hopline_ui.session.state import get_state

USES: Final = {
    "embedder": "Embedder: finds passages by their meaning",
    "reader": "Reader: finds the answer in a passage, where no language model writes it",
}


def show() -> None:
    """Show the page, also while the database cannot be reached or the stored settings are damaged."""
    hop: Hopline | RemoteHopline | None = None
    failure: HoplineError | None = None
    try:
        hop = client_connection.get_client()
    except HoplineError as error:
        failure = error
    st.subheader("Language model", anchor=False)
    if isinstance(hop, RemoteHopline):
        st.info("The language model is configured at the server of Hopline that answers for this page.")
        return
    _show_language_model(hop)
    st.subheader("Models on this machine", anchor=False)
    with report_errors("reading the state of the models"):
        if failure is not None:
            raise failure
        if hop is not None:
            with show_waiting():
                status = hop.status()
            _show_local_models(status.models, hop.settings)


def _show_language_model(hop: Hopline | None) -> None:
    home = (load_unstored_settings() if hop is None else hop.settings).home
    try:
        settings = load_settings(home=home)
    except SettingsError as error:
        st.error(escape_markdown(error), icon=":material/error:")
        if page_access.may_change_settings() and st.button("Remove the stored settings", key="remove damaged"):
            with report_errors("removing the settings"):
                remove_stored_settings(home)
                st.rerun()
        return
    if message := get_state().settings_message:
        get_state().settings_message = ""
        st.toast(escape_markdown(message), icon=":material/check:")
        if hop is not None:
            document_list.show_worker_notice(hop)
    st.markdown(escape_markdown(describe_current(settings)))
    if page_access.may_change_settings():
        model_form.show(home, settings, find_variables())
    else:
        _show_values(settings)


def _show_values(settings: Settings) -> None:
    """Show the settings without inputs, and who can change them."""
    st.info(
        "Settings can be changed only on the machine that runs Hopline, or after signing in.", icon=":material/lock:"
    )
    if settings.model:
        st.caption(escape_markdown(f"Endpoint: {get_host(get_address(settings))} · Model: {settings.model}"))


def _show_local_models(models: Sequence[ModelState], settings: Settings) -> None:
    """Show what embedder and reader are for, and whether they are in memory; they are set by the environment."""
    for model in models:
        st.markdown(f"**{escape_markdown(model.name)}** · {_describe_state(model, settings)}  \n{USES[model.kind]}")
    st.caption("They are chosen by HOPLINE_EMBEDDER and HOPLINE_READER.")


def _describe_state(model: ModelState, settings: Settings) -> str:
    if model.kind == "reader" and model.name == NO_READER:
        return "switched off"
    if model.kind == "embedder" and model.name.startswith(REMOTE_EMBEDDER):
        host = escape_markdown(get_host(get_address(settings)))
        return f"at {host}; questions and all texts of documents are sent there"
    return "loaded" if model.loaded else "not loaded; it is loaded at its first use"
