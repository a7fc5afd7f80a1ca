"""From evidence to sentences with quotes."""
