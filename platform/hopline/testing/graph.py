"""The graph, the entities, the corrections, the feedback and the topics of a fake client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hopline.corrections.service import CORRECTION_ADVICE, CorrectionService, check_author, check_text
from hopline.entities.communities import CommunityGraph
from hopline.entities.ranking import RankedEntity
from hopline.entities.resolution import DECISION_ADVICE, EntityResolution, MergeDecision, MergeSuggestion, build_pair_id
from hopline.errors import UnknownName, UsageError
from hopline.feedback.service import FEEDBACK_ADVICE, FeedbackService
from hopline.graph_explorer import COMMUNITY_ADVICE, GraphExplorer, Neighbourhood, NodeDetails, NodeMatch
from hopline.learned.weight_files import ModelCard
from hopline.neo4j_server import DatabaseAccess
from hopline.records import Correction, CorrectionKind, Feedback, FeedbackVerdict, GoldCitation
from hopline.results import Node, NodeKind, PathStep
from hopline.store.read_only_query import QueryResult
from hopline.tables.grid import render_table
from hopline.testing.state import FakeState, record_calls
from hopline.topics.collection_topics import CollectionTopics
from hopline.topics.service import TopicService


class FakeGraphExplorer(GraphExplorer):
    """`hop.graph` of a fake client: the nodes, neighbourhoods and paths that the test has set."""

    part = "graph."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def find(
        self,
        text: str,
        *,
        collection: str = "default",
        kinds: Sequence[NodeKind] = ("entity", "document", "table", "figure", "passage"),
        limit: int = 10,
    ) -> list[NodeMatch]:
        """Nodes whose name contains the text."""
        documents = self.state.documents_of(collection)
        nodes = [NodeMatch(Node(document.id, "document", document.name)) for document in documents]
        matches = [match for match in (*self.state.nodes, *nodes) if match.node.kind in kinds]
        return [match for match in matches if text.casefold() in match.node.name.casefold()][:limit]

    @record_calls
    def list_entities(
        self,
        collection: str = "default",
        *,
        types: Sequence[str] = (),
        documents: Sequence[str] = (),
        limit: int = 50,
    ) -> list[RankedEntity]:
        """The entities that the test has set."""
        self.state.documents_of(collection)
        return [entity for entity in self.state.entities if not types or entity.type in types][:limit]

    @record_calls
    def list_communities(self, collection: str = "default", *, limit: int = 24) -> CommunityGraph:
        """The communities that the test has set."""
        self.state.documents_of(collection)
        return self.state.communities.limit(limit)

    @record_calls
    def get_community(self, id: str, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """The entities of a community that the test has set, and those of the overview's edges that lead to them."""
        self.state.documents_of(collection)
        members = {community.id: community.entities for community in self.state.communities.communities}
        if id not in members:
            raise UnknownName("community", id, advice=COMMUNITY_ADVICE)
        nodes = {entity.node.id: entity.node for entity in members[id][:limit]}
        edges = tuple(edge for edge in self.state.overview.edges if edge[2] in nodes)
        sources = [node for node in self.state.overview.nodes if node.id in {edge[0] for edge in edges}]
        return Neighbourhood((*nodes.values(), *sources), edges, len(edges))

    @record_calls
    def get_overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """The overview that the test has set."""
        self.state.documents_of(collection)
        return self.state.overview

    @record_calls
    def get_neighbourhood(
        self, node: str, hops: int = 1, *, limit: int = 300, uncertain: bool = False
    ) -> Neighbourhood:
        """The neighbourhood that the test has set for a node."""
        return self.state.neighbourhood(node)

    @record_calls
    def find_paths(self, source: str, target: str, *, limit: int = 3) -> list[tuple[PathStep, ...]]:
        """The paths that the test has set."""
        return self.state.paths(source, target)[:limit]

    @record_calls
    def get_node(self, id: str) -> NodeDetails:
        """The details that the test has set for a node."""
        return self.state.details(id)

    @record_calls
    def get_collection(self, node: str) -> str:
        """The collection of the document of this id, or the first one for every other node."""
        for name, documents in self.state.documents.items():
            if any(document.id == node for document in documents):
                return name
        return next(iter(sorted(self.state.documents)), "default")

    @record_calls
    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        limit: int = 1000,
        timeout: float = 30,
        *,
        vectors: bool = False,
    ) -> QueryResult:
        """The rows that the test has set."""
        return self.state.query_result

    @record_calls
    def get_access(self) -> DatabaseAccess:
        """An address at which no server listens."""
        return DatabaseAccess("bolt://127.0.0.1:1", "neo4j", "neo4j", "secret", "in the file password")


class FakeEntityResolution(EntityResolution):
    """`hop.entities` of a fake client: the suggestions that the test has set, and the decisions made on them."""

    part = "entities."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def similar_names(self, collection: str = "default", *, limit: int = 20) -> list[MergeSuggestion]:
        """The suggestions on which nothing was decided; a merged entity is not suggested."""
        self.state.documents_of(collection)
        decided = self.state.decisions
        return [
            suggestion
            for suggestion in self.state.suggestions
            if suggestion.source.id not in decided
            and build_pair_id(suggestion.source.id, suggestion.target.id) not in decided
        ][:limit]

    @record_calls
    def merge(self, source: str, target: str) -> None:
        """Note that one entity was merged into another."""
        if source == target:
            raise UsageError("an entity cannot be merged into itself; name two")
        self.state.decisions[source] = MergeDecision(
            source, merged=True, source=self._name(source), target=self._name(target), at=0.0
        )

    @record_calls
    def reject(self, first: str, second: str) -> None:
        """Note that two entities are not the same."""
        pair = build_pair_id(first, second)
        self.state.decisions[pair] = MergeDecision(
            pair, merged=False, source=self._name(first), target=self._name(second), at=0.0
        )

    @record_calls
    def decisions(self, collection: str = "default") -> list[MergeDecision]:
        """Every decision, the newest first."""
        self.state.documents_of(collection)
        return list(self.state.decisions.values())[::-1]

    @record_calls
    def undo(self, decision: str) -> None:
        """Forget a decision."""
        if decision not in self.state.decisions:
            raise UnknownName("decision", decision, advice=DECISION_ADVICE)
        del self.state.decisions[decision]

    def _name(self, id: str) -> str:
        names = {node.id: node.name for item in self.state.suggestions for node in (item.source, item.target)}
        names |= {item.node.id: item.node.name for item in self.state.nodes if item.node.kind == "entity"}
        if id not in names:
            raise UnknownName("entity", id, sorted(names))
        return names[id]


class FakeCorrectionService(CorrectionService):
    """`hop.corrections` of a fake client: the corrections that were made, whose original text is empty."""

    part = "corrections."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def list(self, collection: str = "default", *, document: str | None = None) -> tuple[Correction, ...]:
        """Every correction, or those of a document, the newest first."""
        self.state.documents_of(collection)
        corrections = tuple(self.state.corrections.values())[::-1]
        return tuple(item for item in corrections if document in {None, item.document, item.document_id})

    @record_calls
    def correct_passage(self, evidence: str, text: str, *, author: str = "") -> Correction:
        """Note the corrected text of a passage; each passage has one correction."""
        return self._note("passage", evidence, check_text(text), author)

    @record_calls
    def correct_table(
        self,
        evidence: str,
        *,
        cells: Sequence[Sequence[str]] | None = None,
        header_rows: int | None = None,
        caption: str | None = None,
        author: str = "",
    ) -> Correction:
        """Note the caption and the corrected cells of a table, as Markdown; each table has one correction."""
        rows = tuple(tuple(row) for row in cells or ())
        return self._note("table", evidence, f"{caption or ''}\n{render_table(rows)[0]}".strip(), author)

    @record_calls
    def correct_entity(
        self, entity: str, *, name: str | None = None, type: str | None = None, author: str = ""
    ) -> Correction:
        """Note the corrected name and type of an entity; each entity has one correction."""
        return self._note("entity", entity, f"{name or ''} ({type or ''})", author)

    @record_calls
    def reject_triple(self, triple: str, *, author: str = "") -> Correction:
        """Note that a triple is left out."""
        return self._note("triple", triple, "", author)

    def _note(self, kind: CorrectionKind, evidence: str, corrected: str, author: str) -> Correction:
        id = f"correction of {evidence}"
        before = self.state.corrections.pop(id, None)
        original = before.original if before else ""
        correction = Correction(id, kind, evidence, original, corrected, author=check_author(author))
        self.state.corrections[id] = correction
        return correction

    @record_calls
    def undo(self, correction: str) -> None:
        """Forget a correction."""
        if correction not in self.state.corrections:
            raise UnknownName("correction", correction, advice=CORRECTION_ADVICE)
        del self.state.corrections[correction]


class FakeFeedbackService(FeedbackService):
    """`hop.feedback` of a fake client: the feedback that was added, each question once."""

    part = "feedback."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def add(
        self,
        question: str,
        verdict: FeedbackVerdict,
        *,
        collection: str = "default",
        answer: str = "",
        better: str = "",
        citations: Sequence[GoldCitation] = (),
        documents: Sequence[str] = (),
        filter: str = "",
        author: str = "",
    ) -> Feedback:
        """Note the verdict on the answer to a question."""
        self.state.documents_of(collection)
        scope = (tuple(citations), tuple(documents), filter)
        feedback = Feedback(f"feedback on {question}", question, verdict, answer, better, *scope, check_author(author))
        self.state.feedback.pop(feedback.id, None)
        self.state.feedback[feedback.id] = feedback
        return feedback

    @record_calls
    def list(self, collection: str = "default") -> tuple[Feedback, ...]:
        """All feedback, the newest first."""
        self.state.documents_of(collection)
        return tuple(self.state.feedback.values())[::-1]

    @record_calls
    def delete(self, feedback: str) -> None:
        """Forget feedback."""
        if feedback not in self.state.feedback:
            raise UnknownName("feedback", feedback, advice=FEEDBACK_ADVICE)
        del self.state.feedback[feedback]


class FakeTopicService(TopicService):
    """`hop.topics` of a fake client: the topics and the sets of topics that the test has set."""

    part = "topics."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def list(self, collection: str = "default") -> CollectionTopics:
        """The topics of a collection; none unless the test has set some."""
        return self.state.topics.get(collection, CollectionTopics("", (), 0))

    @record_calls
    def assign(self, name: str, collection: str = "default") -> None:
        """Give a collection a set of topics, or take it away."""
        if not name:
            self.state.topics.pop(collection, None)
        elif name in self.state.topic_sets:
            self.state.topics[collection] = self.state.topic_sets[name]
        else:
            raise UsageError(f"there is no set of topics called {name!r}; there are {sorted(self.state.topic_sets)}")

    @record_calls
    def assign_card(self, collection: str, card: ModelCard) -> None:
        """Give a collection the set of topics that a card describes."""
        self.state.topics[collection] = self.state.topic_sets[card.part.partition("/")[2]]
