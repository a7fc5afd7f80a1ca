"""What strategies share that retrieve in steps: talking to a model, reading, the recurrence of RGNN-Ret."""
