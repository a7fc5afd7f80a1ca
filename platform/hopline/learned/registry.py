"""The networks that are trained here, found by name, read when they are first asked.

    graph_hop   way, question, facts, paths -> float32 (paths, facts): the chance that each fact comes next
    graph_llm   task, question, rounds, merged=False -> text: what a small language model that sees graphs replies
    mdr         texts -> float32 (n, 384), unit length: where the passage that follows these texts should be
    writer      question, trails -> texts: what should be found behind each trail of passages
    themes/…    vectors (n, d), expected=False -> float32 (n, themes), unit length: what texts are about

Of themes there are several, each with a name of its own behind the stroke. Weights are looked for in the home folder,
where ``hopline train`` puts them, and then among those that are shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from hopline.errors import UnknownName, UsageError
from hopline.flow.services import Parts
from hopline.learned.weight_files import CARD

Part = Callable[..., Any]
SHIPPED: Final = Path(__file__).resolve().parent / "weights"


def _graph_hop(folder: Path) -> Part:
    from hopline.learned.graph_hop import GraphHop

    return GraphHop.load(folder)


def _graph_llm(folder: Path) -> Part:
    from hopline.learned.graph_llm import load_graph_llm

    return load_graph_llm(folder)


def _mdr(folder: Path) -> Part:
    from hopline.learned.mdr import load_mdr

    return load_mdr(folder)


def _themes(folder: Path) -> Part:
    from hopline.learned.topic_classifier import load_themes

    return load_themes(folder)


def _writer(folder: Path) -> Part:
    from hopline.learned.writer import load_writer

    return load_writer(folder)


LOADERS: Final[Mapping[str, Callable[[Path], Part]]] = {
    "graph_hop": _graph_hop,
    "graph_llm": _graph_llm,
    "mdr": _mdr,
    "themes": _themes,
    "writer": _writer,
}
TAUGHT_BY: Final = {
    "graph_hop": "hopline train graph_hop TREES.jsonl",
    "graph_llm": "hopline train graph_llm QUESTIONS.jsonl -c COLLECTION --base MODEL",
    "mdr": "hopline train mdr QUESTIONS.jsonl -c COLLECTION",
    "themes": "hopline themes -c COLLECTION",
    "writer": "hopline train writer QUESTIONS.jsonl -c COLLECTION --base MODEL",
}


class LearnedParts(Parts):
    """The parts whose weights are in a folder of their own name under ``home``, or are shipped."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = Lock()
        self._read: dict[str, tuple[float, Part]] = {}

    def infer(self, part: str, inputs: Mapping[str, Any]) -> Any:
        """What the part makes of its inputs; one at a time.

        Raises:
            UnknownName: no such part.
            UsageError: it was not trained on this machine; says how to.
        """
        with self._lock:
            return self._part(part)(**inputs)

    def _part(self, name: str) -> Part:
        """The part, read again where its weights are newer than those in memory."""
        kind = _kind(name)
        if kind not in LOADERS:
            raise UnknownName("trained part", name, LOADERS)
        folder = self.folder(name)
        written = (folder / CARD).stat().st_mtime
        if name not in self._read or self._read[name][0] != written:
            self._read[name] = (written, LOADERS[kind](folder))
        return self._read[name][1]

    def folder(self, name: str) -> Path:
        """Where the weights of a part are.

        Raises:
            UsageError: nowhere; says how to make them.
        """
        for folder in (self._home / name, SHIPPED / name):
            if (folder / CARD).exists():
                return folder
        raise UsageError(f"{name} was not trained on this machine yet; {TAUGHT_BY[_kind(name)]} does it")


def _kind(name: str) -> str:
    """The part that a name begins with: what stands behind a stroke says which of several."""
    return name.split("/", maxsplit=1)[0]
