import numpy as np
import pytest

from hopline.learned.registry import ModelRegistry
from hopline.learned.verifier_network import LABELS

MILL = "The mill stands on the Orla. Ada Quist built it in 1871. It burned down in 1902 and was never rebuilt."


@pytest.fixture(scope="module")
def verify(tmp_path_factory):
    registry = ModelRegistry(tmp_path_factory.mktemp("home"))

    def verify(*claims: tuple[str, str, str, str]) -> list[str]:
        rows = registry.infer("verifier", {"claims": claims})
        return [LABELS[number] for number in np.argmax(rows, axis=1)]

    return verify


@pytest.mark.parametrize(
    ("question", "answer", "label"),
    [
        ("Who built the mill?", "Ada Quist", "supported"),
        ("When was the mill built?", "1871", "supported"),
        ("When was the mill built?", "1902", "contradicted"),
        ("Was the mill built by Ada Quist?", "yes", "supported"),
        ("Was the mill built by Ada Quist?", "no", "contradicted"),
        ("", "Ada Quist built the mill.", "supported"),
        ("", "Ada Quist built the mill in 1902.", "contradicted"),
        ("", "The mill was rebuilt.", "contradicted"),
    ],
)
def test_the_included_verifier_compares_an_answer_with_a_passage(verify, question, answer, label):
    assert verify((question, answer, "Orla Mill", MILL)) == [label]


def test_the_rows_of_several_claims_are_in_their_order(verify):
    claims = [("Who built the mill?", name, "", MILL) for name in ("Ada Quist", "Rune Salk", "Ada Quist")]
    assert [label == "supported" for label in verify(*claims)] == [True, False, True]
    assert [label == "supported" for label in verify(*claims[1:])] == [False, True]
