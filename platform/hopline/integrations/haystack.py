"""Haystack: a retriever for pipelines; needs ``hopline[haystack]``.

Haystack's usage data are off (`hopline.integrations.usage_data`).
"""
# Annotations are evaluated: Haystack reads the types of inputs and outputs from them.

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hopline.errors import UsageError
from hopline.integrations.evidence_records import list_records, retrieve
from hopline.integrations.lazy_client import LazyClient, check_library
from hopline.integrations.usage_data import switch_off_haystack_telemetry

switch_off_haystack_telemetry()
check_library("haystack")

from haystack import Document, component, default_from_dict, default_to_dict  # noqa: E402  behind the check

__all__ = ["HoplineRetriever"]


@component
class HoplineRetriever:
    """Retrieves passages and tables of a collection as documents, best first.

    ``hopline`` is an open client, or an object with its methods; otherwise one is opened for ``home`` or ``uri`` at the
    first question, or by `warm_up`, and `close` closes it. ``top_k`` is the number of passages and tables; the other
    arguments are those of `Hopline.retrieve`. The metadata of a document say where its text is from and which path led
    to it.
    """

    def __init__(
        self,
        hopline: Any = None,
        *,
        home: str | None = None,
        uri: str | None = None,
        collection: str = "default",
        strategy: str | None = None,
        top_k: int | None = None,
        filter: str = "",
        documents: Sequence[str] = (),
    ) -> None:
        self._client = LazyClient(hopline, home, uri)
        self._is_given = hopline is not None
        self.home = str(Path(home)) if home is not None else None
        self.uri = uri
        self.collection = collection
        self.strategy = strategy
        self.top_k = top_k
        self.filter = filter
        self.documents = list(documents)

    def warm_up(self) -> None:
        """Open the client before the first question."""
        self._client.get()

    def close(self) -> None:
        """Close the client if the component has opened it."""
        self._client.close()

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary, as pipelines are stored.

        Raises:
            UsageError: it has an open client, which cannot be stored.
        """
        if self._is_given:
            raise UsageError("an open client cannot be stored with a pipeline; create the retriever with home or uri")
        return default_to_dict(
            self,
            home=self.home,
            uri=self.uri,
            collection=self.collection,
            strategy=self.strategy,
            top_k=self.top_k,
            filter=self.filter,
            documents=self.documents,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "HoplineRetriever":
        """Create the component from the dictionary that `to_dict` made."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])
    def run(self, query: str, filter: str | None = None, top_k: int | None = None) -> dict[str, list[Document]]:
        """Retrieve the documents for a query; ``filter`` and ``top_k`` are put in place of those of the component."""
        retrieval = retrieve(
            self._client.get(),
            query,
            collection=self.collection,
            strategy=self.strategy,
            k=self.top_k if top_k is None else top_k,
            filter=self.filter if filter is None else filter,
            documents=self.documents,
        )
        documents = [
            Document(id=item.id, content=item.text, meta=metadata, score=float(item.score))
            for item, metadata in list_records(retrieval)
        ]
        return {"documents": documents}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, filter: str | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Retrieve as `run` does, in a thread."""
        result: dict[str, list[Document]] = await asyncio.to_thread(self.run, query, filter, top_k)
        return result
