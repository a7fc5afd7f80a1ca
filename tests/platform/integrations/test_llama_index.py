"""The retriever for LlamaIndex."""

from __future__ import annotations

import asyncio

from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from hopline.integrations.llama_index import HoplineRetriever


def test_nodes_have_text_score_and_metadata(fake) -> None:
    nodes = HoplineRetriever(fake, k=2).retrieve("What is the fee?")
    assert all(isinstance(node, NodeWithScore) for node in nodes)
    assert [(node.node_id, node.score) for node in nodes] == [("p1", 0.9), ("t1", 0.5)]
    assert nodes[0].text == "The mooring fee in Halm is 40 kroner a night."
    assert nodes[0].metadata["path"] == ["Halm —MENTIONS→ rules.pdf p. 3"]
    assert nodes[0].metadata["pages"] == [3, 4]


def test_a_model_sees_the_document_and_the_page_but_no_boxes_and_ids(fake) -> None:
    [node] = HoplineRetriever(fake, k=1).retrieve("What is the fee?")
    shown = node.get_content(MetadataMode.LLM)
    assert "document: rules.pdf" in shown
    assert "page: 3" in shown
    assert not {"boxes:", "document_id:", "path:"} & set(shown.split())


def test_it_retrieves_in_a_thread_and_passes_its_arguments(fake, filter_client) -> None:
    retriever = HoplineRetriever(fake, collection="harbour", strategy="dense", documents=["rules.pdf"], k=3)
    assert len(asyncio.run(retriever.aretrieve(QueryBundle("What?")))) == 3
    [call] = fake.state.calls_of("retrieve")
    assert (call["collection"], call["strategy"], call["documents"], call["k"]) == (
        "harbour", "dense", ["rules.pdf"], 3,
    )  # fmt: skip
    HoplineRetriever(filter_client, filter="year > 2020").retrieve("What?")
    assert filter_client.calls[0]["filter"] == "year > 2020"


def test_it_retrieves_from_a_home(hop, corpus) -> None:
    retriever = HoplineRetriever(home=hop.settings.home, collection=corpus, k=3)
    texts = [node.text for node in retriever.retrieve("Who designed the Skarv Bridge?")]
    retriever.close()
    assert len(texts) == 3
    assert any("designed by Ingrid Vale" in text for text in texts)
