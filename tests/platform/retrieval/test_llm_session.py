"""Replies that a strategy can use."""

import json

import pytest

from hopline.flow.requests import Reply
from hopline.llm.json_output import build_validator, parse_reply
from hopline.retrieval.agent import bidirectional_search, llm_triples, query_graph
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, LlmSession, object_schema
from hopline.retrieval.page_table_references import lookup


def test_a_truncated_reply_is_used_only_if_it_has_every_required_property():
    schema = object_schema(thought=TEXT, done=YES_NO)
    whole, cut = {"thought": "Vale built it.", "done": True}, {"thought": "Vale built it."}
    flow = LlmSession().ask_all(["a", "b"], schema, system="")
    next(flow)
    with pytest.raises(StopIteration) as stop:
        flow.send([Reply("", whole, truncated=True), Reply("", cut, truncated=True)])
    assert stop.value.value == [whole, None]


def test_a_prompt_is_sent_once_per_session_and_instruction():
    session, schema = LlmSession(), object_schema(thought=TEXT)
    first = session.ask_all(["a", "b", "a"], schema, system="one")
    assert next(first).prompts == ("a", "b")
    with pytest.raises(StopIteration) as stop:
        first.send([Reply("", {"thought": "A"}), Reply("…", None, "no JSON")])
    assert stop.value.value == [{"thought": "A"}, None, {"thought": "A"}]
    again = session.ask_all(["b", "c", "a"], schema, system="one")
    assert next(again).prompts == ("c",)
    with pytest.raises(StopIteration) as stop:
        again.send([Reply("", {"thought": "C"})])
    assert stop.value.value == [None, {"thought": "C"}, {"thought": "A"}]
    assert next(session.ask("a", schema, system="two")).prompts == ("a",)


LISTS = {
    "triples that help (GEAR)": llm_triples.SCHEMA,
    "facts of a passage (RAS)": query_graph.SCHEMA,
    "chains of an evidence graph (Graph-Hop)": bidirectional_search.SCHEMA,
    "pages and tables of a question (KGP)": lookup.SCHEMA,
}


@pytest.mark.parametrize("extra", [1, 7])
@pytest.mark.parametrize("schema", LISTS.values(), ids=LISTS)
def test_a_reply_with_more_items_than_its_schema_allows_is_cut_and_not_refused(schema, extra, fill_schema):
    [(name, array)] = schema["properties"].items()
    item = fill_schema(array["items"])
    data, problem = parse_reply(json.dumps({name: [item] * (array["maxItems"] + extra)}), build_validator(schema))
    assert (data, problem) == ({name: [item] * array["maxItems"]}, "")
