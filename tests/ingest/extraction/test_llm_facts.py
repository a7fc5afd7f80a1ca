import pytest

from hopline.errors import ReplyError
from hopline_ingest.extraction.llm.facts import build_facts


def build_reply(entities, *triples):
    ends = ("subject", "predicate", "object")
    return {"entities": entities, "triples": [dict(zip(ends, triple, strict=True)) for triple in triples]}


def test_the_facts_are_those_of_the_reply():
    facts = build_facts(build_reply(["Ada", "Tern  Light"], ("Ada", "kept", "Tern\nLight")))
    assert facts.entities == ("Ada", "Tern Light")
    assert facts.triples == (("Ada", "kept", "Tern Light"),)
    assert build_facts(build_reply(["Ada"])).triples == ()


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (build_reply([]), "list of entities was empty"),
        (build_reply(["it"]), "list of entities was empty"),
        (build_reply(["Ada"], ("Bo", "kept", "Tern")), "listed entity"),
    ],
)
def test_a_reply_without_usable_facts_raises_an_error_with_the_reason(reply, complaint):
    with pytest.raises(ReplyError, match=complaint):
        build_facts(reply)


def test_triples_without_a_listed_entity_and_pronouns_are_dropped():
    facts = build_facts(
        build_reply(
            ["Ada", "it"],
            ("Ada", "kept", "Tern"),
            ("Bo", "saw", "Cy"),
            ("it", "saw", "Ada"),
            ("Ada", "is", "ada"),
            ("ada", "Kept", "tern"),
        )
    )
    assert facts.triples == (("Ada", "kept", "Tern"),)
    assert facts.entities == ("Ada",)
