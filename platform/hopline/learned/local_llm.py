"""A small causal language model on this machine with low-rank changes of q and v: what is taught to write (LoRA).

Read from a folder of transformers or one file of GGUF. It takes texts, and where something else stands before them as
vectors (`hopline.learned.graph_llm`), those too.
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

LONGEST: Final = 700  # tokens of a prompt; the middle of a longer one is cut out
RANK: Final = 8
PASSED_OVER: Final = -100  # the label of a token that is not to be predicted

Row = tuple[Tensor, Tensor]  # embedded tokens (t, width), and what is to be predicted, (t,)


class LocalLLM(nn.Module):
    """A language model of which only the changes learn."""

    def __init__(self, base: Path, *, rank: int = RANK) -> None:
        """The model at ``base``, with changes of nothing.

        Raises:
            UsageError: as `load_base`.
        """
        super().__init__()
        plain, self.tokenizer = load_base(base)
        from peft import LoraConfig, get_peft_model

        lora = LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.05, target_modules=["q_proj", "v_proj"])
        self.llm = get_peft_model(plain, lora)

    @property
    def width(self) -> int:
        """Numbers in the vector of one token."""
        return int(self.llm.get_input_embeddings().embedding_dim)

    def row(self, prompt: str, label: str = "", *, soft: Tensor | None = None) -> Row:
        """A prompt, with ``soft`` (s, width) behind its opening token, and its ``label`` where it has one."""
        asked = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        asked = [*asked[: LONGEST // 2], *asked[-LONGEST // 2 :]] if len(asked) > LONGEST else asked
        wanted = self.tokenizer(f" {label}", add_special_tokens=False)["input_ids"] if label else []
        wanted += [self.tokenizer.eos_token_id] if label else []
        table = self.llm.get_input_embeddings()
        device = table.weight.device
        before, behind = ([self.tokenizer.bos_token_id], [*asked, *wanted])
        parts = [table(torch.tensor(part, device=device)) for part in (before, behind)]
        parts = [parts[0], parts[1]] if soft is None else [parts[0], soft, parts[1]]
        embedded = torch.cat(parts)
        unpredicted = [PASSED_OVER] * (len(embedded) - len(wanted))
        return embedded, torch.tensor(unpredicted + wanted, device=device)

    def loss_of(self, rows: Sequence[Row]) -> Tensor:
        """The cross-entropy of the labels' tokens, over some rows."""
        lengths = torch.tensor([len(embedded) for embedded, _ in rows])
        longest = int(lengths.max())
        embedded = torch.stack([nn.functional.pad(one, (0, 0, 0, longest - len(one))) for one, _ in rows])
        labels = torch.stack([nn.functional.pad(one, (0, longest - len(one)), value=PASSED_OVER) for _, one in rows])
        mask = (torch.arange(longest) < lengths[:, None]).long().to(embedded.device)
        loss: Tensor = self.llm(inputs_embeds=embedded, attention_mask=mask, labels=labels).loss
        return loss

    def written(self, embedded: Tensor, *, most: int) -> str:
        """What it writes behind a prompt, greedily: one line of at most so many tokens."""
        with torch.inference_mode():
            tokens = self.llm.generate(  # type: ignore[no-untyped-call]
                inputs_embeds=embedded[None], attention_mask=embedded.new_ones(1, len(embedded), dtype=torch.long),
                max_new_tokens=most, do_sample=False, pad_token_id=self.tokenizer.eos_token_id,
            )  # fmt: skip
        text: str = self.tokenizer.decode(tokens[0], skip_special_tokens=True)
        return text.strip().split("\n")[0].strip()

    def learned(self) -> dict[str, NDArray[Any]]:
        """The numbers that learn, by name."""
        return {name: one.detach().cpu().numpy() for name, one in self.named_parameters() if one.requires_grad}

    def take(self, tensors: Mapping[str, NDArray[Any]], folder: Path) -> None:
        """Take up what was learned, from the weights of a folder.

        Raises:
            UsageError: they are another model's.
        """
        given = {name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}
        missed = self.load_state_dict(given, strict=False)
        lacking = {name for name, value in self.named_parameters() if value.requires_grad} & {*missed.missing_keys}
        if odd := sorted({*missed.unexpected_keys, *lacking}):
            raise UsageError(
                f"{folder}: these weights are not those of this model ({', '.join(odd[:3])}); train it again"
            )
        self.eval()


def load_base(base: Path) -> tuple[Any, Any]:
    """A causal language model and its tokeniser from a folder of transformers, or one file of GGUF.

    Raises:
        UsageError: there is no model there, or the packages that read it are not installed.
    """
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        folder, own = (base.parent, {"gguf_file": base.name}) if base.is_file() else (base, {})
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **own)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32, **own)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(
            f"no language model can be read at {base}: wanted a folder of transformers or a .gguf file ({error})"
        ) from error
    if tokenizer.bos_token_id is None:
        tokenizer.bos_token = tokenizer.eos_token
    return model, tokenizer
