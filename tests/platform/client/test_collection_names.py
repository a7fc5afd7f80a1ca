"""Every method that takes the name of a collection rejects what is not a name."""

import inspect
from typing import Any

import pytest

from hopline import Hopline
from hopline.corrections.service import CorrectionService
from hopline.documents.library import DocumentLibrary
from hopline.entities.resolution import EntityResolution
from hopline.errors import UnknownName, UsageError
from hopline.feedback.service import FeedbackService
from hopline.graph_explorer import GraphExplorer
from hopline.topics.service import TopicService
from hopline.training.service import TrainingService

PARTS = {
    "documents": DocumentLibrary,
    "entities": EntityResolution,
    "corrections": CorrectionService,
    "feedback": FeedbackService,
    "topics": TopicService,
    "graph": GraphExplorer,
    "training": TrainingService,
}
ARGUMENTS = {"question": "Who?", "id": "x", "questions": [], "ids": [], "text": "x", "texts": ["x"], "documents": [("a.txt", b"x")],
             "strategies": ["bm25"], "paths": [], "to": "other", "document": "x", "metadata": {},
             "name": "", "graph": "entities", "variant": "gnn", "folder": "/nowhere/export", "tokens": 100,
             "verdict": "right"}  # fmt: skip
BLANKS = ["", "  \t", None, 7, b"loans", "\ud800", "loans\x1b[31m"]


OTHER_METHODS = {"assign_card", "import_collection"}  # the second takes None, for the name in the folder


def methods_with_a_collection(kind: type) -> list[str]:
    return [
        name
        for name, function in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
        and "collection" in inspect.signature(function).parameters
        and name not in OTHER_METHODS
    ]


METHODS = [*methods_with_a_collection(Hopline)] + [
    f"{part}.{name}" for part, kind in PARTS.items() for name in methods_with_a_collection(kind)
]


def call(hop: Hopline, name: str, collection: object) -> None:
    method: Any = hop
    for attribute in name.split("."):
        method = getattr(method, attribute)
    required = [
        parameter.name
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is parameter.empty and parameter.name != "collection"
    ]
    method(**{argument: ARGUMENTS[argument] for argument in required}, collection=collection)


def test_the_methods_of_every_part_are_found():
    assert {"add", "ask", "retrieve", "documents.list", "documents.remove", "graph.find", "topics.list"} <= set(METHODS)


@pytest.mark.parametrize("collection", BLANKS, ids=repr)
@pytest.mark.parametrize("name", METHODS)
def test_a_value_that_is_not_a_name_is_rejected(hop, name, collection):
    with pytest.raises(UsageError, match="a collection"):
        call(hop, name, collection)


@pytest.mark.parametrize("to", BLANKS, ids=repr)
def test_a_collection_cannot_get_a_value_that_is_not_a_name(hop, to):
    with pytest.raises(UsageError, match="a collection"):
        hop.rename_collection("default", to)


ADDING = {"add", "add_texts", "add_documents"}
CREATING = {  # these also take the name of a new collection
    *ADDING,
    *(f"documents.{name}" for name in ADDING),
    "estimate",
    "documents.estimate",
}


@pytest.mark.parametrize("name", [name for name in METHODS if name not in CREATING])
def test_an_unknown_collection_is_reported_with_the_known_ones(hop, corpus, name):
    with pytest.raises(UnknownName, match=r"no collection called 'nowhere'; there are: .*orre"):
        call(hop, name, "nowhere")
