"""Feedback on answers: verdicts and correct answers of users, as questions for evaluation and training."""
