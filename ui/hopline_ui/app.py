"""The page's entry, run anew for every click: `python -m hopline_ui`, or `streamlit run` on this file."""

from hopline_ui.navigation import run

run()
