"""SyncGE and the GEAR agent on triples of three passages, with canned replies."""

import pytest

from hopline.errors import BudgetSpent
from hopline.flow.replay import replay
from hopline.strategies import load_strategy

QUESTION, EAST = "harbour", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "harbour one", [1, 0, 0, 0])
    graph.passage("b", "nothing like it", [0, 1, 0, 0], "two.pdf")
    graph.passage("c", "nor this", [0, 0, 1, 0], "two.pdf")
    graph.triple("a", "Vale", "built", "the harbour", [1, 0, 0, 0])
    graph.triple("b", "Vale", "studied in", "Trondheim", [0.6, 0.8, 0, 0])
    graph.triple("c", "Orre", "exports", "slate", [0, 0, 1, 0])
    graph.embedder.known |= {"Orre sells slate": [0, 0.1, 1, 0], "Vale was at Trondheim": [0.5, 0.8, 0, 0]}
    graph.embedder.known["Vale built the harbour"] = [1, 0, 0, 0]  # without it, all triples are equally far
    return graph


def read(*triples):
    return {"triples": [dict(zip(("subject", "predicate", "object"), item, strict=True)) for item in triples]}


def test_the_beam_starts_at_the_triples_nearest_to_the_extracted_ones(graph, make_chat):
    chat = make_chat(read(("Orre", "sells", "slate")))
    ranking = graph.rank("sync_ge:base=text,length=1", QUESTION, EAST, chat=chat)
    assert graph.keys(ranking.ids) == ["a", "c"]  # a by the base list, c by the linked triple
    assert ranking.scores == pytest.approx((1 / 61, 1 / 61))
    [step] = ranking.paths[graph.id("c")]
    assert (step.source.kind, step.edge, step.target.id) == ("triple", "STATES", graph.id("c"))
    assert "harbour one" in chat.prompts[0].text


def test_the_beam_is_extended_from_its_start(graph, make_chat):
    ranking = graph.rank(
        "sync_ge:base=text", "nor this", [0, 0, 1, 0], chat=make_chat(read(("Vale", "was at", "Trondheim")))
    )
    assert graph.keys(ranking.ids) == ["b", "c", "a"]  # c 1/61 and b 1/61 (ties by id), then a: second of the beam
    assert [step.edge for step in ranking.paths[graph.id("a")]] == ["SUBJECT", "SUBJECT", "STATES"]


@pytest.mark.parametrize("reply", ["", read(), read(("", "", ""))])
def test_without_extracted_triples_the_result_is_that_of_naive_ge(graph, make_chat, reply):
    naive = graph.rank("naive_ge:base=text", QUESTION, EAST)
    assert graph.rank("sync_ge:base=text", QUESTION, EAST, chat=make_chat(reply)) == naive


def test_the_base_list_can_include_triples(graph, make_chat):
    ranking = graph.rank("sync_ge:base=dense,over=both,length=1", "slate", [0, 0, 1, 0], 2, chat=make_chat(""))
    assert graph.keys(ranking.ids)[0] == "c"


TWO_STEPS = [
    read(("Vale", "built", "the harbour")),  # sync
    read(("Vale", "built", "the harbour")),  # gist
    {"answerable": False, "missing": "who sells slate"},
    {"query": "nor this"},
    read(("Orre", "sells", "slate")),  # sync
    read(("Vale", "built", "the harbour"), ("Orre", "sells", "slate")),  # gist: the first is known
    {"answerable": True, "missing": ""},
]


def test_the_agent_reads_judges_and_rewrites_until_its_memory_answers(graph, make_chat):
    chat = make_chat(*TWO_STEPS)
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert len(chat.prompts) == 7
    assert set(graph.keys(ranking.ids)) == {"a", "b", "c"}
    assert "Known facts:\n<document>\n- Vale built the harbour" in chat.prompts[5].text
    assert "Question: nor this" in chat.prompts[4].text  # eq. 1 reads for the step's own query
    assert "Question: harbour" in chat.prompts[5].text  # eq. 4 for the original one
    assert chat.prompts[6].text.count("- Vale built the harbour") == 1
    assert ranking.memory == ("Vale built the harbour", "Orre sells slate")


def test_two_rounds_of_the_agent_replay_without_store_or_model(graph, make_chat):
    outcome = graph.outcome("gear:base=text", QUESTION, EAST, chat=make_chat(*TWO_STEPS))
    assert replay(load_strategy("gear:base=text").flow(QUESTION, 10), outcome.trace) == outcome.result


def test_each_triple_of_the_memory_is_linked_to_passages(graph, make_chat):
    graph.embedder.known["Orre exports slate"] = [0, 0, 1, 0]
    chat = make_chat(read(), read(("Orre", "exports", "slate")), {"answerable": True, "missing": ""})
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert set(graph.keys(ranking.ids)) == {"a", "b", "c"}  # c by its triple's words alone
    assert [step.edge for step in ranking.paths[graph.id("c")]] == ["STATES"]


def test_the_loop_ends_if_no_reply_can_be_used(graph, make_chat):
    chat = make_chat("")
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert set(graph.keys(ranking.ids)) == {"a", "b"}  # naive_ge's
    assert len(chat.prompts) == 4  # sync, gist, verdict, query


@pytest.mark.parametrize("unusable", ["", {"query": " "}])
def test_instead_of_an_unusable_query_what_is_missing_is_searched_for(graph, make_chat, unusable):
    missing = {"answerable": False, "missing": "nor this"}
    chat = make_chat(read(), read(), missing, unusable, read(("Orre", "sells", "slate")), read(), {"answerable": True})
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert "Question: nor this" in chat.prompts[4].text
    assert {"a", "c"} <= set(graph.keys(ranking.ids))


def test_without_a_next_query_the_list_is_read_again_while_the_memory_grows(graph, make_chat):
    unknown = {"answerable": False, "missing": ""}
    built, sold = ("Vale", "built", "the harbour"), ("Orre", "sells", "slate")
    chat = make_chat(read(), read(built), unknown, "", read(sold), unknown, "", read())
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert len(chat.prompts) == 8
    assert "Known facts:\n<document>\n- Vale built the harbour\n- Orre sells slate" in chat.prompts[7].text
    assert "c" in graph.keys(ranking.ids), "what the second reading added is linked to passages"


@pytest.mark.parametrize(("out_of_time", "linked"), [(False, True), (True, False)])
def test_the_memory_is_linked_to_passages_unless_the_time_is_over(graph, make_chat, out_of_time, linked):
    spent = BudgetSpent("the budget is spent", out_of_time=out_of_time)
    graph.embedder.known["Orre exports slate"] = [0, 0, 1, 0]
    chat = make_chat(read(), read(("Orre", "exports", "slate")), spent)
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert ("c" in graph.keys(ranking.ids)) == linked


@pytest.mark.parametrize("calls", [2, 3, 4])
def test_a_spent_budget_of_calls_does_not_lose_the_memory(graph, make_chat, calls):
    graph.embedder.known["Orre exports slate"] = [0, 0, 1, 0]
    unknown = {"answerable": False, "missing": "x"}
    chat = make_chat(read(), read(("Orre", "exports", "slate")), unknown, {"query": "nothing like it"}, read())
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat, calls=calls)
    assert len(chat.prompts) == calls
    assert "c" in graph.keys(ranking.ids)


def test_nothing_is_asked_after_the_last_step(graph, make_chat):
    chat = make_chat(
        read(), read(("Orre", "exports", "slate")), {"answerable": False, "missing": "x"}, {"query": "slate"}
    )
    graph.embedder.known["Orre exports slate"] = [0, 0, 1, 0]
    ranking = graph.rank("gear:base=text,steps=1", QUESTION, EAST, chat=chat)
    assert len(chat.prompts) == 2  # sync and gist
    assert "c" in graph.keys(ranking.ids), "the memory of the last step is linked to passages"


def test_a_repeated_query_ends_the_loop(graph, make_chat):
    chat = make_chat(read(), read(), {"answerable": False, "missing": "x"}, {"query": "HARBOUR"})
    graph.rank("gear:base=text", QUESTION, EAST, chat=chat)
    assert len(chat.prompts) == 4


def test_the_limits_on_steps_and_calls_are_respected(graph, make_chat):
    def reply(n):
        return [read(), read(), {"answerable": False, "missing": "x"}, {"query": f"nor this {n}"}]

    chat = make_chat(*reply(1), *reply(2), *reply(3))
    graph.rank("gear:base=text,steps=2", QUESTION, EAST, chat=chat)
    assert len(chat.prompts) == 6, "nothing is asked after the last step, as no query follows"
    chat = make_chat(*reply(1), *reply(2))
    ranking = graph.rank("gear:base=text", QUESTION, EAST, chat=chat, calls=5)
    assert len(chat.prompts) == 5
    assert "a" in graph.keys(ranking.ids)


def test_a_list_without_passages_is_not_read(graph, make_chat):
    chat = make_chat(read(("Vale", "invented", "the moon")))
    ranking = graph.rank("gear:base=text", "zebra", EAST, chat=chat)
    assert chat.prompts == []
    assert ranking.ids == ranking.memory == ()
