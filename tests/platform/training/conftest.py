"""Networks are trained here."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Tests run side by side: threads of one would only wait for those of another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A causal language model of two narrow layers, untrained, with a tokenizer of words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("base")
    phrases = (
        "Say what the question still needs Answer in a few words Question Facts Reply Where is the bridge of was it"
    )
    towns = "Bergen Oslo Voss Narvik Hamar Molde"
    signs = "[ ] : . ? | ( ) NO_RETRIEVAL SUBQ SUFFICIENT near"
    words = f"{phrases} {towns} {signs}".split()
    vocabulary = {word: n for n, word in enumerate(["<unk>", "<s>", "</s>", *dict.fromkeys(words)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace()])
    special = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, bos_token_id=1, eos_token_id=2, tie_word_embeddings=True,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
