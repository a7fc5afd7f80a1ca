"""Registry of trained models: looked up by name, loaded at the first use.

    cell_selector  question, texts (header, text) -> float64 (13 + n,): probabilities of operations, logits of texts
    graph_hop   direction, question, facts, paths -> float32 (paths, facts): the probability that each fact comes next
    graph_hop   output="gamma" -> float: the agreement above which its forward and backward graphs are joined
    graph_llm   task, question, rounds, merged=False -> text: the reply of a small language model with graph input
    reader      question, passages (header, text) -> float64 (n, 6): the span and scores of each (`Reading`)
    name_tagger sentences (words) -> for each the names with their types (`TaggedSentence`)
    mdr         texts -> float32 (n, 384), unit rows: the predicted vector of the passage that follows these texts
    verifier    claims (question, answer, header, text) -> float64 (n, 3): the logits of `LABELS` of its network
    writer      question, trails -> texts: the predicted beginning of the passage after each trail of passages
    themes/…    vectors (n, d), expected=False -> float32 (n, topics), unit rows: the topics of texts

There may be several topic classifiers, each with its own name after the slash. Weights are looked up in the home
folder, where ``hopline train`` writes them, and then among the bundled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from hopline.errors import UnknownName, UsageError
from hopline.flow.services import Models
from hopline.learned.weight_files import CARD_FILE

Model = Callable[..., Any]
TRAINED_READER: Final = "minilm"
BUNDLED: Final = Path(__file__).resolve().parent / "weights"


def _load_cell_selector(folder: Path) -> Model:
    from hopline.learned.cell_selector import load_cell_selector

    return load_cell_selector(folder)


def _load_graph_hop(folder: Path) -> Model:
    from hopline.learned.graph_hop import TrainedGraphHop

    return TrainedGraphHop.load(folder)


def _load_graph_llm(folder: Path) -> Model:
    from hopline.learned.graph_llm import load_graph_llm

    return load_graph_llm(folder)


def _load_mdr(folder: Path) -> Model:
    from hopline.learned.mdr import load_mdr

    return load_mdr(folder)


def _load_name_tagger(folder: Path) -> Model:
    from hopline.learned.name_tagger import load_name_tagger

    return load_name_tagger(folder).tag


def _load_reader(folder: Path) -> Model:
    from hopline.learned.reader import load_reader

    return load_reader(folder)


def _load_topics(folder: Path) -> Model:
    from hopline.learned.topic_classifier import load_topic_classifier

    return load_topic_classifier(folder)


def _load_verifier(folder: Path) -> Model:
    from hopline.learned.verifier import load_verifier

    return load_verifier(folder)


def _load_writer(folder: Path) -> Model:
    from hopline.learned.writer import load_writer

    return load_writer(folder)


LOADERS: Final[Mapping[str, Callable[[Path], Model]]] = {
    "cell_selector": _load_cell_selector,
    "graph_hop": _load_graph_hop,
    "graph_llm": _load_graph_llm,
    "name_tagger": _load_name_tagger,
    "mdr": _load_mdr,
    "reader": _load_reader,
    "themes": _load_topics,
    "verifier": _load_verifier,
    "writer": _load_writer,
}
TRAIN_COMMANDS: Final = {
    "cell_selector": "python scripts/train_cell_selector.py TABLE_DATA WIKI_DATA OUTPUT",
    "graph_hop": "hopline train graph_hop TREES.jsonl",
    "graph_llm": "hopline train graph_llm QUESTIONS.jsonl -c COLLECTION --base MODEL",
    "mdr": "hopline train mdr QUESTIONS.jsonl -c COLLECTION",
    "name_tagger": "python scripts/train_name_tagger.py NAMES QUESTIONS OUTPUT",
    "reader": "hopline train reader FILES",
    "themes": "hopline topics -c COLLECTION",
    "verifier": "python scripts/train_verifier.py READER_DATA TABLE_DATA CLAIMS OUTPUT",
    "writer": "hopline train writer QUESTIONS.jsonl -c COLLECTION --base MODEL",
}


class ModelRegistry(Models):
    """The models whose weights are in a folder of the same name under ``home``, or are bundled."""

    def __init__(self, home: Path, *, reader: str = TRAINED_READER) -> None:
        """``reader``: `TRAINED_READER`, or the name or folder of a question answering model of Hugging Face."""
        self._home = home
        self._reader = reader
        self._lock = Lock()
        self._loaded: dict[str, tuple[float, Model]] = {}

    def infer(self, part: str, inputs: Mapping[str, Any]) -> Any:
        """Return the output of a model for ``inputs``; one call at a time.

        Raises:
            UnknownName: no such model.
            UsageError: the model was not trained on this machine; names the command that trains it.
        """
        with self._lock:
            return self._get_model(part)(**inputs)

    @property
    def has_loaded_reader(self) -> bool:
        """Whether the reader is in memory."""
        return ("reader" if self._reader == TRAINED_READER else self._reader) in self._loaded

    def _get_model(self, name: str) -> Model:
        """Return a model, loaded again if its weights are newer than those in memory."""
        kind = _model_kind(name)
        if kind not in LOADERS:
            raise UnknownName("trained model", name, LOADERS)
        if name == "reader" and self._reader != TRAINED_READER:
            return self._get_named_reader()
        folder = self.folder(name)
        modified = (folder / CARD_FILE).stat().st_mtime
        if name not in self._loaded or self._loaded[name][0] != modified:
            self._loaded[name] = (modified, LOADERS[kind](folder))
        return self._loaded[name][1]

    def _get_named_reader(self) -> Model:
        from hopline.learned.hugging_face_reader import load_hugging_face_reader

        if self._reader not in self._loaded:
            self._loaded[self._reader] = (0.0, load_hugging_face_reader(self._reader))
        return self._loaded[self._reader][1]

    def folder(self, name: str) -> Path:
        """Find the folder with the weights of a model.

        Raises:
            UsageError: there is none; names the command that trains the model.
        """
        for folder in (self._home / name, BUNDLED / name):
            if (folder / CARD_FILE).exists():
                return folder
        raise UsageError(
            f"{name} has not been trained on this machine; train it with: {TRAIN_COMMANDS[_model_kind(name)]}"
        )


def _model_kind(name: str) -> str:
    """Return the kind of a model: its name up to the first slash."""
    return name.split("/", maxsplit=1)[0]
