"""`scripts/names.py`: which names it reports."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "names.py"


@pytest.fixture(scope="module")
def names():
    spec = importlib.util.spec_from_file_location("names_of_code", SCRIPT)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture
def check(names, tmp_path):
    def run(**sources):
        for source, code in sources.items():
            (tmp_path / source).mkdir()
            (tmp_path / source / "module.py").write_text(code)
        return names.check_names(tmp_path)

    return run


@pytest.mark.parametrize(
    "code",
    [
        "def told(): ...",
        "def place(): ...",
        "class C:\n    kept: int",
        "def f(one): ...",
        "[found for found in ()]",
        "self._asked = 1",
        "import x as given",
        "match x:\n    case [*things]: ...",
        "with x as made: ...",
        "class C:\n    @property\n    def said(self): ...",
    ],
)
def test_a_banned_name_is_reported_wherever_it_is_defined(check, code):
    line = code.count("\n") + 1
    assert [problem.split(": ")[0] for problem in check(ui=code)] == [f"ui/module.py:{line}"]


def test_the_use_of_a_banned_name_of_a_library_is_no_problem(check):
    assert check(ui="import x\nx.place(x.one, found=x.given())") == []


@pytest.mark.parametrize("name", ["ordered", "_broken_lines", "waiting", "kept_words"])
def test_a_function_that_begins_with_a_participle_is_reported(check, name):
    assert check(cypher=f"def {name}(): ...") == [f"cypher/module.py:1: {name}: say what it is"]


@pytest.mark.parametrize(
    "code",
    [
        "def embed_batch(): ...",
        "def open(): ...",
        "def find_known(): ...",
        "class C:\n    @property\n    def ordered(self): ...",
        "class C:\n    @cached_property\n    def ordered(self): ...",
        "ordered = 1",
        "def __len__(): ...",
    ],
)
def test_verbs_properties_and_values_may_end_like_participles(check, code):
    assert check(platform=code) == []


def test_two_classes_with_one_name_are_reported_with_both_files(check):
    assert check(ingest="class Table: ...", platform="class Table: ...") == [
        "ingest/module.py:1: Table, platform/module.py:1: Table: one name per class"
    ]


@pytest.mark.parametrize("folder", ["benchmarks", "scripts", "tests"])
def test_the_names_outside_of_the_packages_are_checked(check, folder):
    assert check(**{folder: "found = 1"}) == [f"{folder}/module.py:1: found: say what it is"]


def test_a_class_of_a_test_may_have_the_name_of_another_class(check):
    assert check(tests="class Table: ...\nclass Table: ...", platform="class Table: ...") == []


def test_the_retrievers_for_other_libraries_may_share_a_name_with_one_another_only(names, tmp_path):
    folder = tmp_path / names.INTEGRATIONS
    folder.mkdir(parents=True)
    for library in ("langchain", "haystack"):
        (folder / f"{library}.py").write_text("class Retriever: ...")
    assert names.check_names(tmp_path) == []
    (tmp_path / "platform" / "search.py").write_text("class Retriever: ...")
    assert len(names.check_names(tmp_path)) == 1


def test_the_code_of_this_repository_has_no_problem(names):
    assert names.check_names() == []
