"""The state of a browser session: questions, answers and history."""
