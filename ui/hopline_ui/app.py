"""Entry script of the page, rerun by Streamlit at every interaction."""

from hopline_ui.navigation import run

run()
