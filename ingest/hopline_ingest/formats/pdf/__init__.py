"""PDF: pages into lines, layout, tables and text."""
