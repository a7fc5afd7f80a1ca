"""The tools of the MCP server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, ParamSpec, TypeVar

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from hopline import __version__
from hopline.errors import HoplineError, UsageError
from hopline.ids import page_id
from hopline.mcp import results
from hopline.records import Box
from hopline.results import Evidence

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.remote.client import RemoteHopline

P = ParamSpec("P")
T = TypeVar("T")

INSTRUCTIONS: Final = (
    "Answers questions over the user's documents with quotes, pages and the path that connects them. Call ask first: "
    "its answer is checked against the quotes. Use retrieve for more text, open_page to look at a page, find_entity, "
    "neighbours and find_path to follow connections. Name document and page of what you use. If the status of an "
    "answer is not_found, say so instead of guessing."
)
MAX_PAGE_TEXTS: Final = 500
_READ: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADD: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

CollectionName = Annotated[str, Field(description="Name of the collection; see list_collections.")]

Filter = Annotated[
    str,
    Field(description='Condition on the metadata of documents: year >= 2020 and tag in ["risk", "loans"].'),
]


def create_mcp_server(hop: Hopline | RemoteHopline, folders: Sequence[Path] = ()) -> MCPServer:
    """Create the server for an open client, which it does not close.

    ``folders`` are those from which documents may be added; without any there is no tool that changes something.
    """
    server = MCPServer("hopline", title="Hopline", version=__version__, instructions=INSTRUCTIONS)
    tools = GraphTools(hop)
    for tool in (
        tools.ask,
        tools.retrieve,
        tools.list_collections,
        tools.list_documents,
        tools.open_page,
        tools.find_entity,
        tools.neighbours,
        tools.find_path,
    ):
        server.tool(annotations=_READ)(_report_errors(tool))
    if folders:
        server.tool(annotations=_ADD)(_report_errors(AddTool(hop, folders).add_documents))
    return server


def _report_errors(tool: Callable[P, T]) -> Callable[P, T]:
    """Return a tool that tells the language model the message of an error of Hopline; that of others is hidden."""

    @wraps(tool)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return tool(*args, **kwargs)
        except HoplineError as error:
            raise ToolError(str(error)) from error

    return call


class GraphTools:
    """The tools that read: each method is a tool, its docstring the description that a language model reads."""

    def __init__(self, hop: Hopline | RemoteHopline) -> None:
        self._hop = hop

    def ask(
        self,
        question: Annotated[str, Field(description="A complete question.")],
        collection: CollectionName = "default",
        documents: Annotated[list[str], Field(description="Names of documents to which the search is limited.")] = [],  # noqa: B006
        filter: Filter = "",
    ) -> results.AnswerReport:
        """Answer a question from the documents, with a quote and page for each sentence, or say that it has none."""
        return results.report_answer(self._hop.ask(question, collection=collection, documents=documents, filter=filter))

    def retrieve(
        self,
        question: str,
        collection: CollectionName = "default",
        k: Annotated[int, Field(ge=1, le=50, description="Number of passages and tables.")] = 8,
        filter: Filter = "",
    ) -> list[results.FoundText]:
        """Find the passages and tables that are relevant for a question, best first, with the path to each."""
        return results.report_retrieval(self._hop.retrieve(question, collection=collection, k=k, filter=filter))

    def list_collections(self) -> list[str]:
        """List the names of the collections of documents."""
        return [collection.name for collection in self._hop.collections()]

    def list_documents(
        self,
        collection: CollectionName = "default",
        text: Annotated[str, Field(description="A part of the names of the documents.")] = "",
        start: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=500)] = 100,
    ) -> list[results.ListedDocument]:
        """List the documents of a collection by name."""
        return results.report_documents(self._hop.documents.list(collection, text=text, start=start, limit=limit))

    def open_page(
        self,
        document_id: Annotated[str, Field(description="Id of the document, as citations and list_documents give it.")],
        page: Annotated[int, Field(ge=1, description="Number of the page, from 1.")],
        quote: Annotated[str, Field(description="Words of the page to mark, as a citation gives them.")] = "",
    ) -> Image:
        """Show a page of a PDF or of a scan as a picture, with a quote marked."""
        boxes = self._find_boxes(document_id, page, quote) if quote else ()
        return Image(data=self._hop.documents.render_page(document_id, page, boxes), format="png")

    def find_entity(
        self,
        name: Annotated[str, Field(description="A name, or the beginning of one.")],
        collection: CollectionName = "default",
    ) -> list[results.NamedNode]:
        """Find entities (persons, organisations, places, …) by name; their ids are for neighbours and find_path."""
        return results.report_matches(self._hop.graph.find(name, collection=collection, kinds=["entity"]))

    def neighbours(
        self,
        node_id: str,
        hops: Annotated[int, Field(ge=1, le=2)] = 1,
        limit: Annotated[int, Field(ge=1, le=300, description="Number of edges.")] = 50,
        *,
        uncertain: Annotated[bool, Field(description="Include uncertain statements.")] = False,
    ) -> results.NodeEdges:
        """List what a node is connected to: passages that mention it, statements about it, entities."""
        neighbourhood = self._hop.graph.get_neighbourhood(node_id, hops, limit=limit, uncertain=uncertain)
        return results.report_neighbourhood(neighbourhood)

    def find_path(self, source_id: str, target_id: str) -> list[str]:
        """Find shortest paths between two nodes; an empty list if they are more than 8 edges apart."""
        return [results.format_steps(path) for path in self._hop.graph.find_paths(source_id, target_id)]

    def _find_boxes(self, document: str, page: int, quote: str) -> tuple[Box, ...]:
        """Return the boxes of a quote on a page.

        Raises:
            UsageError: no text of the page has it.
        """
        for evidence in self._list_page(page_id(document, page)):
            start = evidence.text.find(quote)
            if start >= 0:
                boxes = evidence.find_boxes(start, start + len(quote))
                return tuple(box for box in boxes if box.page == page)
        raise UsageError(f"no text of page {page} contains {quote!r:.100}; pass the quote of a citation, or none")

    def _list_page(self, page: str) -> Iterator[Evidence]:
        """Yield the passages and tables of a page, by its id; details of a node have only some of them."""
        first = self._hop.graph.get_node(page).evidence
        yield from first
        known = {evidence.id for evidence in first}
        for node in self._hop.graph.get_neighbourhood(page, limit=MAX_PAGE_TEXTS).nodes:
            if node.kind in {"passage", "table", "figure"} and node.id not in known:
                yield from self._hop.graph.get_node(node.id).evidence


class AddTool:
    """The tool that adds documents from folders which the user has named."""

    def __init__(self, hop: Hopline | RemoteHopline, folders: Sequence[Path]) -> None:
        self._hop = hop
        self._folders = tuple(folder.expanduser().resolve() for folder in folders)

    def add_documents(
        self,
        paths: Annotated[list[str], Field(min_length=1, max_length=100, description="Paths of files or folders.")],
        collection: CollectionName = "default",
    ) -> str:
        """Add files from the folders that the user has allowed; they are processed in the background."""
        files = [self._check_path(path) for path in paths]
        batch = self._hop.add(files, collection)
        names = ", ".join(file.name for file in batch.files)
        return f"Queued: {names}" if names else "Nothing was added: the files are unchanged or of no supported type."

    def _check_path(self, path: str) -> Path:
        """Return an existing path within the allowed folders; symbolic links are followed first.

        Raises:
            UsageError: it is outside.
        """
        resolved = Path(path).expanduser().resolve()
        if not any(resolved.is_relative_to(folder) for folder in self._folders):
            allowed = ", ".join(map(str, self._folders))
            raise UsageError(f"{path} is outside of the folders from which documents may be added: {allowed}")
        return resolved
