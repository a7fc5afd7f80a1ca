"""The retriever for Haystack, alone and in pipelines."""

from __future__ import annotations

import asyncio

import pytest
from haystack import Pipeline
from haystack.components.builders import PromptBuilder

from hopline.errors import UsageError
from hopline.integrations.haystack import HoplineRetriever


def test_documents_have_text_score_and_metadata(fake) -> None:
    first, second = HoplineRetriever(fake, top_k=2).run("What is the fee?")["documents"]
    assert (first.id, first.content, first.score) == ("p1", "The mooring fee in Halm is 40 kroner a night.", 0.9)
    assert (first.meta["page"], first.meta["path"]) == (3, ["Halm —MENTIONS→ rules.pdf p. 3"])
    assert (second.meta["kind"], second.meta["caption"]) == ("table", "Berths")


def test_the_arguments_of_a_run_replace_those_of_the_component(fake, filter_client) -> None:
    retriever = HoplineRetriever(fake, collection="harbour", top_k=3)
    assert len(retriever.run("What?", top_k=1)["documents"]) == 1
    assert len(asyncio.run(retriever.run_async("What?"))["documents"]) == 3
    assert [call["k"] for call in fake.state.calls_of("retrieve")] == [1, 3]
    filtered = HoplineRetriever(filter_client, filter="year > 2020")
    filtered.run("What?")
    filtered.run("What?", filter="year > 2021")
    assert [call["filter"] for call in filter_client.calls] == ["year > 2020", "year > 2021"]


def test_its_documents_are_the_input_of_other_components(fake) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", HoplineRetriever(fake, top_k=1))
    template = "{% for document in documents %}{{ document.content }} (p. {{ document.meta.page }}){% endfor %}"
    pipeline.add_component("prompt", PromptBuilder(template, required_variables=["documents"]))
    pipeline.connect("retriever.documents", "prompt.documents")
    result = pipeline.run({"retriever": {"query": "What is the fee?"}})
    assert result["prompt"]["prompt"] == "The mooring fee in Halm is 40 kroner a night. (p. 3)"


def test_a_stored_pipeline_answers_from_its_home(hop, corpus) -> None:
    pipeline = Pipeline()
    home = str(hop.settings.home)
    pipeline.add_component("retriever", HoplineRetriever(home=home, collection=corpus, top_k=2, documents=["Slate"]))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=[HoplineRetriever.__module__])
    retriever = loaded.get_component("retriever")
    assert isinstance(retriever, HoplineRetriever)
    assert (retriever.home, retriever.collection, retriever.documents) == (home, corpus, ["Slate"])
    documents = loaded.run({"retriever": {"query": "What is slate?"}})["retriever"]["documents"]
    retriever.close()
    assert {document.meta["document"] for document in documents} == {"Slate"}


def test_an_open_client_cannot_be_stored(fake) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", HoplineRetriever(fake))
    with pytest.raises(UsageError, match="create the retriever with home or uri"):
        pipeline.dumps()
