"""The parser is loaded in a process of its own, where nothing else is yet."""

import subprocess
import sys

LOADED = """
import gc, sys
from hopline.text.parser import load_question_parser
parser = load_question_parser()
assert [token.text for token in parser("Maud founded it.") if token.dep_ == "ROOT"] == ["founded"]
assert "torch" not in sys.modules
assert gc.get_freeze_count() == 0
import torch
assert torch.ones(2).sum() == 2
"""


def test_loading_the_parser_does_not_import_torch_or_freeze_objects():
    subprocess.run([sys.executable, "-c", LOADED], check=True, timeout=120)
