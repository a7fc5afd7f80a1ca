"""Trained models at run time: weights, their registry, and the parameters of a collection."""
