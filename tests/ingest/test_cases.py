"""Small files of kinds that are easily read wrongly: the real worker adds each, and questions are asked over it.

The files of a case are in a folder of ``cases/``, with what is difficult about them in its ``case.json``.
"""

from pathlib import Path

import pypdfium2
import pytest

from hopline import Hopline
from hopline.documents.page_images import render_page
from hopline.results import Answer

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="module")
def case(hop: Hopline):
    """``case("01-…")`` adds the files of a case to a collection of its own and returns its name."""
    collections: dict[str, str] = {}

    def add(name: str) -> str:
        if name not in collections:
            [folder] = CASES.glob(f"{name}*")
            files = [file for file in sorted(folder.iterdir()) if file.name != "case.json"]
            batch = hop.add(files, f"case {name}").wait(timeout=240)
            assert batch.failures == ()
            collections[name] = f"case {name}"
        return collections[name]

    return add


def texts_of(hop: Hopline, collection: str) -> str:
    """All passages and tables of a collection of less than 50 of them."""
    evidence = hop.retrieve("the", collection=collection, strategy="dense", k=50).evidence
    return "\n".join(item.text for item in evidence)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("01", ["Tarn Bridge was opened on 14 May 1931 by the engineer Odile Farrow.", "Span | 212 m"]),
        ("02", ["Zoë Müller owns the café in Lund", "Владимир Орлов основал верфь", "Łodzi zbudował Władysław Żak"]),
        ("03", ["holds H2SO4 and Water", "9 m2", "2nd tank is unused", "North Sea Survey Agency", 'Keel\'s boat, (Petrel), cost "900"']),
        ("04", ["Meeting moved to Tuesday 4 pm", "quokka77", "The pier is closed until 4 May"]),
        ("06", ["Measured with the sonar of the ship Petrel.", "The weather log was kept by Tilda Moss."]),
        (
            "05",
            [
                *("Made by: Hedda Lunn", "Share counted right: 96.4%", "PX-7719 A-17 715", "Part Code | Kind"),
                "should be changed by the store keeper Bo Lind before the summer",
            ],
        ),
        ("07", ["Name of owner: Hedda Lunn", "Length of boat: 11.4 m", "Has insurance: ☒ Wants power: ☐", "Berth: North pier"]),
        ("08", ["Vessel | Built | Yard | Tonnage", "Ship 50 | 1950 | Marl | 2,850"]),
        (
            "13",
            [
                "from the wreck of the Tern and lost its funnel.",
                *("Size 41.5 m[1]", "Launched 2 July 1906[1]", "Yard Senn"),
            ],
        ),
        ("15", ["Tilling of the hillside fill in Millville"]),
        ("14", ["North | water with salt, 3 m3", "The way to mend a net is to start where it is whole."]),
        ("17", ["3. Open the valve.", "3. Close the drain."]),
        ("18", ["Zoë Müller founded the Café Brûlé in 1994."]),
        ("22", ["Heating | 300 | 420 | 720", "All | 2650 | 2725 | 5375"]),
        ("23", ["Milk delivered to the dairy (tonnes)", "Farm | 2021 | 2021 | 2022 | 2022", "Farm | Spring | Autumn | Spring | Autumn"]),
        ("28", ["1. The board approved the purchase of two tugs for 3,450,000 crowns."]),
        ("24", ["Results by region, in million crowns", "Coast | 377 | -4 | 610 | 17"]),
    ],
)  # fmt: skip
def test_the_text_of_a_case_is_stored(hop: Hopline, case, name: str, texts: list[str]) -> None:
    stored = texts_of(hop, case(name))
    assert [text for text in texts if text not in stored] == []


@pytest.mark.parametrize(
    ("name", "question", "short"),
    [
        ("01", "Who opened Tarn Bridge?", "Odile Farrow"),
        ("04", "When was the meeting moved to?", "Tuesday 4 pm"),
        ("04", "What is the wifi password of the Oxby clubhouse?", "quokka77"),
        ("04", "Until when is the pier closed?", "4 May"),
        ("06", "With what was the depth measured?", "sonar of the ship Petrel"),
        ("06", "Who kept the weather log?", "Tilda Moss"),
        ("05", "Who made the stock check?", "Hedda Lunn"),
        ("05", "What share was counted right?", "96.4"),
        ("07", "Who is the owner of the boat?", "Hedda Lunn"),
        ("07", "How long is the boat?", "11.4 m"),
        ("07", "Which berth is wanted?", "North pier"),
        ("08", "What is the tonnage of Ship 50?", "2,850"),
        ("08", "What is the tonnage of Ship 20?", "1,740"),
        ("13", "What did the Petrel lose in the storm of 1953?", "its funnel"),
        ("13", "What is the size of the Petrel?", "41.5 m"),
        ("17", "What is step 3 of the winch manual?", "Open the valve"),
        ("17", "What is step 3 of the start of the pump?", "Close the drain"),
        ("18", "Who founded the Café Brûlé?", "Zoë Müller"),
        ("18", "Who founded the Cafe Brule?", "Zoë Müller"),
        ("18", "When did Zoe Muller found the café?", "1994"),
        ("22", "What does heating cost in the year?", "720"),
        ("22", "What are the costs of Guards in the whole year?", "4350"),
        ("23", "How much milk did Brua deliver in autumn 2021?", "15"),
        ("23", "How much milk did Dale deliver in spring 2022?", "58"),
        ("23", "Which farm delivered most in autumn 2022?", "Dale"),
        ("24", "What is the profit of the region Coast?", "-4"),
        ("24", "How many shops does Inland have?", "41"),
        ("24", "What were the sales of North?", "512"),
        ("24", "Which region has the largest staff?", "Inland"),
        ("28", "What did the board approve?", "the purchase of two tugs"),
        ("28", "How much do the two tugs cost?", "3,450,000"),
        ("25", "Who is the guard at gate G7?", "Sara Lind"),
        ("25", "From when is Pavel Horn at gate G4?", "06:00"),
        ("25", "Who has key 12?", "Mona Rehn"),
        ("27", "Where is the membership form?", "https://club.example.org/forms/2024"),
        ("27", "Where can I find Annex B?", "https://club.example.org/annex-b.pdf"),
        ("27", "Where can I find the damage form?", "https://rent.example.org/damage"),
    ],
)
def test_a_question_of_a_case_is_answered(hop: Hopline, case, name: str, question: str, short: str) -> None:
    answer: Answer = hop.ask(question, collection=case(name))
    assert not answer.abstained
    assert short in (answer.short or answer.sentences[0].text)


@pytest.mark.parametrize("question", ["What does the door cost us?", "What is the price of the withdrawn gate?"])
def test_hidden_parts_of_a_workbook_are_listed_and_not_answered(hop: Hopline, case, question: str) -> None:
    answer = hop.ask(question, collection=case("33"))
    assert not {"310", "700"} & set(answer.short.split())
    [document] = hop.documents(collection=case("33"))
    left_out = " ".join(document.left_out)
    assert all(text in left_out for text in ("Kolb Ltd", "Withdrawn gate", "310"))


def test_a_cell_with_formatted_text_and_a_layout_table_are_stored_once(hop: Hopline, case) -> None:
    stored = texts_of(hop, case("14"))
    assert stored.count("water with salt") == 1
    assert stored.count("mend a net") == 1


def test_an_image_is_read_like_a_scan_and_shown_with_the_quote(hop: Hopline, tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(next(CASES.glob("28*")) / "minutes.pdf") as document:
        document[0].render(scale=200 / 72).to_pil().save(tmp_path / "minutes.png", dpi=(200, 200))
    assert hop.add(tmp_path / "minutes.png", "case image").wait(timeout=240).failures == ()
    answer = hop.ask("What will be raised by 1.5 metres?", collection="case image")
    assert answer.short == "breakwater"
    [citation] = answer.sentences[0].citations
    picture = render_page(tmp_path / "minutes.png", 1, citation.boxes, whole=False)
    assert picture.startswith(b"\x89PNG")


def test_numbered_things_are_entities_of_their_own(hop: Hopline, case) -> None:
    collection = case("16")
    names = {entity.node.name: entity.node.id for entity in hop.graph.list_entities(collection)}
    assert {"Pump P-12", "Pump P-13"} <= set(names)
    assert not {"Pump", "pumps", "Harrow Ltd. Pump"} & set(names)
    triples = {
        name: {(triple.subject, triple.predicate, triple.object) for triple in hop.graph.get_node(names[name]).triples}
        for name in ("Pump P-12", "Pump P-13")
    }
    assert ("Harrow Ltd.", "built", "Pump P-12") in triples["Pump P-12"]
    assert ("Senn AG", "built", "Pump P-13") in triples["Pump P-13"]
    assert not [triple for triple in triples["Pump P-13"] if "P-12" in "".join(triple)]
    assert hop.ask("Who built Pump P-13?", collection=collection).short == "Senn AG"
