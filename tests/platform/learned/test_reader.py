import pytest

from hopline.learned.reading import Reading
from hopline.learned.registry import ModelRegistry

MILL = "The mill stands on the Orla. Ada Quist built it in 1871. It burned down in 1902 and was never rebuilt."
RIVER = "The Orla rises in the hills above Lund and flows into the sea near Ystad. It is 61 km long."


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    registry = ModelRegistry(tmp_path_factory.mktemp("home"))

    def read(question: str, *passages: tuple[str, str]) -> list[Reading]:
        rows = registry.infer("reader", {"question": question, "passages": passages})
        return [Reading.from_row(row) for row in rows]

    return read


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built the mill?", "Ada Quist"),
        ("When was the mill built?", "1871"),
        ("In which year did it burn down?", "1902"),
        ("On which river does the mill stand?", "Orla"),
    ],
)
def test_the_included_reader_finds_the_answer_in_the_passage_that_has_it(read, question, answer):
    mill, river = read(question, ("Orla Mill", MILL), ("Orla", RIVER))
    assert answer in MILL[mill.start : mill.end]
    assert mill.score > river.score


def test_a_passage_is_read_the_same_alone_and_among_others(read):
    [alone] = read("Who built the mill?", ("", MILL))
    *_, among = read("Who built the mill?", ("", RIVER), ("a header", RIVER * 4), ("", MILL))
    assert (alone.start, alone.end) == (among.start, among.end)
    # products in bfloat16 depend on the shape of the batch; a passage that reads another one differs by far more
    assert alone.margin == pytest.approx(among.margin, abs=0.01)
