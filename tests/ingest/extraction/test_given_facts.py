from hopline_ingest.extraction import EXTRACTOR, ExtractionInput, extract_batch

TEXT = "The tern flew over Port Sorrel. Ada Quill  saw it in Port Sorrel."


def read(**facts):
    return extract_batch([ExtractionInput("g", "passage", TEXT, title="Terns (birds)", **facts)])[0]


def test_given_entities_are_found_in_the_text_and_nothing_else_is():
    extraction = read(given_entities=("Ada Quill", "Port Sorrel", "Atlantis"))
    spans = {mention.name: [TEXT[a:b] for a, b in mention.spans] for mention in extraction.mentions}
    assert spans == {"Ada Quill": ["Ada Quill"], "Port Sorrel": ["Port Sorrel"] * 2, "Atlantis": []}
    assert extraction.extractor == "given"
    assert extraction.triples == ()


def test_given_triples_name_their_entities_and_their_sentence():
    extraction = read(given_triples=(("Ada Quill", "saw", "tern"),), given_entities=None)
    assert {mention.name for mention in extraction.mentions} == {"Ada Quill", "tern"}
    [triple] = extraction.triples
    assert TEXT[slice(*triple.span)] == TEXT


def test_a_given_triple_is_tied_to_the_sentence_with_most_of_its_words():
    sentences = ((0, 31), (32, len(TEXT)))
    extraction = read(given_triples=(("Ada Quill", "saw", "tern"),), sentences=sentences)
    assert extraction.triples[0].span == sentences[1]


def test_subjects_still_come_from_the_title():
    assert [(subject.name, subject.by) for subject in read(given_entities=()).about] == [("Terns", "title")]


def test_empty_names_and_repeats_are_left_out():
    extraction = read(given_entities=("", " ", "Port Sorrel", "port sorrel"), given_triples=(("a", "", "b"),))
    assert [mention.name for mention in extraction.mentions] == ["Port Sorrel"]
    assert extraction.triples == ()


def test_given_rows_and_others_keep_their_order():
    read = extract_batch(
        [
            ExtractionInput("a", "passage", "Paris is in France."),
            ExtractionInput("b", "passage", "x", given_entities=("x",)),
            ExtractionInput("c", "table", "| a | b |\n| d | e |\n"),
        ]
    )
    assert [(extraction.id, extraction.extractor) for extraction in read] == [
        ("a", EXTRACTOR),
        ("b", "given"),
        ("c", EXTRACTOR),
    ]
