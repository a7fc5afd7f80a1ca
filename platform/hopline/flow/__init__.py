"""Flows: the requests that a strategy yields, and the runner that answers them."""
