"""Bidirectional search for evidence graphs: the search of Graph-Hop.

Graph-Hop (Zhu et al. 2024), section 4.1: a forward search from the question to the evidence that answers it, and a
backward search from that evidence to the question. For each path, every evidence is accepted or rejected as its
successor, until no path has a successor. Neither direction reads the answer.

The search is breadth first, with one request per level, where the paper's is depth first. Both find the same edges
while there are fewer than `MAX_EDGES` of them and a level has no more than `MAX_PATHS` paths; beyond that, evidence
near the question is retained, where depth first retains what follows the most probable path. As in the released code, a
fact occurs at most once on a path. The prompt of the language model is our own, without the paper's five worked graphs,
and takes at most eight chains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, embed, infer
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession, object_schema
from hopline.scoring.evidence_graph import (
    GAMMA,
    QUESTION,
    Direction,
    Edge,
    MergeRule,
    attach_to_question,
    merge_graphs,
    remove_cycles,
)

Floats = NDArray[np.float32]
Path = tuple[int, ...]  # indices of facts, in the order in which they were found
# probabilities (paths, facts), in [0, 1]
FollowScorer = Callable[[Direction, str, Sequence[str], Sequence[Path]], Flow[Floats]]

PART: Final = "graph_hop"  # the trained network
MAX_EDGES: Final = 25
MAX_PATHS: Final = 40  # paths of one level
THRESHOLD: Final = 0.5  # probability from which an evidence follows a path

# of `SimilarityScorer`, chosen on a third of EntailmentBank's train questions (task 2)
MIN_SIMILARITY: Final = 0.45  # of a path and an evidence that follows it
MARGIN: Final = 0.1  # similarity that an evidence may be below the most similar one
PATH_WEIGHT: Final = 0.5  # weight of the evidence on the path relative to the question
SHARPNESS: Final = 40.0  # slope of the probability; does not change which evidence follows


@dataclass(frozen=True, slots=True)
class BidirectionalGraphs:
    """The graphs of both directions and their merged graph; edges are pairs of fact ids."""

    forward: tuple[Edge, ...]
    backward: tuple[Edge, ...]
    merged: tuple[Edge, ...]


FollowMethod = Literal["likeness", "network", "model"]
MergeOption = Literal[MergeRule, "usual"]


def build_evidence_graph(
    question: str,
    facts: Sequence[tuple[str, str]],
    *,
    follows: FollowMethod,
    rule: MergeOption = "usual",
    gamma: float | None = None,
    known: Mapping[str, Floats] | None = None,
) -> Flow[tuple[Edge, ...]]:
    """Build the evidence graph over ``facts`` (id, text), by bidirectional search or by a language model.

    The ``rule`` "usual" is equation 2, except for ``follows="likeness"``: untrained, both directions begin at the same
    evidence, so that the backward graph would be the reversed forward graph, and the forward graph alone is returned.
    Without ``gamma``, that of the training is used with the trained network, and else `GAMMA`.
    ``known`` maps texts to vectors of unit length that `SimilarityScorer` then need not compute.

    Raises:
        UsageError: the network was not trained on this machine; names the command that trains it.
        ModelUnavailable: no language model is configured, or it never replied.
    """
    if follows == "model":
        return (yield from write_graph_with_llm(question, facts, LlmSession()))
    scorer = score_with_network if follows == "network" else SimilarityScorer(known=dict(known or {}))
    if rule == "forward" or (rule == "usual" and follows == "likeness"):
        return (yield from search_direction(question, facts, scorer, "forward"))
    merge_rule = "equation" if rule == "usual" else rule
    if gamma is None:
        gamma = (yield infer(PART, output="gamma")) if follows == "network" else GAMMA
    return (yield from search_both_directions(question, facts, scorer, rule=merge_rule, gamma=gamma)).merged


def search_both_directions(
    question: str, facts: Sequence[tuple[str, str]], follows: FollowScorer, *, rule: MergeRule, gamma: float
) -> Flow[BidirectionalGraphs]:
    """Search the evidence graphs of both directions over ``facts`` (id, text), and merge them."""
    forward = yield from search_direction(question, facts, follows, "forward")
    backward = yield from search_direction(question, facts, follows, "backward")
    return BidirectionalGraphs(forward, backward, tuple(merge_graphs(forward, backward, rule=rule, gamma=gamma)))


def search_direction(
    question: str, facts: Sequence[tuple[str, str]], follows: FollowScorer, direction: Direction
) -> Flow[tuple[Edge, ...]]:
    """Search the evidence graph of one direction; it is acyclic and rooted at the question."""
    ids, texts = [id for id, _ in facts], [text for _, text in facts]
    edges: dict[tuple[int, int], None] = {}  # source and target in search order; -1 is the question
    ends: list[int] = []
    frontier: list[Path] = [()]
    while frontier and texts:
        probabilities = yield from follows(direction, question, texts, frontier)
        longer: list[Path] = []
        for path, row in zip(frontier, probabilities, strict=True):
            if len(edges) >= MAX_EDGES:
                break
            for fact in _select_following(row, path):
                edges |= dict.fromkeys([(path[-1] if path else -1, fact)])
                ends += [fact] if not path else []
                longer.append((*path, fact))
        frontier = longer[:MAX_PATHS]
    return _to_evidence_edges(list(edges), ends, ids, direction)


def _select_following(row: Floats, path: Path) -> list[int]:
    """Return the facts that follow a path, most probable first."""
    order = np.argsort(-row, kind="stable")
    return [int(fact) for fact in order if row[fact] >= THRESHOLD and fact not in path]


def _to_evidence_edges(
    edges: Sequence[tuple[int, int]], ends: Sequence[int], ids: Sequence[str], direction: Direction
) -> tuple[Edge, ...]:
    """Convert edges to ids; backward edges are reversed, and evidence without predecessor follows the question."""
    inner = [edge for edge in edges if edge[0] >= 0]
    if direction == "forward":
        first = [(QUESTION, ids[end]) for end in ends]
        return tuple(remove_cycles([*first, *((ids[a], ids[b]) for a, b in inner)]))
    reversed_edges = remove_cycles([(ids[b], ids[a]) for a, b in inner])
    return tuple(attach_to_question([*reversed_edges, *((QUESTION, ids[end]) for end in ends)]))


def score_with_network(
    direction: Direction, question: str, texts: Sequence[str], paths: Sequence[Path]
) -> Flow[Floats]:
    """Score successors with the trained network.

    Raises:
        UsageError: the network was not trained on this machine; names the command that trains it.
    """
    probabilities: Floats = yield infer(
        PART, direction=direction, question=question, facts=list(texts), paths=[list(path) for path in paths]
    )
    return probabilities


@dataclass(slots=True)
class SimilarityScorer:
    """Scores successors with the sentence encoder, untrained, in both directions alike.

    The evidence that is nearly as similar to a path as the most similar one follows it. A path is represented by the
    sum of the question and ``path_weight`` times its evidence. After the first hop an evidence must be more similar to
    the path than to the question alone: otherwise it was as near before. Use one instance per question: each text is
    embedded once. ``known`` maps texts to vectors.
    """

    margin: float = MARGIN
    min_similarity: float = MIN_SIMILARITY
    path_weight: float = PATH_WEIGHT
    known: dict[str, Floats] = field(default_factory=dict)

    def __call__(
        self, direction: Direction, question: str, texts: Sequence[str], paths: Sequence[Path]
    ) -> Flow[Floats]:
        """Return the probability (paths, texts) that a text follows a path; both directions are scored alike."""
        del direction
        facts = yield from self._embed(texts)
        [question_vector] = yield from self._embed([question])
        states = np.stack([question_vector + self.path_weight * facts[list(path)].sum(axis=0) for path in paths])
        similarity = states @ facts.T / np.linalg.norm(states, axis=1, keepdims=True)
        for row, path in zip(similarity, paths, strict=True):
            row[list(path)] = -1.0
            if path:
                row[row <= facts @ question_vector] = -1.0
        thresholds = np.maximum(similarity.max(axis=1, keepdims=True) - self.margin, self.min_similarity)
        return np.asarray(1.0 / (1.0 + np.exp(-SHARPNESS * (similarity - thresholds))), dtype=np.float32)

    def _embed(self, texts: Sequence[str]) -> Flow[Floats]:
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
SCHEMA: Final[dict[str, Any]] = object_schema(chains={"type": "array", "items": _CHAIN, "maxItems": 8})


def write_graph_with_llm(
    question: str, facts: Sequence[tuple[str, str]], session: LlmSession
) -> Flow[tuple[Edge, ...]]:
    """Ask a language model for the evidence graph; empty if its reply cannot be used.

    In section 5.4 the model writes "Then" between consecutive facts and "On the other hand" between chains. Here a
    chain is a list of fact numbers, which can be checked: invalid numbers are dropped.
    """
    listed = "\n".join(f"{number}. {quote_text(text)}" for number, (_, text) in enumerate(facts, 1))
    try:
        data = yield from session.ask(f"Facts:\n{listed}\n\nQuestion: {question}", SCHEMA, system=SYSTEM)
    except LlmExhausted:
        return ()
    chains = [[facts[n - 1][0] for n in chain if 1 <= n <= len(facts)] for chain in (data or {"chains": []})["chains"]]
    edges = [edge for chain in chains for edge in zip([QUESTION, *chain], chain, strict=False)]
    return tuple(attach_to_question(remove_cycles(edge for edge in edges if edge[0] != edge[1])))
