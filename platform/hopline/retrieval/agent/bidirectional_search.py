"""Graphs of evidence found from both ends of the reasoning: the search of Graph-Hop.

Graph-Hop (Zhu et al. 2024), section 4.1: from the question to what answers it, and from what answers it back; what
follows a path is decided for each evidence by itself, until nothing follows. No direction reads the answer.

Level by level instead of depth first: one request a level, and the same edges while there are fewer than `MOST_EDGES`
of them and a level has no more than `MOST_PATHS` paths; beyond that what is near the question is kept, where depth
first would keep what lies behind the likeliest. As in the released code a fact on a path cannot come again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hopline.flow.requests import Flow, embed, infer
from hopline.retrieval.agent.llm_session import Silence, Talk, form
from hopline.scoring.evidence_graph import QUESTION, Edge, Merge, Way, acyclic, merged, rooted

Floats = NDArray[np.float32]
Path = tuple[int, ...]  # places of facts, in the order in which they were found
Follows = Callable[[Way, str, Sequence[str], Sequence[Path]], Flow[Floats]]  # chances (paths, facts), in [0, 1]

PART: Final = "graph_hop"  # the trained network
MOST_EDGES: Final = 25
MOST_PATHS: Final = 40  # looked at in one level
BAR: Final = 0.5  # the chance from which on an evidence follows

# of `Likeness`, chosen on a third of EntailmentBank's train questions (task 2)
FLOOR: Final = 0.45  # the least likeness with which an evidence follows
MARGIN: Final = 0.1  # how much less like the path than the nearest an evidence may be
READ: Final = 0.5  # what an evidence on the path weighs beside the question
SHARPNESS: Final = 40.0  # how fast a likeness becomes a certainty; does not change what follows


@dataclass(frozen=True, slots=True)
class Found:
    """The graphs of both directions and the one made of them; edges name facts by their ids."""

    forward: tuple[Edge, ...]
    backward: tuple[Edge, ...]
    merged: tuple[Edge, ...]


Decides = Literal["likeness", "network", "model"]
Rule = Literal[Merge, "usual"]


def laid_out(
    question: str,
    facts: Sequence[tuple[str, str]],
    *,
    follows: Decides,
    rule: Rule = "usual",
    gamma: float,
    known: Mapping[str, Floats] | None = None,
) -> Flow[tuple[Edge, ...]]:
    """The graph of evidence among ``facts``: found from both ends and made one, or written by a language model.

    The usual ``rule`` is equation 1; by likeness it is the forward graph: untrained, both directions begin
    at the same evidence, so that the backward graph would be the forward one turned round. ``known`` are vectors of
    texts, unit length, that `Likeness` then need not embed.

    Raises:
        UsageError, ModelUnavailable: what decides is not there.
    """
    if follows == "model":
        return (yield from written(question, facts, Talk()))
    decides = by_network if follows == "network" else Likeness(known=dict(known or {}))
    if rule == "forward" or (rule == "usual" and follows == "likeness"):
        return (yield from searched(question, facts, decides, "forward"))
    made = "equation" if rule == "usual" else rule
    return (yield from hop(question, facts, decides, rule=made, gamma=gamma)).merged


def hop(question: str, facts: Sequence[tuple[str, str]], follows: Follows, *, rule: Merge, gamma: float) -> Flow[Found]:
    """The graphs of evidence among ``facts``, (id, text) each, for a question."""
    forward = yield from searched(question, facts, follows, "forward")
    backward = yield from searched(question, facts, follows, "backward")
    return Found(forward, backward, tuple(merged(forward, backward, rule=rule, gamma=gamma)))


def searched(question: str, facts: Sequence[tuple[str, str]], follows: Follows, way: Way) -> Flow[tuple[Edge, ...]]:
    """The graph of one direction, without circles, hung from the question."""
    ids, texts = [id for id, _ in facts], [text for _, text in facts]
    edges: dict[tuple[int, int], None] = {}  # in the order of the search: from, to; -1 is the question
    ends: list[int] = []
    ahead: list[Path] = [()]
    while ahead and texts:
        chances = yield from follows(way, question, texts, ahead)
        onward: list[Path] = []
        for path, row in zip(ahead, chances, strict=True):
            if len(edges) >= MOST_EDGES:
                break
            for place in _following(row, path):
                edges |= dict.fromkeys([(path[-1] if path else -1, place)])
                ends += [place] if not path else []
                onward.append((*path, place))
        ahead = onward[:MOST_PATHS]
    return _named(list(edges), ends, ids, way)


def _following(row: Floats, path: Path) -> list[int]:
    """What follows a path, the likeliest first."""
    order = np.argsort(-row, kind="stable")
    return [int(place) for place in order if row[place] >= BAR and place not in path]


def _named(edges: Sequence[tuple[int, int]], ends: Sequence[int], ids: Sequence[str], way: Way) -> tuple[Edge, ...]:
    """Edges by ids. Backward they are turned round, and what no evidence precedes hangs from the question."""
    inner = [edge for edge in edges if edge[0] >= 0]
    if way == "forward":
        first = [(QUESTION, ids[end]) for end in ends]
        return tuple(acyclic([*first, *((ids[a], ids[b]) for a, b in inner)]))
    turned = acyclic([(ids[b], ids[a]) for a, b in inner])
    return tuple(rooted([*turned, *((QUESTION, ids[end]) for end in ends)]))


def by_network(way: Way, question: str, texts: Sequence[str], paths: Sequence[Path]) -> Flow[Floats]:
    """The trained network decides.

    Raises:
        UsageError: nothing was trained on this machine; says how to.
    """
    chances: Floats = yield infer(
        PART, way=way, question=question, facts=list(texts), paths=[list(path) for path in paths]
    )
    return chances


@dataclass(slots=True)
class Likeness:
    """The sentence encoder decides, untrained and in both directions alike: what is nearly as like as the nearest.

    A path's state is the mean direction of the question and the evidence on it, which weighs ``read``. Behind the first
    hop an evidence must be more like the path than it is like the question alone: else it was as near before. For one
    question: each text is embedded once.
    """

    margin: float = MARGIN
    floor: float = FLOOR
    read: float = READ
    known: dict[str, Floats] = field(default_factory=dict)  # vectors of texts

    def __call__(self, way: Way, question: str, texts: Sequence[str], paths: Sequence[Path]) -> Flow[Floats]:
        del way
        facts = yield from self._vectors(texts)
        [asked] = yield from self._vectors([question])
        states = np.stack([asked + self.read * facts[list(path)].sum(axis=0) for path in paths])
        likeness = states @ facts.T / np.linalg.norm(states, axis=1, keepdims=True)
        for row, path in zip(likeness, paths, strict=True):
            row[list(path)] = -1.0
            if path:
                row[row <= facts @ asked] = -1.0
        bars = np.maximum(likeness.max(axis=1, keepdims=True) - self.margin, self.floor)
        return np.asarray(1.0 / (1.0 + np.exp(-SHARPNESS * (likeness - bars))), dtype=np.float32)

    def _vectors(self, texts: Sequence[str]) -> Flow[Floats]:
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if new:
            self.known |= dict(zip(new, (yield embed(new)), strict=True))
        return np.stack([self.known[text] for text in texts])


SYSTEM: Final = """You lay out how a question is answered from numbered facts.
Name only facts that the answer needs. Put each line of reasoning as a chain of fact numbers, from what the question
itself names to what answers it: in a chain, each fact is used, then the next one. Facts that do not build on one
another stand in chains of their own, on the other hand. A fact may stand in several chains. When no fact helps, give
no chain."""
_CHAIN: Final = {"type": "array", "items": {"type": "integer", "minimum": 1}}
SCHEMA: Final[dict[str, Any]] = form(chains={"type": "array", "items": _CHAIN, "maxItems": 8})


def written(question: str, facts: Sequence[tuple[str, str]], talk: Talk) -> Flow[tuple[Edge, ...]]:
    """The graph that a language model lays out; empty where its reply is of no use.

    Section 5.4 has it written with "Then" between facts that follow one another and "On the other hand" between chains;
    here a chain is a list of numbers, which can be checked: a number of no fact is left out.
    """
    listed = "\n".join(f"{number}. {text}" for number, (_, text) in enumerate(facts, 1))
    try:
        data = yield from talk.told(f"Facts:\n{listed}\n\nQuestion: {question}", SCHEMA, system=SYSTEM)
    except Silence:
        return ()
    chains = [[facts[n - 1][0] for n in chain if 1 <= n <= len(facts)] for chain in (data or {"chains": []})["chains"]]
    edges = [edge for chain in chains for edge in zip([QUESTION, *chain], chain, strict=False)]
    return tuple(rooted(acyclic(edge for edge in edges if edge[0] != edge[1])))
