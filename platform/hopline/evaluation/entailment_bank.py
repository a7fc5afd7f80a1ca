"""EntailmentBank as it is published: questions with facts, and the tree of facts that entails the answer.

Dalvi et al. 2021. Both published forms are read: the data set itself, and the "angles" that its train split also comes
in. A tree's conclusions are no evidence, so they are left out (`leaf_edges`): what stays is a directed graph of facts,
as Graph-Hop (Zhu et al. 2024) has it, from the question to what answers it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hopline.scoring.evidence_graph import QUESTION, Edge, acyclic

_FIELD: Final = re.compile(r"\$(\w+)\$(?: = )?")
_FACT: Final = re.compile(r"(sent\d+): ")

Step = tuple[tuple[str, ...], str]  # what is joined, and what follows from it


def read_tree(item: Mapping[str, Any]) -> tuple[str, str, dict[str, str], list[Edge]]:
    """Question, answer, facts by their names, and the edges among the facts that the answer rests on.

    Raises:
        KeyError, ValueError: the row is not as EntailmentBank publishes it.
    """
    if "proof" in item:
        facts = item.get("meta", {}).get("triples") or _facts(item["context"])
        return item["question"], item["answer"], dict(facts), leaf_edges(_steps(item["proof"]), facts)
    told = _fields(item["input"])
    facts = _facts(told["context"])
    return told["question"], told["answer"], facts, leaf_edges(_steps(_fields(item["output"])["proof"]), facts)


def leaf_edges(steps: list[Step], facts: Mapping[str, str]) -> list[Edge]:
    """The edges of a tree of steps once its conclusions are left out, in order.

    The facts of a step follow the facts that the step's conclusions rest on; those that follow none hang from
    `QUESTION`. A step that joins conclusions only passes on what they rest on. A fact that is used twice could close
    a circle: the edge that would is left out.
    """
    ends: dict[str, list[str]] = {}
    edges: dict[Edge, None] = {}
    for joined, conclusion in steps:
        own = [name for name in joined if name in facts]
        before = [end for name in joined if name not in facts for end in ends[name]]
        for name in own:
            edges |= dict.fromkeys([(end, name) for end in before] or [(QUESTION, name)])
        ends[conclusion] = own or before
    return _without_detours(acyclic(edges))


def _without_detours(edges: list[Edge]) -> list[Edge]:
    """A fact that is used in two steps could hang from the question and from a fact: it follows the fact."""
    followed = {target for source, target in edges if source != QUESTION}
    return [edge for edge in edges if edge[0] != QUESTION or edge[1] not in followed]


def _steps(proof: str) -> list[Step]:
    steps = []
    for part in filter(None, map(str.strip, proof.split(";"))):
        joined, arrow, conclusion = part.partition(" -> ")
        if not arrow:
            raise ValueError(f"a step of a proof is 'sent1 & sent2 -> int1: …'; got {part!r}")
        steps.append((tuple(name.strip() for name in joined.split("&")), conclusion.partition(":")[0].strip()))
    return steps


def _facts(context: str) -> dict[str, str]:
    parts = _FACT.split(context)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _fields(text: str) -> dict[str, str]:
    parts = _FIELD.split(text)
    return {name: value.strip().removesuffix(";").strip() for name, value in zip(parts[1::2], parts[2::2], strict=True)}
