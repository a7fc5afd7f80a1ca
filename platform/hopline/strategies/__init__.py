"""Retrieval strategies, one module each; the folder is the list.

A strategy is a module with ``rank(question, k, *, option=default, …) -> Flow[Ranking]``; the first
line of its docstring is its summary, ``NEEDS_MODEL = True`` says that it cannot work without a
model; ``UNAIDED`` and ``NEEDS_GOLD`` mark the two that bound answers (`hopline.retrieval.ranking.Strategy`).
Others' strategies are found through the entry-point group ``hopline.strategies``; one of a name that is here already
is not used.
A strategy with options is written ``gnn_ret:base=hybrid,nodes=10``.
"""

from hopline.retrieval.strategy_loader import (
    check_strategy,
    load_strategies,
    load_strategy,
    strategy_names,
    working_strategies,
)

__all__ = ["check_strategy", "load_strategies", "load_strategy", "strategy_names", "working_strategies"]
