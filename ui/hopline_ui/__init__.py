"""Web interface of Hopline, built with Streamlit."""
