"""The parser is loaded in a process of its own, where nothing else is yet."""

import subprocess
import sys

LOADED = """
import sys
from hopline.nlp.parser import load_parser
parser = load_parser(exclude=["ner", "lemmatizer"])
assert [token.text for token in parser("Maud founded it.") if token.dep_ == "ROOT"] == ["founded"]
assert "torch" not in sys.modules
import torch
assert torch.ones(2).sum() == 2
"""


def test_loading_the_parser_does_not_import_torch():
    subprocess.run([sys.executable, "-c", LOADED], check=True, timeout=120)
