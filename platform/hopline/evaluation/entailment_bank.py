"""Parser of EntailmentBank: questions with facts, and the tree of facts that entails the answer.

Dalvi et al. 2021. Both published formats are supported: the data set itself, and the "angles" of its train split. The
conclusions of a tree are not evidence and are left out (`extract_leaf_edges`), which gives a directed graph of facts
from the question to the facts that entail the answer, as in Graph-Hop (Zhu et al. 2024).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hopline.scoring.evidence_graph import QUESTION, Edge, remove_cycles

_FIELD: Final = re.compile(r"\$(\w+)\$(?: = )?")
_FACT: Final = re.compile(r"(sent\d+): ")

Step = tuple[tuple[str, ...], str]  # premises and conclusion


def parse_tree(item: Mapping[str, Any]) -> tuple[str, str, dict[str, str], list[Edge]]:
    """Parse a row: question, answer, facts by name, and the edges among the facts that entail the answer.

    Raises:
        KeyError, ValueError: the row does not have a format of EntailmentBank.
    """
    if "proof" in item:
        facts = item.get("meta", {}).get("triples") or _parse_facts(item["context"])
        return item["question"], item["answer"], dict(facts), extract_leaf_edges(_parse_steps(item["proof"]), facts)
    fields = _parse_fields(item["input"])
    facts = _parse_facts(fields["context"])
    return (
        fields["question"],
        fields["answer"],
        facts,
        extract_leaf_edges(_parse_steps(_parse_fields(item["output"])["proof"]), facts),
    )


def extract_leaf_edges(steps: list[Step], facts: Mapping[str, str]) -> list[Edge]:
    """Extract the edges between the facts of a tree of steps, without its conclusions, in order.

    The facts of a step are preceded by the last facts of the conclusions among its premises, or else by `QUESTION`. A
    step whose premises are conclusions only passes on their last facts. A fact that is used twice could close a cycle:
    that edge is left out.
    """
    ends_of: dict[str, list[str]] = {}
    edges: dict[Edge, None] = {}
    for premises, conclusion in steps:
        fact_names = [name for name in premises if name in facts]
        predecessors = [end for name in premises if name not in facts for end in ends_of[name]]
        for name in fact_names:
            edges |= dict.fromkeys([(end, name) for end in predecessors] or [(QUESTION, name)])
        ends_of[conclusion] = fact_names or predecessors
    return _remove_detours(remove_cycles(edges))


def _remove_detours(edges: list[Edge]) -> list[Edge]:
    """Remove edges from the question to facts that also follow a fact, as a fact used in two steps may."""
    with_predecessor = {target for source, target in edges if source != QUESTION}
    return [edge for edge in edges if edge[0] != QUESTION or edge[1] not in with_predecessor]


def _parse_steps(proof: str) -> list[Step]:
    steps = []
    for part in filter(None, map(str.strip, proof.split(";"))):
        premises, arrow, conclusion = part.partition(" -> ")
        if not arrow:
            raise ValueError(f"a step of a proof is 'sent1 & sent2 -> int1: …'; got {part!r}")
        steps.append((tuple(name.strip() for name in premises.split("&")), conclusion.partition(":")[0].strip()))
    return steps


def _parse_facts(context: str) -> dict[str, str]:
    parts = _FACT.split(context)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _parse_fields(text: str) -> dict[str, str]:
    parts = _FIELD.split(text)
    return {name: value.strip().removesuffix(";").strip() for name, value in zip(parts[1::2], parts[2::2], strict=True)}
