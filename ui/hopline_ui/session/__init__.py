"""What a browser session holds: questions, answers, history."""
