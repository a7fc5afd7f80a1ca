"""Embeddings from an OpenAI-compatible endpoint, by the real client."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scripted import Body, Turn, serve

from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
from hopline.embeddings.openai_embedder import BATCH, OpenAIEmbedder
from hopline.errors import ModelUnavailable
from hopline.llm.endpoint import Endpoint
from hopline.llm.retries import RateLimiter


def vectors(body: Body, number: int) -> Turn:
    """Each text's vector is its length and one; rows come last first."""
    rows = [
        {"object": "embedding", "index": n, "embedding": [len(text), 1.0, 0.0]} for n, text in enumerate(body["input"])
    ]
    return Turn(
        json.dumps(
            {"object": "list", "model": "e", "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        )
    )


def test_rows_come_in_the_order_of_the_texts_with_unit_length() -> None:
    with serve(vectors) as server:
        embedder = OpenAIEmbedder("e", "e", Endpoint(server.url))
        texts = ["x" * n for n in range(1, BATCH + 40)]
        rows = embedder.embed(texts)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1)
        assert np.allclose(rows[:, 0] / rows[:, 1], range(1, BATCH + 40))
        assert [len(body["input"]) for body in server.requests] == [BATCH, 39]
        embedder.close()


def test_the_dimension_is_requested_once_and_an_empty_text_is_sent_as_a_period() -> None:
    with serve(vectors) as server:
        embedder = OpenAIEmbedder("e", "e", Endpoint(server.url))
        assert (embedder.dimension, embedder.dimension, embedder.embed([]).shape) == (3, 3, (0, 3))
        assert embedder.embed([""]).shape == (1, 3)
        assert [body["input"] for body in server.requests] == [["dimension"], ["."]]
        embedder.close()


def test_a_temporary_failure_is_retried() -> None:
    with serve(lambda body, number: vectors(body, 0) if number else Turn(status=503)) as server:
        embedder = OpenAIEmbedder("e", "e", Endpoint(server.url, limiter=RateLimiter(sleep=lambda seconds: None)))
        assert embedder.embed(["a"]).shape == (1, 3)
        assert len(server.requests) == 2
        embedder.close()


def test_an_endpoint_without_vectors_is_unavailable() -> None:
    few = Turn(
        json.dumps({"object": "list", "model": "e", "data": [], "usage": {"prompt_tokens": 1, "total_tokens": 1}})
    )
    for turn, words in ((Turn(status=404), "HTTP 404"), (few, "0 vectors for 1 texts")):
        with serve([turn]) as server:
            embedder = OpenAIEmbedder(
                "e", "e", Endpoint(server.url, limiter=RateLimiter(sleep=lambda seconds: None), retries=1)
            )
            with pytest.raises(ModelUnavailable, match=words):
                embedder.embed(["a"])
            embedder.close()


def test_settings_name_the_endpoint_and_the_property() -> None:
    with serve(vectors) as server:
        embedder = load_embedder(load_settings(embedder="openai:Text-Embed 3", openai_base_url=server.url))
        assert embedder.name == "text_embed_3"
        embedder.embed(["the same", "twice"])
        embedder.embed(["once"])
        embedder.embed(["once"])
        assert [body["model"] for body in server.requests] == ["Text-Embed 3"] * 2
