"""A collection has a name, wherever one is asked for."""

import inspect

import pytest

from hopline import Hopline
from hopline.errors import UsageError

BLANKS = ["", "  \t", None, 7, b"loans", "\ud800"]
TAKING = sorted(
    name
    for name, method in inspect.getmembers(Hopline, inspect.isfunction)
    if not name.startswith("_") and "collection" in inspect.signature(method).parameters
)
# What the methods need beside the collection, so that nothing else is wrong with the call.
GIVEN = {"paths": [], "question": "Who?", "questions": [], "text": "Halm", "to": "new", "graph": "entities",
         "strategies": ["bm25"], "what": "gnn", "name": "gone"}  # fmt: skip


def call(hop, name, collection):
    method = getattr(hop, name)
    parameters = inspect.signature(method).parameters.values()
    given = {one.name: GIVEN[one.name] for one in parameters if one.name in GIVEN and one.default is one.empty}
    return method(**given, collection=collection)


def test_the_methods_that_take_a_collection_are_found():
    assert {"add", "ask", "retrieve", "documents", "remove", "find", "themes"} <= set(TAKING)


@pytest.mark.parametrize("collection", BLANKS, ids=repr)
@pytest.mark.parametrize("name", TAKING)
def test_a_name_that_is_none_is_refused(hop, name, collection):
    with pytest.raises(UsageError, match="a collection"):
        call(hop, name, collection)


@pytest.mark.parametrize("to", BLANKS, ids=repr)
def test_a_collection_cannot_be_renamed_to_what_is_no_name(hop, to):
    with pytest.raises(UsageError, match="a collection"):
        hop.rename("default", to)
