"""How answers, paths and tables are shown: labels, HTML, terminal."""
