"""A question answering model of Hugging Face as the reader, by name or folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from hopline.embeddings.minilm import select_device
from hopline.errors import UsageError
from hopline.learned.reader import find_best_span
from hopline.learned.reader_network import SEPARATOR
from hopline.learned.reading import Reading

MAX_TOKENS: Final = 384


class HuggingFaceReader:
    """Reads passages with an extractive model of SQuAD 2.0's kind: its first token stands for "no answer".

    Such a model has no further heads: ``answered`` and ``yes`` of its readings are 0.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer

    def __call__(self, *, question: str, passages: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Read passages, each a header and a text; returns the fields of their readings, (n, 6)."""
        return np.array([astuple(self._read(question, header, text)) for header, text in passages]).reshape(-1, 6)

    def _read(self, question: str, header: str, text: str) -> Reading:
        prefix = f"{header}{SEPARATOR}" if header else ""
        pair = self._tokenizer(
            question,
            prefix + text,
            truncation="only_second",
            max_length=MAX_TOKENS,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = pair.pop("offset_mapping")[0].numpy() - len(prefix)
        in_text = np.array([part == 1 for part in pair.sequence_ids(0)]) & (offsets[:, 0] >= 0)
        with torch.inference_mode():
            output = self._model(**pair.to(self._model.device))
        start, end = (logits[0].float().cpu().numpy() for logits in (output.start_logits, output.end_logits))
        null = float(start[0] + end[0])
        first, last, best = find_best_span(np.where(in_text, start, -1e4), np.where(in_text, end, -1e4))
        if not in_text[first] or not in_text[last]:
            return Reading(0, 0, -1e4, 0.0, 0.0, 0)
        return Reading(int(offsets[first, 0]), int(offsets[last, 1]), best - null, 0.0, 0.0, int(offsets[first, 0]))


def load_hugging_face_reader(name: str) -> HuggingFaceReader:
    """Load a model for extractive question answering by its name or folder.

    Raises:
        UsageError: there is no such model, or it cannot be downloaded.
    """
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForQuestionAnswering.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"reader: wanted `minilm`, `none`, or a question answering model by name or folder; got {name!r}: "
            f"{str(error).splitlines()[0]}"
        ) from error
    return HuggingFaceReader(model.to(select_device()).eval(), tokenizer)
