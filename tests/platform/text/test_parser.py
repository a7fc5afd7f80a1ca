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


AT_ONCE = """
import threading
from hopline.text.parser import load_question_parser, load_stop_words
start, failures = threading.Barrier(2), []
def run(load):
    start.wait()
    try:
        load()
    except ImportError as error:
        failures.append(error)
threads = [threading.Thread(target=run, args=(load,)) for load in (load_question_parser, lambda: load_stop_words("en"))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
"""


def test_two_threads_may_load_it_and_its_stop_words_at_once():
    """The first question comes while a service or the page loads the models in the background."""
    subprocess.run([sys.executable, "-c", AT_ONCE], check=True, timeout=120)
