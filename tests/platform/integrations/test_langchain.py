"""The retriever and the tool for LangChain, by LangChain's own standard tests and on what they return."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import pytest
from langchain_core.documents import Document
from langchain_core.messages import ToolCall
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableLambda
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from hopline import Hopline
from hopline.errors import UnknownName
from hopline.integrations.langchain import HoplineRetriever, HoplineTool

QUESTION = "Who designed the Skarv Bridge?"


class OnCorpus:
    """Arguments of a retriever or tool on the collection of ten passages."""

    parameters: ClassVar[dict[str, Any]] = {}

    @pytest.fixture(autouse=True)
    def _open(self, hop: Hopline, corpus: str) -> None:
        self.parameters.update(hopline=hop, collection=corpus)


@pytest.mark.anyio
class TestRetrieverStandard(OnCorpus, RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[HoplineRetriever]:
        return HoplineRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return self.parameters

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestToolUnitStandard(ToolsUnitTests):
    @property
    def tool_constructor(self) -> type[HoplineTool]:
        return HoplineTool

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


@pytest.mark.anyio
class TestToolStandard(OnCorpus, ToolsIntegrationTests):
    @property
    def tool_constructor(self) -> type[HoplineTool]:
        return HoplineTool

    @property
    def tool_constructor_params(self) -> dict[str, Any]:
        return self.parameters

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


def test_a_document_says_where_its_text_is_from_and_which_path_led_to_it(fake) -> None:
    first, second, *_ = HoplineRetriever(hopline=fake).invoke("What is the fee?")
    assert (first.page_content, first.id) == ("The mooring fee in Halm is 40 kroner a night.", "p1")
    assert first.metadata == {
        "id": "p1", "source": "rules.pdf", "document": "rules.pdf", "document_id": "d1", "source_id": "g1",
        "title": "Harbour rules", "section": ["Fees", "Mooring"], "page": 3, "pages": [3, 4],
        "boxes": [{"page": page, "x0": 1.0, "y0": 2.0, "x1": 30.0, "y1": 40.0} for page in (3, 4)],
        "score": 0.9, "kind": "passage", "caption": "", "path": ["Halm —MENTIONS→ rules.pdf p. 3"],
    }  # fmt: skip
    assert (second.metadata["kind"], second.metadata["caption"], second.metadata["page"]) == ("table", "Berths", None)


def test_the_fields_are_the_arguments_of_the_client(fake) -> None:
    retriever = HoplineRetriever(hopline=fake, collection="harbour", strategy="dense", k=2, documents=["rules.pdf"])
    assert len(retriever.invoke("What?")) == 2
    assert len(asyncio.run(retriever.ainvoke("What?", k=1))) == 1
    calls = fake.state.calls_of("retrieve")
    assert [(call["collection"], call["strategy"], call["k"]) for call in calls] == [
        ("harbour", "dense", 2), ("harbour", "dense", 1),
    ]  # fmt: skip
    assert [call["documents"] for call in calls] == [["rules.pdf"], ["rules.pdf"]]


def test_a_filter_is_passed_only_if_there_is_one(filter_client) -> None:
    HoplineRetriever(hopline=filter_client, filter="year >= 2020").invoke("What?")
    HoplineTool(hopline=filter_client, filter="year >= 2020").invoke({"question": "What?"})
    HoplineRetriever(hopline=filter_client).invoke("What?")
    assert [call.get("filter") for call in filter_client.calls] == ["year >= 2020", "year >= 2020", None]
    assert "filter" not in filter_client.calls[2]


def test_the_retriever_is_part_of_a_chain(fake) -> None:
    def join(documents: list[Document]) -> str:
        return " ".join(document.page_content for document in documents)

    chain = HoplineRetriever(hopline=fake, k=1) | RunnableLambda(join) | StrOutputParser()
    assert chain.invoke("What is the fee?") == "The mooring fee in Halm is 40 kroner a night."
    assert chain.batch(["a", "b"]) == ["The mooring fee in Halm is 40 kroner a night."] * 2


def test_the_tool_answers_with_numbered_citations_and_the_answer_as_artifact(fake) -> None:
    tool = HoplineTool(hopline=fake)
    message = tool.invoke(ToolCall(name=tool.name, args={"question": "What is the fee?"}, id="1", type="tool_call"))
    assert message.content == ("It is 40 kroner a night. [1]\n\n[1] rules.pdf · p. 3 · Mooring: “40 kroner”")
    [citation] = message.artifact["answer"][0]["citations"]
    assert (citation["document"], citation["page"], citation["boxes"][0]["page"]) == ("rules.pdf", 3, 3)


def test_the_tool_says_that_the_documents_do_not_answer(fake) -> None:
    content = HoplineTool(hopline=fake).invoke({"question": "What is absent?"})
    assert content == "The documents do not answer the question. Not in the documents: absent."


def test_an_error_of_the_client_reaches_the_caller(fake) -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        HoplineRetriever(hopline=fake, collection="nowhere").invoke("What?")


def test_a_client_is_opened_for_a_home_at_the_first_question_and_closed(hop, corpus) -> None:
    retriever = HoplineRetriever(home=hop.settings.home, collection=corpus, k=1)
    assert "Skarv Bridge" in retriever.invoke(QUESTION)[0].page_content
    retriever.close()
    assert len(retriever.invoke(QUESTION)) == 1, "it is opened again"
    retriever.close()
    with pytest.raises(ValueError, match="not both"):  # of pydantic, which contains the UsageError
        HoplineRetriever(hopline=hop, home=hop.settings.home)
