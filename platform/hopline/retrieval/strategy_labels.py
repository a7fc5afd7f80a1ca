"""Short labels of the strategies in plain words, for user interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MAX_LABEL: Final = 50  # characters; a longer one is cut off in a select box

LABELS: Final[Mapping[str, str]] = {
    "bm25": "Words: passages with the words of the question",
    "dense": "Meaning: passages that say something similar",
    "direct": "No search: the model answers from memory",
    "gear": "Model collects statements until they answer",
    "gnn_ret": "Meaning, with neighbours in the graph",
    "gold": "Known evidence of a question set",
    "graph_hop": "Chains of evidence from question to answer",
    "guided": "Several searches, each guided by the last",
    "hipporag": "Spreads from the names in the question",
    "hopline": "Recommended: follows links between documents",
    "hybrid": "Words and meaning together",
    "ircot": "Model reasons and searches in turn",
    "iter_retgen": "Searches again with the model's answer",
    "kgp": "Walks from passage to linked passage",
    "knn_fuzzy": "Meaning and similar spelling",
    "mdr": "Two searches: the second uses the first result",
    "naive_ge": "Chains of statements with shared names",
    "ras": "Model plans sub-questions and searches each",
    "rgnn_ret": "Model splits the question; graph neighbours",
    "self_ask": "Model asks itself follow-up questions",
    "sync_ge": "Chains of statements, started by a model",
    "tfidf": "Words: rare words count more",
}


def label_strategy(spec: str) -> str:
    """Return the label of a strategy with its options, if any: "Words and meaning together · weight=0.5".

    A strategy of another package is labelled by its name.
    """
    name, _, options = spec.partition(":")
    return f"{LABELS.get(name, name)}{f' · {options}' if options else ''}"
