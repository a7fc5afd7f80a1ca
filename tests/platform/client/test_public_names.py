"""What `import hopline` gives: the public names, quickly, with types that resolve."""

import inspect
import json
import subprocess
import sys
import typing
from functools import cached_property
from importlib.metadata import version

import pytest

import hopline
import hopline.client
import hopline.records
import hopline.results
from hopline import Hopline

CLASSES = {
    Hopline,
    *(
        member
        for module in (hopline.records, hopline.results)
        for member in vars(module).values()
        if inspect.isclass(member) and member.__module__.startswith(module.__name__)
    ),
    *(member for name in hopline.client.__all__ if inspect.isclass(member := getattr(hopline.client, name))),
}


def function_of(member):
    match member:
        case classmethod() | staticmethod():
            return member.__func__
        case property():
            return member.fget
        case cached_property():
            return member.func
    return member if inspect.isfunction(member) else None


@pytest.mark.parametrize("public_class", sorted(CLASSES, key=lambda public_class: public_class.__qualname__))  # type: ignore[attr-defined]
def test_the_hints_of_every_public_method_resolve(public_class):
    public = {
        name: function_of(inspect.getattr_static(public_class, name))
        for name in dir(public_class)
        if not name.startswith("_")
    }
    for name, function in public.items():
        if function is not None:
            assert "return" in typing.get_type_hints(function), name


def test_an_import_is_light_and_lists_the_public_names():
    code = (
        "import sys; before = set(sys.modules); import hopline; loaded = set(sys.modules) - before\n"
        "packages = {name.partition('.')[0] for name in loaded} - sys.stdlib_module_names\n"
        "import json; print(json.dumps([sorted(packages), dir(hopline)]))"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages, names = json.loads(process.stdout)
    assert packages == ["hopline"], "nothing but the standard library, which is loaded in milliseconds"
    assert names == sorted(hopline.__all__)
    assert {"Hopline", "__version__"} <= set(names)


def test_the_front_door_loads_no_torch_scipy_or_driver():
    code = "import sys; from hopline import Hopline; print(*sorted({'neo4j', 'torch', 'scipy'} & set(sys.modules)))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.split() == []


def test_asking_imports_neither_training_nor_evaluation():
    code = (
        "import sys, pkgutil, hopline.client, hopline.strategies, hopline.answers.pipeline, hopline.documents.library\n"
        "from hopline.strategies import load_strategies; load_strategies()\n"
        "print(*[name for name in sys.modules if name.startswith(('hopline.training', 'hopline.evaluation'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_version_is_that_of_the_installed_package():
    assert hopline.__version__ == version("hopline")


def test_every_public_name_is_there():
    assert all(getattr(hopline, name) for name in hopline.__all__)
