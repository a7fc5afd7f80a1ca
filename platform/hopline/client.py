"""The Python client: one open graph, and the parts that work on it.

with Hopline.open() as hop:
    hop.add(["reports/"]).wait(progress=True)
    answer = hop.ask("Which lender finances an asset of Nordvik?")
    answer.sentences[0].citations[0].page
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from hopline.answers.answerer import Answerer
from hopline.config import NO_READER, Settings, load_unstored_settings
from hopline.connections import Connections
from hopline.corrections.service import CorrectionService
from hopline.documents.addition import Titles
from hopline.documents.estimate import Estimate
from hopline.documents.library import DocumentLibrary, Paths
from hopline.documents.progress import Batch, Progress
from hopline.documents.status import Status
from hopline.entities.resolution import EntityResolution, MergeSuggestion
from hopline.errors import HoplineError, ModelError, UsageError
from hopline.feedback.service import FeedbackService
from hopline.flow.execution import StepCallback
from hopline.graph_explorer import GraphExplorer, Neighbourhood
from hopline.metadata.values import MetadataChange
from hopline.records import Collection
from hopline.results import Answer, Context, EvidenceGraph, Retrieval, Trace
from hopline.retrieval.agent.bidirectional_search import MergeOption
from hopline.retrieval.ranking import Strategy
from hopline.text_encoding import normalize_text
from hopline.topics.service import TopicService

if TYPE_CHECKING:
    from hopline.answers.drafts import DraftCallback
    from hopline.evaluation.service import EvaluationService
    from hopline.exchange.folder_import import ImportedCollection
    from hopline.exchange.forms import ExportForm
    from hopline.exchange.layout import Manifest
    from hopline.flow.requests import Flow
    from hopline.flow.services import Scope
    from hopline.question_suggestions import QuestionSuggester, SuggestedQuestion
    from hopline.remote.client import RemoteHopline
    from hopline.training.service import TrainingService
else:  # loaded when first used: asking and adding import neither training nor evaluation
    DraftCallback = EvaluationService = TrainingService = ImportedCollection = ExportForm = Manifest = Any
    SuggestedQuestion = RemoteHopline = Any

__all__ = ["Hopline"]

log = logging.getLogger(__name__)


class Hopline:
    """One open graph: ask and retrieve, and its parts: documents, entities, corrections, feedback, topics and others.

    Use as a context manager, or call `close`. Safe to share between threads.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._suggester: QuestionSuggester | None = None

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        uri: str | None = None,
        *,
        progress: Callable[[int, int, str], None] | None = None,
        worker: bool = True,
        **settings: Any,
    ) -> Self:
        """Open a graph: on the server at ``uri``, or on the private one, downloaded and started when needed.

        ``settings`` are those of `hopline.config.Settings`; they override the environment, which overrides the settings
        of the language model that are stored in the home folder. ``progress`` is called with (bytes done, bytes in all,
        what) during the first download. Where work waits in the graph, a worker is started for it unless ``worker`` is
        False.

        Raises:
            SettingsError: no such setting, or an invalid value.
            EngineUnavailable: no server could be reached or started.
            EngineRefused: wrong password, too old a server, data of a newer one.
        """
        connections = Connections.open(home, uri, progress=progress, **settings)
        with ExitStack() as unfinished:
            unfinished.callback(connections.close)
            if worker:
                connections.workers.ensure_running_if_needed()
            unfinished.pop_all()
        return cls(connections)

    @staticmethod
    def connect(url: str, key: str | None = None, *, timeout: float | None = 600.0) -> RemoteHopline:
        """Return a client of a running service (``hopline serve``), with the methods of this class that it offers.

        ``key`` is an API key of the service; none is needed on its own machine while it has none. ``timeout`` is in
        seconds, for one response; None: none. The service is not called yet.

        Raises:
            UsageError: the URL is not that of a web service.
        """
        from hopline.remote.client import RemoteHopline

        return RemoteHopline(url, key, timeout=timeout)

    @classmethod
    def stop(cls, home: str | Path | None = None) -> bool:
        """Stop the workers and the private server of a home; returns whether a server was running.

        Nothing is lost: the next worker continues the work.
        """
        from hopline.documents.worker_process import stop_worker, stop_workers_of_home
        from hopline.neo4j_server import get_status, stop

        chosen = load_unstored_settings(home=home)
        if get_status(chosen).running:
            with closing(Connections.open_for_stop(chosen.home)) as connections:
                stop_worker(connections.store)
        stop_workers_of_home(chosen.home)
        return stop(chosen)

    def close(self) -> None:
        """Close the connections. The private server and the worker keep running for other processes."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """The settings that this graph was opened with."""
        return self._connections.settings

    def status(self) -> Status:
        """The state of the database, the worker and the collections."""
        from hopline.documents.status import read_system_status

        connections = self._connections
        connections.workers.ensure_running_if_needed()
        return read_system_status(
            connections.store,
            connections.settings,
            connections.collections,
            connections.services.embedder.name,
            connections.list_models(),
        )

    def warm_up(self) -> None:
        """Load now what the first question would wait for: the embedder, and the parser where no model answers."""
        self._connections.services.embedder.embed(["ready"])
        if self._connections.language_model is None:
            from hopline.text.parser import load_question_parser

            load_question_parser()

    def start_warm_up(self) -> None:
        """Run `warm_up` in the background, for a process that answers many questions.

        What is loaded by then stays for good (`gc.freeze`): else one question in twenty waits a fifth of a second for
        Python to look through three hundred thousand objects of libraries.
        """
        Thread(target=self._warm_up_and_freeze, daemon=True).start()

    def _warm_up_and_freeze(self) -> None:
        try:
            self.warm_up()
        except HoplineError as error:
            log.warning("the models could not be loaded in advance: %s", error)
        gc.collect()
        gc.freeze()

    def create_uncached_client(self) -> Hopline:
        """Return a client with the same connections whose questions use no cached reply of the language model.

        New replies are cached. Close this client, not the new one.
        """
        return Hopline(self._connections.create_uncached())

    def reload_model(self) -> Hopline:
        """Return a client with the language model that is stored in the home folder now: this client if it is the same.

        The connections are shared: close only the newest client. A worker of this machine that uses the earlier
        language model is replaced.

        Raises:
            SettingsError: the stored settings cannot be used; says what to do.
        """
        connections = self._connections.reload_model()
        if connections is self._connections:
            return self
        connections.workers.replace_model(self.settings)
        client = Hopline(connections)
        client._suggester = self._suggester
        return client

    def collections(self) -> list[Collection]:
        """Every collection, by name."""
        return self._connections.collections.list_collections()

    def upgrade(self) -> int:
        """Queue the documents that an older version of the parser parsed, and return their number.

        They are parsed again from the files in the home folder; the earlier content is found meanwhile.
        """
        from hopline.documents.upgrade import queue_outdated_documents

        workers = self._connections.workers
        workers.apply_settings("hopline status", wait=False)
        count = queue_outdated_documents(self._connections.store)
        if count:
            workers.ensure_running()
        return count

    def rename_collection(self, collection: str, to: str) -> None:
        """Give a collection another name; its contents stay.

        Raises:
            UnknownName: no such collection.
            UsageError: another collection has this name, or the name is empty.
        """
        self._connections.collections.rename(collection, to)

    def export(
        self,
        collection: str,
        folder: str | Path,
        *,
        form: ExportForm = "jsonl",
        vectors: bool = True,
        originals: bool = True,
        unfinished: bool = False,
    ) -> Manifest:
        """Export a collection to a new folder: all nodes and relationships, and with ``vectors`` their vectors.

        ``form`` "jsonl" is the form that `import_collection` reads, with the added files if ``originals``. The other
        forms are for other programs. A collection that is being processed is exported only if ``unfinished``; the
        folder then says what waits. Memory does not grow with the collection.

        Raises:
            UnknownName: no such collection.
            UsageError: the folder exists and is not empty or cannot be written, no such form, a form without its
                package, or the collection is being processed.
        """
        from hopline.exchange.folder_export import ExportOptions
        from hopline.exchange.service import export_collection

        options = ExportOptions(vectors=vectors, originals=originals)
        return export_collection(self._connections, collection, folder, options, form=form, unfinished=unfinished)

    def import_collection(
        self,
        folder: str | Path,
        collection: str | None = None,
        *,
        bulk: bool = False,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ImportedCollection:
        """Create a collection from a folder that `export` has written; all of it or nothing.

        ``collection`` is its name, by default that of the exported one. Ids stay the same unless the exported
        collection exists here as well. Vectors of another embedding model are not used: the worker computes new ones
        (`ImportedCollection.notice`). ``bulk`` writes the files of an empty private database with Neo4j's offline
        importer, which takes minutes for a million passages, and starts its server again; ``progress`` is called
        with (phases done, phases in all, phase).

        Raises:
            UsageError: there is a collection of this name, or the folder is no export or is damaged; with ``bulk``, the
                database is not the private one or is not empty, or the vectors are of another model.
        """
        from hopline.exchange.service import import_collection

        imported = import_collection(self._connections, folder, collection, bulk=bulk, progress=progress)
        self._connections.workers.ensure_running_if_needed()
        return imported

    def backup(self, file: str | Path, *, unfinished: bool = False) -> list[Manifest]:
        """Write all collections, with their vectors and added files, into one new ZIP file; return their manifests.

        Trained weights, cached replies of models and settings are not in it.

        Raises:
            UsageError: the file exists or cannot be written, there is no collection, or a collection is being processed
                and ``unfinished`` is False.
        """
        from hopline.exchange.archive import write_backup

        return write_backup(self._connections, Path(file).expanduser(), unfinished=unfinished)

    def restore(self, file: str | Path, *, force: bool = False) -> list[ImportedCollection]:
        """Create all collections of a file that `backup` has written; all of them or none.

        Nothing is overwritten: with ``force`` they are created beside those that exist, under other names.

        Raises:
            UsageError: there are collections and ``force`` is False, a collection has the name of one in the file, or
                the file is damaged.
        """
        from hopline.exchange.archive import restore_backup

        restored = restore_backup(self._connections, Path(file).expanduser(), force=force)
        self._connections.workers.ensure_running_if_needed()
        return restored

    # -- parts

    @cached_property
    def documents(self) -> DocumentLibrary:
        """Documents: add, list, read again, remove."""
        connections = self._connections
        return DocumentLibrary(
            connections.store, connections.settings, connections.collections, connections.workers, _draw_progress
        )

    @cached_property
    def entities(self) -> EntityResolution:
        """Entities: similar names, merge, undo."""
        connections = self._connections
        return EntityResolution(connections.store, connections.collections, connections.workers.ensure_running)

    @cached_property
    def corrections(self) -> CorrectionService:
        """Corrections of what was read from documents: correct, list, undo."""
        connections = self._connections
        return CorrectionService(connections.store, connections.collections, connections.workers.ensure_running)

    @cached_property
    def feedback(self) -> FeedbackService:
        """Feedback on answers: add, list, delete."""
        return FeedbackService(self._connections.store, self._connections.collections)

    @cached_property
    def topics(self) -> TopicService:
        """Topics of collections: list, assign."""
        connections = self._connections
        return TopicService(
            connections.store, connections.collections, connections.settings.weights, connections.workers.ensure_running
        )

    @cached_property
    def graph(self) -> GraphExplorer:
        """The graph: find nodes, expand them, find paths."""
        return GraphExplorer(self._connections.store, self._connections.collections)

    @cached_property
    def training(self) -> TrainingService:
        """Training of the learned parts."""
        from hopline.training.service import TrainingService

        return TrainingService(self._connections, self.topics)

    @cached_property
    def evaluation(self) -> EvaluationService:
        """Quality of answers and of the graph."""
        from hopline.evaluation.service import EvaluationService

        return EvaluationService(self._connections)

    # -- questions

    def ask(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
        history: Sequence[Answer] = (),
        on_step: StepCallback | None = None,
        on_draft: DraftCallback | None = None,
        record: bool = False,
        answerers: Sequence[Answerer] = (),
    ) -> Answer:
        """Answer a question with cited sentences, or abstain and say which terms no passage matches.

        ``documents`` (names or ids) and ``filter``, a condition on their metadata such as ``year >= 2020 and tag =
        risk`` (`hopline.metadata.filter_parser`), restrict the search to documents that meet both. ``strategy`` is a
        name, with options if any (``gnn_ret:nodes=10``), or a `Strategy` of your own; the default is the setting. ``k``
        is the number of passages and tables to retrieve. A question may refer to the answers in ``history``, oldest
        first ("When was she born?"); ``retrieval.question`` is then the rewritten question. ``on_step`` is called after
        every step of the search, in the caller's thread, and ``on_draft`` with the `AnswerDraft` each time a language
        model sends text of the answer. ``record`` stores requests and responses in the trace (`hopline.flow.replay`).
        ``answerers`` are tried before those of Hopline (`hopline.answers.answerer`).

        Raises:
            UsageError: the question is not a string, ``k`` is not an integer of at least 1, or the filter cannot be
                read.
            UnknownName: no such collection, document or strategy, or no document has a key of the filter.
            BudgetSpent: a limit of the settings was reached.
        """
        from hopline.answers.generated import AnswerModel
        from hopline.answers.pipeline import answer_question

        question = _normalize_question(question)
        retrieve = self._load_retrieval(strategy, collection, k)
        scope = self._connections.resolve_scope(collection, documents, filter)
        if scope.is_empty:
            return self._abstain(question, strategy, collection, scope)
        llm = self._connections.services.language_model
        model = None
        if llm is not None:
            model = AnswerModel(llm.name, self.settings.verify, self.settings.model_context, on_draft)

        def answer(rewritten: str) -> Flow[Answer]:
            return answer_question(
                rewritten,
                retrieve,
                model=model,
                reader=self.settings.reader != NO_READER,
                threshold=self.settings.answer_threshold,
                answerers=answerers,
            )

        if history:
            from hopline.answers.follow_up import answer_follow_up
            from hopline.answers.turns import Turn

            flow = answer_follow_up(
                question, [Turn.of(earlier) for earlier in history], answer, by_model=model is not None
            )
        else:
            flow = answer(question)
        outcome = self._connections.run(flow, scope, on_step=on_step, record=record)
        return _add_trace(outcome.result, outcome.trace)

    def retrieve(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
        on_step: StepCallback | None = None,
        record: bool = False,
    ) -> Retrieval:
        """The evidence for a question, best first, with the path to each. Arguments as for `ask`."""
        flow = self._load_retrieval(strategy, collection, k)(_normalize_question(question))
        scope = self._connections.resolve_scope(collection, documents, filter)
        if scope.is_empty:
            return self._retrieve_nothing(question, strategy, collection, scope)
        outcome = self._connections.run(flow, scope, on_step=on_step, record=record)
        return _add_trace_to_retrieval(outcome.result, outcome.trace)

    def context(
        self,
        question: str,
        tokens: int = 4000,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
    ) -> Context:
        """Pack the evidence for a question into at most ``tokens`` tokens, for a language model of your own.

        Its blocks are numbered, the most important first, without repetition (`Context.text`, `Context.messages`,
        `Context.citations`). Tokens are estimated, rather too many: a word counts as one for each five letters.
        ``k`` is how much evidence is retrieved, by default enough to fill the context. Others: as for `ask`.

        Raises:
            UsageError: ``tokens`` is no whole number of at least 100, or as for `ask`.
        """
        from hopline.answers.context import build_context, check_token_limit, choose_depth

        limit = check_token_limit(tokens)
        question = _normalize_question(question)
        retrieve = self._load_retrieval(strategy, collection, choose_depth(limit, k, self.settings.k))
        flow = build_context(question, retrieve, tokens=limit, reader=self.settings.reader != NO_READER)
        scope = self._connections.resolve_scope(collection, documents, filter)
        if scope.is_empty:
            nothing = self._retrieve_nothing(question, strategy, collection, scope)
            return Context(question, collection, nothing.strategy, limit=limit)
        return self._connections.run(flow, scope).result

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
    ) -> list[Retrieval | HoplineError]:
        """Many questions side by side, in order; one that fails has its error in its place."""
        from hopline.flow.run import run_many

        if isinstance(questions, str):
            raise UsageError(f"retrieve_many wants a list of questions, got the text {questions!r:.80}; use retrieve")
        retrieve = self._load_retrieval(strategy, collection, k)
        flows = [retrieve(_normalize_question(question)) for question in questions]
        scope = self._connections.resolve_scope(collection, documents, filter)
        if scope.is_empty:
            return [self._retrieve_nothing(question, strategy, collection, scope) for question in questions]
        outcomes = run_many(flows, self._connections.services, scope, budget=self._connections.create_budget())
        return [
            outcome if isinstance(outcome, HoplineError) else _add_trace_to_retrieval(outcome.result, outcome.trace)
            for outcome in outcomes
        ]

    def compare(
        self,
        question: str,
        *,
        strategies: Sequence[str],
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        k: int | None = None,
    ) -> dict[str, Retrieval]:
        """Retrieve the evidence for one question with several strategies; returns the retrieval of each."""
        if isinstance(strategies, str):
            raise UsageError(f"compare wants a list of strategies, got the text {strategies!r}; use [{strategies!r}]")
        scope: dict[str, Any] = {"collection": collection, "documents": documents, "filter": filter}
        return {name: self.retrieve(question, **scope, strategy=name, k=k) for name in strategies}

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        """Every strategy by name, with its one-line summary.

        ``usable`` leaves out strategies that need a model if none is configured, and the lower and upper bounds.
        """
        from hopline.strategies import load_working_strategies

        strategies = load_working_strategies()
        if usable:
            strategies = [strategy for strategy in strategies if not (strategy.closed_book or strategy.needs_gold)]
            strategies = [
                strategy
                for strategy in strategies
                if self._connections.language_model is not None or not strategy.needs_model
            ]
        return {strategy.name: strategy.summary for strategy in strategies}

    def suggest_questions(self, collection: str = "default", *, limit: int = 5) -> list[SuggestedQuestion]:
        """Suggest questions that a collection answers, at most ``limit``, which is from 1 to 20.

        They are built from its triples, tables and bibliography and asked without a language model; a question is
        suggested if its answer is the expected one. This takes about as long as asking them; the result is kept until
        the graph of the collection changes.

        Raises:
            UnknownName: no such collection.
            UsageError: ``limit`` is out of range.
        """
        if self._suggester is None:
            from hopline.question_suggestions import QuestionSuggester

            self._suggester = QuestionSuggester(self._connections)
        return self._suggester.suggest(collection, limit)

    def answer_from_graph(
        self, question: str, *, collection: str = "default", filter: str = "", strategy: str = "ras"
    ) -> str:
        """Answer a question with the trained GraphLLM, from the facts that ``ras`` retrieves; without citations.

        The answer is "" if no document matches the filter. With the strategy ``ras:answer_from=graph`` the configured
        language model answers.

        Raises:
            UsageError: the question is not a string, GraphLLM was not trained on this machine, or the strategy is not
                ``ras``; says what to do.
            ModelError: the configured language model is to answer, and there is none or it failed.
            UnknownName: no such collection, or no document has a key of the filter.
        """
        from hopline.answers.query_graph_answer import answer_from_query_graph, find_answer_source
        from hopline.answers.short_answer import ShortAnswerModel
        from hopline.strategies import load_strategy

        chosen = load_strategy(strategy)
        if chosen.name != "ras":
            raise UsageError(f"answers from a query's graph need the strategy ras (got {strategy})")
        question = " ".join(_normalize_question(question).split())
        if not question:
            return ""
        llm = self._connections.services.language_model
        model = None
        if find_answer_source(chosen) == "graph":
            model = ShortAnswerModel(llm.name if llm is not None else "", self.settings.model_context)
        scope = self._connections.resolve_scope(collection, filter=filter)
        if scope.is_empty:
            return ""
        flow = answer_from_query_graph(chosen, question, self.settings.k, model=model)
        answer = self._connections.run(flow, scope).result
        if answer.model_error:
            raise ModelError(answer.model_error)
        return answer.short

    def evidence_graph(
        self,
        question: str,
        facts: Mapping[str, str],
        *,
        follows: Literal["likeness", "network", "model"] = "likeness",
        merge: MergeOption = "usual",
        gamma: float | None = None,
    ) -> EvidenceGraph:
        """Build the evidence graph of given facts (texts by id), as `graph_hop` does after its search.

        ``merge="usual"`` is equation 2 of Graph-Hop (Zhu et al. 2024), or the forward graph for ``follows="likeness"``.
        ``gamma`` in [0, 1] is its γ; by default that of the training for ``follows="network"``, and else .1.

        Raises:
            UsageError: the question is not a string, or ``follows="network"`` without a trained network; says how to
                train one.
            ModelUnavailable: ``follows="model"`` without a language model.
        """
        from hopline.flow.services import Scope
        from hopline.results import EvidenceGraph, Node
        from hopline.retrieval.agent.bidirectional_search import build_evidence_graph
        from hopline.scoring.evidence_graph import sort_topologically

        question = " ".join(_normalize_question(question).split())
        texts = {id: normalize_text(text) for id, text in facts.items()}
        flow = build_evidence_graph(question, list(texts.items()), follows=follows, rule=merge, gamma=gamma)
        edges = self._connections.run(flow, Scope("")).result
        return EvidenceGraph(tuple(Node(id, "passage", texts[id]) for id in sort_topologically(edges)), tuple(edges))

    # -- short forms of the calls that are used most

    def add(
        self,
        paths: Paths,
        collection: str = "default",
        *,
        titles: Titles = "keep",
        max_calls: int | None = None,
        metadata: MetadataChange | None = None,
        remove_missing: bool = False,
    ) -> Batch:
        """Add files and folders: `hopline.documents.library.DocumentLibrary.add`."""
        return self.documents.add(
            paths, collection, titles=titles, max_calls=max_calls, metadata=metadata, remove_missing=remove_missing
        )

    def add_texts(
        self,
        texts: Sequence[str],
        titles: Sequence[str | None] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
        collection: str = "default",
        *,
        max_calls: int | None = None,
    ) -> Batch:
        """Add texts, each as a document: `hopline.documents.library.DocumentLibrary.add_texts`."""
        return self.documents.add_texts(texts, titles, metadata, collection, max_calls=max_calls)

    def add_documents(
        self, documents: Iterable[Any], collection: str = "default", *, max_calls: int | None = None
    ) -> Batch:
        """Add documents of other libraries: `hopline.documents.library.DocumentLibrary.add_documents`."""
        return self.documents.add_documents(documents, collection, max_calls=max_calls)

    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """Estimate the work of adding files: `hopline.documents.library.DocumentLibrary.estimate`."""
        return self.documents.estimate(paths, collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove a document or a collection: `hopline.documents.library.DocumentLibrary.remove`."""
        return self.documents.remove(document, collection=collection)

    def explore(self, node: str, hops: int = 1, *, limit: int = 300, uncertain: bool = False) -> Neighbourhood:
        """The neighbourhood of a node: `hopline.graph_explorer.GraphExplorer.get_neighbourhood`."""
        return self.graph.get_neighbourhood(node, hops, limit=limit, uncertain=uncertain)

    def same_names(self, collection: str = "default", *, limit: int = 20) -> list[MergeSuggestion]:
        """Entities that may be the same: `hopline.entities.resolution.EntityResolution.similar_names`."""
        return self.entities.similar_names(collection, limit=limit)

    def merge(self, source: str, target: str) -> None:
        """Merge one entity into another: `hopline.entities.resolution.EntityResolution.merge`."""
        self.entities.merge(source, target)

    def undo(self, decision: str) -> None:
        """Undo a decision about entities: `hopline.entities.resolution.EntityResolution.undo`."""
        self.entities.undo(decision)

    def _abstain(self, question: str, strategy: str | Strategy | None, collection: str, scope: Scope) -> Answer:
        """Return the answer to a question for which nothing is searched."""
        retrieval = self._retrieve_nothing(question, strategy, collection, scope)
        notice = f"{scope.notice[0].upper()}{scope.notice[1:]}."
        return Answer(question, (), retrieval, abstained=True, notice=notice)

    def _retrieve_nothing(
        self, question: str, strategy: str | Strategy | None, collection: str, scope: Scope
    ) -> Retrieval:
        from hopline.strategies import load_strategy

        loaded = load_strategy(strategy or self.settings.strategy)
        return Retrieval(question, loaded.spec or loaded.name, collection, not_searched=scope.notice)

    def _load_retrieval(
        self, strategy: str | Strategy | None, collection: str, k: int | None
    ) -> Callable[[str], Flow[Retrieval]]:
        """Load a strategy, or that of the settings, and return the function that retrieves with it for a question."""
        from hopline.retrieval.evidence_retrieval import retrieve_evidence
        from hopline.strategies import load_strategy

        count = self.settings.k if k is None else k
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise UsageError(f"k must be at least 1, a whole number (got {count!r})")
        loaded = load_strategy(strategy or self.settings.strategy)
        return lambda question: retrieve_evidence(loaded, question, count, collection=collection)


def _draw_progress(next_progress: Callable[[], Progress]) -> None:
    from hopline.rendering import show_progress

    show_progress(next_progress)


def _normalize_question(question: str) -> str:
    """Return the question without characters that cannot be encoded.

    Raises:
        UsageError: it is no text.
    """
    if not isinstance(question, str):
        raise UsageError(f"a question is a text; got {question!r:.80}, of type {type(question).__name__}")
    return normalize_text(question)


def _add_trace(answer: Answer, trace: Trace) -> Answer:
    return replace(answer, retrieval=_add_trace_to_retrieval(answer.retrieval, trace))


def _add_trace_to_retrieval(retrieval: Retrieval, trace: Trace) -> Retrieval:
    return replace(retrieval, trace=trace)
