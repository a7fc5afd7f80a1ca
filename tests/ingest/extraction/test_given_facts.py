from hopline_ingest.extraction import ExtractionInput, extract_batch

TEXT = "The tern flew over Port Sorrel. Ada Quill  saw it in Port Sorrel."


def read(**given):
    return extract_batch([ExtractionInput("g", "passage", TEXT, title="Terns (birds)", **given)])[0]


def test_given_entities_are_found_in_the_text_and_nothing_else_is():
    extraction = read(given_entities=("Ada Quill", "Port Sorrel", "Atlantis"))
    spans = {one.name: [TEXT[a:b] for a, b in one.spans] for one in extraction.mentions}
    assert spans == {"Ada Quill": ["Ada Quill"], "Port Sorrel": ["Port Sorrel"] * 2, "Atlantis": []}
    assert extraction.extractor == "given"
    assert extraction.triples == ()


def test_given_triples_name_their_entities_and_their_sentence():
    extraction = read(given_triples=(("Ada Quill", "saw", "tern"),), given_entities=None)
    assert {one.name for one in extraction.mentions} == {"Ada Quill", "tern"}
    [triple] = extraction.triples
    assert TEXT[slice(*triple.span)] == TEXT


def test_a_given_triple_is_tied_to_the_sentence_with_most_of_its_words():
    sentences = ((0, 31), (32, len(TEXT)))
    extraction = read(given_triples=(("Ada Quill", "saw", "tern"),), sentences=sentences)
    assert extraction.triples[0].span == sentences[1]


def test_subjects_still_come_from_the_title():
    assert [(one.name, one.by) for one in read(given_entities=()).about] == [("Terns", "title")]


def test_empty_names_and_repeats_are_left_out():
    extraction = read(given_entities=("", " ", "Port Sorrel", "port sorrel"), given_triples=(("a", "", "b"),))
    assert [one.name for one in extraction.mentions] == ["Port Sorrel"]
    assert extraction.triples == ()


def test_given_rows_and_others_keep_their_order():
    read = extract_batch(
        [
            ExtractionInput("a", "passage", "Paris is in France."),
            ExtractionInput("b", "passage", "x", given_entities=("x",)),
            ExtractionInput("c", "table", "| a | b |\n| d | e |\n"),
        ]
    )
    assert [(one.id, one.extractor) for one in read] == [("a", "spacy-2"), ("b", "given"), ("c", "spacy-2")]
