"""Saved views of the page Explore: save what is drawn under a name, open it again, delete it."""

from __future__ import annotations

import streamlit as st

from hopline.client import Hopline
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.markup import escape_markdown
from hopline_ui.session.saved_views import MAX_NAME, SavedViews
from hopline_ui.session.state import get_state


def show(hop: Hopline, collection: str, canvas: GraphCanvas | None) -> None:
    """Show the saved views of a collection in a popover, and a form that saves what is drawn, if anything is."""
    views = SavedViews(hop.settings.home)
    names = views.list_names(collection)
    with st.popover(f"Saved views · {len(names):,}" if names else "Saved views", icon=":material/bookmark:"):
        if canvas is not None:
            with st.form("save view", border=False, clear_on_submit=True):
                name = st.text_input("Name of this view", max_chars=MAX_NAME, key="view name", autocomplete="off")
                pressed = st.form_submit_button("Save view", key="save view button", icon=":material/bookmark_add:")
            if pressed and (name := (name or "").strip()):
                views.save(collection, name, canvas)
                st.toast(f"Saved as “{escape_markdown(name)}”.")
                st.rerun()
        if not names:
            st.caption("No saved views of this collection.")
        for number, name in enumerate(names):
            with st.container(horizontal=True, vertical_alignment="center", key=f"view {number}"):
                st.button(
                    escape_markdown(name),
                    key=f"open view {number}",
                    type="tertiary",
                    icon=":material/bookmark:",
                    on_click=_open,
                    args=(views, collection, name),
                )
                st.button(
                    "Delete",
                    key=f"delete view {number}",
                    type="tertiary",
                    icon=":material/delete:",
                    help=f"Delete the view “{escape_markdown(name)}”",
                    on_click=views.delete,
                    args=(collection, name),
                )


def _open(views: SavedViews, collection: str, name: str) -> None:
    canvas = views.load(collection, name)
    if canvas is None:
        st.toast("This view was deleted, or saved by another version.", icon=":material/link_off:")
        return
    get_state().canvases[collection] = canvas
    st.session_state["sketch drawing"] = {"selected": None}
    st.query_params.pop("node", None)
