"""The project's own Python files, parsed."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The same that import-linter holds to its layers.
APPS: tuple[str, ...] = tuple(
    tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
)
ELSEWHERE = ("tests", "benchmarks", "deploy")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file, parsed."""

    path: Path
    name: str
    lines: int
    tree: ast.Module

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones too."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield node

    def attributes(self) -> set[str]:
        """Every attribute name."""
        return {node.attr for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)}

    def imports(self) -> set[str]:
        """Dotted names of what is imported, anywhere in the file."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
        return found


def sources(*folders: str) -> list[Source]:
    """The Python files in these folders, without migrations."""
    return [
        read(path)
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "migrations" not in path.relative_to(ROOT).parts
    ]


@cache
def read(path: Path) -> Source:
    text = path.read_text()
    name = str(path.relative_to(ROOT))
    return Source(path, name, text.count("\n"), ast.parse(text, name))


def length(function: Function) -> int:
    """Lines of a function, its docstring and decorators not counted."""
    first = function.body[0]
    has_docstring = ast.get_docstring(function) is not None
    documented = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - documented
