"""The fake client is held to the signatures of the real one."""

import inspect

import pytest

from hopline.client import Hopline
from hopline.corrections.service import CorrectionService
from hopline.documents.library import DocumentLibrary
from hopline.documents.progress import Batch
from hopline.entities.resolution import EntityResolution
from hopline.errors import EngineUnavailable, UnknownName
from hopline.evaluation.service import EvaluationService
from hopline.feedback.service import FeedbackService
from hopline.graph_explorer import GraphExplorer
from hopline.testing import FakeBatch, FakeHopline, FakeQuestion, make_answer, make_document
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
    "evaluation": EvaluationService,
}
SHORT_FORMS = {
    "add",
    "add_texts",
    "add_documents",
    "estimate",
    "remove",
    "explore",
    "same_names",
    "merge",
    "undo",
}  # they call the parts, also in the fake


def methods(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(inspect.unwrap(getattr(kind, name)))
        for name in dir(kind)
        if callable(getattr(kind, name)) and (not name.startswith("_") or name == "__call__")
    }


def parameters(signature: inspect.Signature) -> list[tuple[str, object, object]]:
    return [(parameter.name, parameter.kind, parameter.default) for parameter in signature.parameters.values()]


@pytest.mark.parametrize(
    ("real", "fake"), [(Hopline, FakeHopline), (Batch, FakeBatch)] + [(PARTS[name], None) for name in PARTS]
)
def test_every_public_method_is_there_with_the_same_parameters(real: type, fake: type | None) -> None:
    if fake is None:
        part = next(name for name, kind in PARTS.items() if kind is real)
        fake = type(getattr(FakeHopline(), part))
    expected, actual = methods(real), methods(fake)
    assert set(expected) <= set(actual)
    for name, signature in expected.items():
        assert parameters(actual[name]) == parameters(signature), name


@pytest.mark.parametrize("real", [Hopline, Batch, *PARTS.values()])
def test_no_public_method_of_the_real_one_is_inherited(real: type) -> None:
    hop = FakeHopline()
    fakes = {Hopline: FakeHopline, Batch: FakeBatch} | {kind: type(getattr(hop, name)) for name, kind in PARTS.items()}
    own = {name for kind in fakes[real].__mro__[: fakes[real].__mro__.index(real)] for name in vars(kind)}
    public = {name for name, member in vars(real).items() if not name.startswith("_") and callable(member)}
    assert public - own - SHORT_FORMS == set()


def test_every_part_of_the_real_client_has_a_fake() -> None:
    from functools import cached_property

    assert {name for name, member in vars(Hopline).items() if isinstance(member, cached_property)} == set(PARTS)


def test_calls_are_logged_with_all_arguments_by_name() -> None:
    hop = FakeHopline(documents={"loans": []}, answer=lambda request: make_answer(request, "42"))
    hop.ask("How many?", collection="loans", k=3)
    hop.documents.list("loans")
    assert [call.name for call in hop.state.calls] == ["ask", "documents.list"]
    arguments = hop.state.calls_of("ask")[0]
    assert (arguments["question"], arguments["k"], arguments["strategy"]) == ("How many?", 3, None)


def test_the_answer_has_a_citation_that_is_a_quote_of_its_evidence() -> None:
    answer = make_answer(FakeQuestion("Who?"), "Halcyon", document="a.pdf", page=3, passage="It was Halcyon, in 1970.")
    [citation] = answer.sentences[0].citations
    assert (citation.page, citation.evidence.text[citation.start : citation.end]) == (3, "Halcyon")


def test_an_error_that_is_set_is_raised_by_every_call() -> None:
    hop = FakeHopline(error=EngineUnavailable("the database does not answer"))
    for call in (hop.collections, hop.status, hop.documents.list, hop.graph.get_overview, lambda: hop.ask("Who?")):
        with pytest.raises(EngineUnavailable):
            call()


def test_added_files_wait_and_their_bytes_are_noted(tmp_path) -> None:
    (tmp_path / "a.txt").write_text("one")
    hop = FakeHopline()
    batch = hop.add(tmp_path / "a.txt", "notes")
    assert [(file.collection, file.name, file.data) for file in hop.state.added] == [("notes", "a.txt", b"one")]
    assert [document.state for document in hop.documents.list("notes")] == ["waiting"]
    assert batch.wait().progress().done


def test_unknown_collections_are_refused_as_by_the_real_client() -> None:
    hop = FakeHopline(documents={"loans": [make_document("loans", "a.pdf")]})
    with pytest.raises(UnknownName, match="loans"):
        hop.ask("Who?", collection="loan")
