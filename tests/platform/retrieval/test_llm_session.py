"""Replies that a strategy can use."""

import pytest

from hopline.flow.requests import Reply
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, LlmSession, object_schema


def test_a_truncated_reply_is_used_only_if_it_has_every_required_property():
    schema = object_schema(thought=TEXT, done=YES_NO)
    whole, cut = {"thought": "Vale built it.", "done": True}, {"thought": "Vale built it."}
    flow = LlmSession().ask_all(["a", "b"], schema, system="")
    next(flow)
    with pytest.raises(StopIteration) as stop:
        flow.send([Reply("", whole, truncated=True), Reply("", cut, truncated=True)])
    assert stop.value.value == [whole, None]
