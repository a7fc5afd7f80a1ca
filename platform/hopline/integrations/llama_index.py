"""LlamaIndex: a retriever of nodes; needs ``hopline[llama-index]``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hopline.integrations.evidence_records import FOR_PROGRAMS, list_records, retrieve
from hopline.integrations.lazy_client import LazyClient, check_library

check_library("llama_index.core")

from llama_index.core.base.base_retriever import BaseRetriever  # noqa: E402  behind the check
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode  # noqa: E402

__all__ = ["HoplineRetriever"]


class HoplineRetriever(BaseRetriever):
    """Retrieves passages and tables of a collection as text nodes with scores, best first.

    ``hopline`` is an open client, or an object with its methods; otherwise one is opened for ``home`` or ``uri`` at the
    first question, and `close` closes it. The other arguments are those of `Hopline.retrieve`. The metadata of a node
    say where its text is from and which path led to it; a language model sees document, title, section, page and
    caption.
    """

    def __init__(
        self,
        hopline: Any = None,
        *,
        home: str | Path | None = None,
        uri: str | None = None,
        collection: str = "default",
        strategy: str | None = None,
        k: int | None = None,
        filter: str = "",
        documents: Sequence[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._client = LazyClient(hopline, home, uri)
        self._arguments: dict[str, Any] = {
            "collection": collection,
            "strategy": strategy,
            "k": k,
            "filter": filter,
            "documents": documents,
        }

    def close(self) -> None:
        """Close the client if the retriever has opened it."""
        self._client.close()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        retrieval = retrieve(self._client.get(), query_bundle.query_str, **self._arguments)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=item.id,
                    text=item.text,
                    metadata=metadata,
                    excluded_llm_metadata_keys=[*FOR_PROGRAMS, "source"],
                    excluded_embed_metadata_keys=[*FOR_PROGRAMS, "source"],
                ),
                score=float(item.score),
            )
            for item, metadata in list_records(retrieval)
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
