"""Retrieval strategies, one module each; the list of strategies is the list of modules.

A strategy is a module with ``rank(question, k, *, option=default, …) -> Flow[Ranking]``. The first line of its
docstring is its summary. ``NEEDS_MODEL = True`` declares that it needs a language model; ``CLOSED_BOOK`` and
``NEEDS_GOLD`` mark the lower and the upper bound of answers (`hopline.retrieval.ranking.Strategy`). Strategies of other
packages are found through the entry-point group ``hopline.strategies``; a module of this package takes precedence over
one of the same name. A strategy with options is written ``gnn_ret:base=hybrid,nodes=10``.
"""

from hopline.retrieval.strategy_loader import (
    check_strategy,
    list_strategy_names,
    load_strategies,
    load_strategy,
    load_working_strategies,
)

__all__ = ["check_strategy", "list_strategy_names", "load_strategies", "load_strategy", "load_working_strategies"]
