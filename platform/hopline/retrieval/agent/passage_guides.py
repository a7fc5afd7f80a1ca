"""Guides that choose the next passage on a path: TF-IDF, an encoder, or a language model (KGP, equation 1).

Departures: the configured language model is prompted, where the paper fine-tunes T5 and LLaMA
(`hopline.training.writer` trains a smaller one); the prompt is our own, and has the first `MAX_TRAIL_CHARACTERS`
characters of a path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, fetch, infer
from hopline.retrieval.agent.llm_session import TEXT, LlmSession, object_schema, to_one_line
from hopline.retrieval.agent.next_passage import encode_next_queries
from hopline.scoring.text_similarity import tfidf_cosines

Guide = Literal["text", "encoder", "mdr", "model", "writer"]
WritingGuide = Literal["model", "writer"]  # guides that write the next evidence
RankedIds = list[tuple[str, float]]  # ids with scores, best first, ties by id
PathCandidates = tuple[Sequence[str], Sequence[str]]  # texts of a path so far, and ids of its possible successors

SYSTEM: Final = """You help to find evidence for a question, one passage after another.
You see the question and the passages found so far. Write one or two sentences as the next passage would say them:
name the person, place, work or date that is needed. If nothing more is needed, repeat the sentence that answers."""
MAX_TRAIL_CHARACTERS: Final = 6000  # of the passages so far


def rank_candidates(
    guide: Guide, session: LlmSession, question: str, paths: Sequence[PathCandidates], texts: Mapping[str, str]
) -> Flow[list[RankedIds]]:
    """Rank the candidates of each path by how well they continue it, all paths at once.

    A guide that writes the next evidence falls back to the question if its text cannot be used.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
        UsageError: the guide was not trained on this machine; names the command that trains it.
    """
    if guide in ("encoder", "mdr"):
        return (yield from _rank_with_encoder(question, paths, trained=guide == "mdr"))
    queries = [question] * len(paths)
    if guide in ("model", "writer"):
        written = yield from write_next_evidence(guide, session, question, [trail for trail, _ in paths])
        queries = [text or question for text in written]
    rankings = []
    for query, (_, candidates) in zip(queries, paths, strict=True):
        cosines = tfidf_cosines(query, [texts[id] for id in candidates]) if candidates else []
        rankings.append(_sort_by_fit(candidates, cosines))
    return rankings


def write_next_evidence(
    by: WritingGuide, session: LlmSession, question: str, trails: Sequence[Sequence[str]]
) -> Flow[list[str]]:
    """Let a model write the passage that should follow each trail; "" if its reply cannot be used.

    ``writer`` is the local model of ``hopline train writer``, ``model`` the configured language model.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
        UsageError: the writer was not trained on this machine; names the command that trains it.
    """
    if by == "writer":
        texts: list[str] = yield infer("writer", question=question, trails=[list(trail) for trail in trails])
        return texts
    prompts = [
        f"Question: {question}\n\nFound so far:\n{quote_text(_join_trail(trail))}\n\nWhat evidence is needed next?"
        for trail in trails
    ]
    replies = yield from session.ask_all(prompts, object_schema(evidence=TEXT), system=SYSTEM)
    return [to_one_line(data["evidence"]) if data else "" for data in replies]


def _rank_with_encoder(question: str, paths: Sequence[PathCandidates], *, trained: bool) -> Flow[list[RankedIds]]:
    queries = yield from encode_next_queries(
        [f"{question} {_join_trail(trail)}" for trail, _ in paths], trained=trained
    )
    columns = yield fetch("retrieval/vectors", ids=list({id: None for _, candidates in paths for id in candidates}))
    vectors = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    rankings = []
    for query, (_, candidates) in zip(queries, paths, strict=True):
        embedded = [id for id in candidates if id in vectors]
        rankings.append(_sort_by_fit(embedded, [float(vectors[id] @ query) for id in embedded]))
    return rankings


def _sort_by_fit(ids: Sequence[str], scores: Sequence[float]) -> RankedIds:
    return sorted(zip(ids, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))


def _join_trail(trail: Sequence[str]) -> str:
    return "\n\n".join(trail)[:MAX_TRAIL_CHARACTERS]
