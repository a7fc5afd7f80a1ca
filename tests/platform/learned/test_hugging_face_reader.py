from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForQuestionAnswering, BertTokenizer

from hopline.errors import UsageError
from hopline.learned.hugging_face_reader import load_hugging_face_reader
from hopline.learned.registry import ModelRegistry

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "who", "built", "it", "?", "ada", "quist", ".", "the", "mill", ":"]


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory) -> Path:
    """A model with random weights that prefers the token "ada" as start and "quist" as end."""
    folder = tmp_path_factory.mktemp("qa")
    BertTokenizer(vocab={word: n for n, word in enumerate(WORDS)}).save_pretrained(folder)
    torch.manual_seed(1)
    size = len(WORDS)
    config = BertConfig(
        vocab_size=size, hidden_size=size, num_hidden_layers=0, num_attention_heads=1, intermediate_size=4
    )
    model = BertForQuestionAnswering(config)
    with torch.no_grad():
        embeddings = model.bert.embeddings
        embeddings.word_embeddings.weight.copy_(torch.eye(size))
        embeddings.position_embeddings.weight.zero_()
        embeddings.token_type_embeddings.weight.zero_()
        model.qa_outputs.weight.zero_()
        model.qa_outputs.bias.zero_()
        model.qa_outputs.weight[0, WORDS.index("ada")] = 5
        model.qa_outputs.weight[1, WORDS.index("quist")] = 5
    model.save_pretrained(folder)
    return folder


def test_a_model_of_a_folder_finds_spans_in_the_text_and_not_in_the_header(model_folder: Path) -> None:
    reader = load_hugging_face_reader(str(model_folder))
    text = "The mill. Ada Quist built it."
    rows = reader(question="Who built it?", passages=[["Ada Quist", text], ["", "the mill"], ["", ""]])
    assert rows.shape == (3, 6)
    start, end, margin = rows[0, :3]
    assert text[int(start) : int(end)] == "Ada Quist"
    assert margin > 5 > abs(rows[1, 2])
    assert rows[2, 2] == -1e4


def test_the_registry_loads_the_reader_of_the_setting_once(model_folder: Path, tmp_path: Path) -> None:
    registry = ModelRegistry(tmp_path, reader=str(model_folder))
    inputs = {"question": "Who built it?", "passages": [["", "ada quist built it"]]}
    assert np.array_equal(registry.infer("reader", inputs), registry.infer("reader", inputs))


def test_a_name_that_is_no_model_is_refused_with_what_works(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="wanted `minilm`, `none`, or a question answering model by name or folder"):
        load_hugging_face_reader(str(tmp_path / "absent"))
