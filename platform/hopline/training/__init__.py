"""Training of models from questions with known answers; parameters are stored in the home folder or the graph."""
