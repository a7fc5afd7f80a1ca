"""LangChain: a retriever, and a tool that answers questions with citations; needs ``hopline[langchain]``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, PrivateAttr

from hopline.integrations.evidence_records import format_answer, list_records, retrieve, select_options
from hopline.integrations.lazy_client import LazyClient, check_library

check_library("langchain_core")

from langchain_core.callbacks import (  # noqa: E402  behind the check
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document  # noqa: E402
from langchain_core.retrievers import BaseRetriever  # noqa: E402
from langchain_core.tools import BaseTool  # noqa: E402

__all__ = ["HoplineRetriever", "HoplineTool", "ToolQuestion"]


class HoplineRetriever(BaseRetriever):
    """Retrieves passages and tables of a collection as documents, best first.

    ``hopline`` is an open client, or an object with its methods; otherwise one is opened for ``home`` or ``uri`` at the
    first question, and `close` closes it. ``collection``, ``strategy``, ``k``, ``filter`` and ``documents`` are those
    of `Hopline.retrieve`; `invoke` also takes ``k`` for one question. The metadata of a document say where the text is
    from and which path led to it (`hopline.integrations.evidence_records.describe_evidence`).
    """

    hopline: Any = Field(default=None, exclude=True, repr=False)
    home: Path | None = None
    uri: str | None = None
    collection: str = "default"
    strategy: str | None = None
    k: int | None = None
    filter: str = ""
    documents: Sequence[str] = ()
    _client: LazyClient = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Prepare the client; nothing is opened."""
        super().model_post_init(context)
        self._client = LazyClient(self.hopline, self.home, self.uri)

    def close(self) -> None:
        """Close the client if the retriever has opened it."""
        self._client.close()

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return self._search(query, k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return await asyncio.to_thread(self._search, query, k)

    def _search(self, query: str, k: int | None) -> list[Document]:
        retrieval = retrieve(
            self._client.get(),
            query,
            collection=self.collection,
            strategy=self.strategy,
            k=self.k if k is None else k,
            filter=self.filter,
            documents=self.documents,
        )
        return [
            Document(page_content=item.text, id=item.id, metadata=metadata)
            for item, metadata in list_records(retrieval)
        ]


class ToolQuestion(BaseModel):
    """The argument of `HoplineTool`."""

    question: str = Field(description="A complete question in words, which can be understood by itself.")


class HoplineTool(BaseTool):
    """Answers a question from the documents of a collection, with numbered citations.

    The content is the answer as text, and the artifact is `Answer.to_dict`: sentences, quotes, pages, boxes and
    evidence paths. Say in ``description`` what the documents are about, so that a model knows when to use the tool.
    Fields: as for `HoplineRetriever`.
    """

    name: str = "search_documents"
    description: str = (
        "Answers a question from a collection of documents, with quotes and pages. Says so if the documents do not "
        "answer it."
    )
    args_schema: Any = ToolQuestion
    response_format: Any = "content_and_artifact"
    hopline: Any = Field(default=None, exclude=True, repr=False)
    home: Path | None = None
    uri: str | None = None
    collection: str = "default"
    strategy: str | None = None
    k: int | None = None
    filter: str = ""
    documents: Sequence[str] = ()
    _client: LazyClient = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Prepare the client; nothing is opened."""
        super().model_post_init(context)
        self._client = LazyClient(self.hopline, self.home, self.uri)

    def close(self) -> None:
        """Close the client if the tool has opened it."""
        self._client.close()

    def _run(self, question: str) -> tuple[str, dict[str, Any]]:
        options = select_options(
            collection=self.collection,
            strategy=self.strategy,
            k=self.k,
            filter=self.filter,
            documents=self.documents,
        )
        answer = self._client.get().ask(question, **options)
        return format_answer(answer), answer.to_dict()

    async def _arun(self, question: str) -> tuple[str, dict[str, Any]]:
        return await asyncio.to_thread(self._run, question)
