"""The code blocks of a Markdown page, in order, and how each kind is run."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from neo4j import READ_ACCESS, Driver

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^>]+?) -->\n+)?^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
NOT_CODE = {"text", "mermaid"}  # output, drawings


@dataclass(frozen=True)
class Block:
    """One fenced block; ``reason`` says why it is not run, "" where it is."""

    language: str
    code: str
    line: int
    reason: str = ""


def blocks_of(text: str) -> Iterator[Block]:
    for match in FENCE.finditer(text):
        indent = match["indent"]
        code = "\n".join(line.removeprefix(indent) for line in match["code"].splitlines())
        yield Block(
            match["language"], code + "\n", text[: match.start("language")].count("\n") + 1, match["reason"] or ""
        )


@dataclass
class Runner:
    """Runs the blocks of one page, in order, in one folder with one environment and one Python namespace."""

    folder: Path
    environment: dict[str, str]
    driver: Driver
    replace: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__docs__"})

    def run(self, block: Block, page: str) -> None:
        code = block.code
        for documented, real in self.replace.items():
            code = code.replace(documented, real)
        match block.language:
            case "python":
                self._python(code, f"{page}:{block.line}", block.line)
            case "console":
                self._console(code, f"{page}:{block.line}")
            case "cypher":
                self._cypher(code)
            case "json":
                json.loads(code)
            case "jsonl":
                [json.loads(line) for line in code.splitlines()]
            case "yaml":
                yaml.safe_load(code)
            case "toml":
                tomllib.loads(code)
            case other:
                raise AssertionError(f"{page}:{block.line}: blocks of kind {other!r} cannot be run")

    def _python(self, code: str, location: str, line: int) -> None:
        tree = ast.increment_lineno(ast.parse(code, location), line)
        before, there = dict(os.environ), Path.cwd()
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        try:
            exec(compile(tree, location, "exec"), self.names)
        finally:
            os.chdir(there)
            os.environ.clear()
            os.environ.update(before)

    def _console(self, code: str, location: str) -> None:
        """Run every line behind "$ "; the environment that they leave is that of the next block."""
        commands = re.sub(r"\\\n> ?", "", code)
        lines = [line.removeprefix("$ ") for line in commands.splitlines() if line.startswith("$ ")]
        assert lines, f"{location}: no line begins with '$ '"
        left = self.folder / ".environment"
        script = "\n".join(["set -e", *lines, f"env -0 > '{left}'"])
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{location}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
        pairs = (variable.partition("=") for variable in left.read_text().split("\0") if variable)
        self.environment = {name: value for name, _, value in pairs}

    def _cypher(self, code: str) -> None:
        """Run statements in a read transaction, with the parameters of the page's collection."""
        statements = [text.strip() for text in re.sub(r"^//.*$", "", code, flags=re.MULTILINE).split(";")]
        with self.driver.session(default_access_mode=READ_ACCESS) as session:
            for statement in filter(None, statements):
                session.run(statement, self.parameters).consume()


def environment_for(home: Path) -> dict[str, str]:
    """The environment of a reader: the commands of this installation, a home of its own, no model."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("HOPLINE_", "OPENAI_"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), keep.get("PATH", "")])
    return keep | {"PATH": path, "HOPLINE_HOME": str(home), "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
