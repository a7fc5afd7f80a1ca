from hopline_ingest.extract import Readable, read_batch


def _read(text: str, **given: object):
    return read_batch([Readable("p", "passage", text, **given)])[0]


def _triples(text: str, **given: object) -> set[tuple[str, str, str]]:
    return {(t.subject, t.predicate, t.object) for t in _read(text, **given).triples}


def test_a_clause_gives_subject_predicate_and_object():
    assert ("Marie Curie", "discovered", "radium") in _triples("Marie Curie discovered radium in Paris.")


def test_a_passive_with_an_agent_is_turned():
    assert ("Ada Brandt", "founded", "Halcyon Robotics") in _triples(
        "Halcyon Robotics was founded by Ada Brandt in 1998."
    )


def test_every_span_of_a_mention_holds_a_form_of_it():
    extraction = _read("The World Health Organization (WHO) met in Geneva. The WHO said so.")
    who = next(m for m in extraction.mentions if m.name == "World Health Organization")
    text = "The World Health Organization (WHO) met in Geneva. The WHO said so."
    assert {text[a:b] for a, b in who.spans} >= {"WHO"}
    assert who.aliases == ("WHO",)
    assert extraction.aliases == (("WHO", "World Health Organization"),)


def test_one_text_that_fails_costs_only_itself():
    texts = ["\ud800 Paris.", "", "Paris is the capital of France."]
    read = read_batch([Readable(str(n), "passage", text) for n, text in enumerate(texts)])
    assert [one.id for one in read] == ["0", "1", "2"]
    assert any(m.name == "France" for m in read[2].mentions)
