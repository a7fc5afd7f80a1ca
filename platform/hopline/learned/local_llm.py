"""A small local causal language model with LoRA adapters on the query and value projections.

Loaded from a transformers folder or one GGUF file. Its input are texts and, optionally, soft tokens in front of them
(`hopline.learned.graph_llm`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hopline.errors import UsageError

MAX_PROMPT_TOKENS: Final = 700  # of a longer prompt the middle is cut out
RANK: Final = 8
IGNORED_LABEL: Final = -100  # the label of a token that does not count in the loss

LabelledTokens = tuple[Tensor, Tensor]  # embedded tokens (t, width), and their labels (t,)


class LocalLlm(nn.Module):
    """A language model of which only the LoRA adapters are trained."""

    def __init__(self, base: Path, *, rank: int = RANK) -> None:
        """Load the model at ``base`` with newly initialised adapters, which change nothing.

        Raises:
            UsageError: as `load_base_model`.
        """
        super().__init__()
        base_model, self.tokenizer = load_base_model(base)
        from peft import LoraConfig, get_peft_model

        lora = LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.05, target_modules=["q_proj", "v_proj"])
        self.llm = get_peft_model(base_model, lora)

    @property
    def width(self) -> int:
        """The length of the vector of one token."""
        return int(self.llm.get_input_embeddings().embedding_dim)

    def embed_prompt(self, prompt: str, label: str = "", *, soft: Tensor | None = None) -> LabelledTokens:
        """Embed a prompt, with ``soft`` tokens (s, width) after its first token, and its ``label`` if it has one."""
        prompt_ids = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        if len(prompt_ids) > MAX_PROMPT_TOKENS:
            prompt_ids = [*prompt_ids[: MAX_PROMPT_TOKENS // 2], *prompt_ids[-MAX_PROMPT_TOKENS // 2 :]]
        label_ids = self.tokenizer(f" {label}", add_special_tokens=False)["input_ids"] if label else []
        label_ids += [self.tokenizer.eos_token_id] if label else []
        embedding = self.llm.get_input_embeddings()
        device = embedding.weight.device
        start, rest = ([self.tokenizer.bos_token_id], [*prompt_ids, *label_ids])
        parts = [embedding(torch.tensor(part, device=device)) for part in (start, rest)]
        parts = [parts[0], parts[1]] if soft is None else [parts[0], soft, parts[1]]
        embedded = torch.cat(parts)
        ignored = [IGNORED_LABEL] * (len(embedded) - len(label_ids))
        return embedded, torch.tensor(ignored + label_ids, device=device)

    def compute_batch_loss(self, rows: Sequence[LabelledTokens]) -> Tensor:
        """The cross-entropy of the label tokens, over a batch of rows."""
        lengths = torch.tensor([len(embedded) for embedded, _ in rows])
        longest = int(lengths.max())
        embedded = torch.stack([nn.functional.pad(vectors, (0, 0, 0, longest - len(vectors))) for vectors, _ in rows])
        labels = torch.stack(
            [nn.functional.pad(label, (0, longest - len(label)), value=IGNORED_LABEL) for _, label in rows]
        )
        mask = (torch.arange(longest) < lengths[:, None]).long().to(embedded.device)
        loss: Tensor = self.llm(inputs_embeds=embedded, attention_mask=mask, labels=labels).loss
        return loss

    def generate(self, embedded: Tensor, *, max_tokens: int) -> str:
        """Continue a prompt greedily: one line of at most ``max_tokens`` tokens."""
        with torch.inference_mode():
            tokens = self.llm.generate(  # type: ignore[no-untyped-call]
                inputs_embeds=embedded[None], attention_mask=embedded.new_ones(1, len(embedded), dtype=torch.long),
                max_new_tokens=max_tokens, do_sample=False, pad_token_id=self.tokenizer.eos_token_id,
            )  # fmt: skip
        text: str = self.tokenizer.decode(tokens[0], skip_special_tokens=True)
        return text.strip().split("\n")[0].strip()

    def get_trainable_parameters(self) -> dict[str, NDArray[Any]]:
        """Return the trainable parameters, by name."""
        return {name: value.detach().cpu().numpy() for name, value in self.named_parameters() if value.requires_grad}

    def load_parameters(self, tensors: Mapping[str, NDArray[Any]], folder: Path) -> None:
        """Load trained parameters; ``folder`` is where they come from, for the error message.

        Raises:
            UsageError: they belong to another model.
        """
        state = {name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}
        mismatch = self.load_state_dict(state, strict=False)
        missing = {name for name, value in self.named_parameters() if value.requires_grad} & {*mismatch.missing_keys}
        if unexpected := sorted({*mismatch.unexpected_keys, *missing}):
            raise UsageError(
                f"{folder}: these weights do not belong to this model ({', '.join(unexpected[:3])}); train it again"
            )
        self.eval()


def load_base_model(base: Path) -> tuple[Any, Any]:
    """Load a causal language model and its tokenizer from a transformers folder or one GGUF file.

    Raises:
        UsageError: there is no model, or the packages that load it are not installed.
    """
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        folder, options = (base.parent, {"gguf_file": base.name}) if base.is_file() else (base, {})
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **options)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32, **options)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(
            f"no language model can be loaded from {base}: wanted a transformers folder or a .gguf file ({error})"
        ) from error
    if tokenizer.bos_token_id is None:
        tokenizer.bos_token = tokenizer.eos_token
    return model, tokenizer
