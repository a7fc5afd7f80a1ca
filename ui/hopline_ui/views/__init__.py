"""The views: ask, compare, documents, explore, welcome.

The folder is not named ``pages``: Streamlit runs the files of such a folder as pages of their own.
"""
