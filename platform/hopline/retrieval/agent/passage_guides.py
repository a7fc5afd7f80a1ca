"""Who says what comes next on a path of passages: words, an encoder, or a model (KGP, equation 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np

from hopline.flow.requests import Flow, fetch, infer
from hopline.retrieval.agent.llm_session import TEXT, Talk, form, one_line
from hopline.retrieval.agent.next_passage import next_vectors
from hopline.scoring.text_similarity import tfidf_cosines

Guide = Literal["text", "encoder", "mdr", "model", "writer"]
Writing = Literal["model", "writer"]  # guides that write the next evidence
Fits = list[tuple[str, float]]  # ids with how well each fits, best first, ties by id
Asked = tuple[Sequence[str], Sequence[str]]  # the texts of a path so far, and the ids that may follow

SYSTEM: Final = """You help to find evidence for a question, one passage after another.
You see the question and the passages found so far. Write one or two sentences as the next passage would say them:
name the person, place, work or date that is needed. If nothing more is needed, repeat the sentence that answers."""
TRAIL: Final = 6000  # characters of the passages so far


def chosen(
    guide: Guide, talk: Talk, question: str, asked: Sequence[Asked], texts: Mapping[str, str]
) -> Flow[list[Fits]]:
    """For each path its candidates by how well each follows it, all paths at once.

    A guide that writes falls back to the question's words where what it writes is of no use.

    Raises:
        Silence: as `Talk.told`.
        UsageError: the guide was not trained on this machine; says how to.
    """
    if guide in ("encoder", "mdr"):
        return (yield from _by_encoder(question, asked, trained=guide == "mdr"))
    wanted = [question] * len(asked)
    if guide in ("model", "writer"):
        written = yield from next_evidence(guide, talk, question, [trail for trail, _ in asked])
        wanted = [text or question for text in written]
    fits = []
    for text, (_, candidates) in zip(wanted, asked, strict=True):
        cosines = tfidf_cosines(text, [texts[id] for id in candidates]) if candidates else []
        fits.append(_sorted(candidates, cosines))
    return fits


def next_evidence(by: Writing, talk: Talk, question: str, trails: Sequence[Sequence[str]]) -> Flow[list[str]]:
    """What the passage behind each trail should say, in the words of a model; "" where they are of no use.

    ``writer`` is the local one that ``hopline train writer`` taught, ``model`` the one that is configured.

    Raises:
        Silence: as `Talk.told`.
        UsageError: the writer was not trained on this machine; says how to.
    """
    if by == "writer":
        said: list[str] = yield infer("writer", question=question, trails=[list(trail) for trail in trails])
        return said
    prompts = [
        f"Question: {question}\n\nFound so far:\n{_text(trail)}\n\nWhat evidence is needed next?" for trail in trails
    ]
    replies = yield from talk.told_all(prompts, form(evidence=TEXT), system=SYSTEM)
    return [one_line(data["evidence"]) if data else "" for data in replies]


def _by_encoder(question: str, asked: Sequence[Asked], *, trained: bool) -> Flow[list[Fits]]:
    queries = yield from next_vectors([f"{question} {_text(trail)}" for trail, _ in asked], trained=trained)
    columns = yield fetch("read/vectors", ids=list({id: None for _, candidates in asked for id in candidates}))
    vectors = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    fits = []
    for query, (_, candidates) in zip(queries, asked, strict=True):
        there = [id for id in candidates if id in vectors]
        fits.append(_sorted(there, [float(vectors[id] @ query) for id in there]))
    return fits


def _sorted(ids: Sequence[str], fits: Sequence[float]) -> Fits:
    return sorted(zip(ids, fits, strict=True), key=lambda pair: (-pair[1], pair[0]))


def _text(trail: Sequence[str]) -> str:
    return "\n\n".join(trail)[:TRAIL]
