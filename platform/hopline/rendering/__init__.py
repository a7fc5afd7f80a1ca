"""Rendering of answers, paths and tables: labels, HTML for notebooks, terminal."""
