"""No module imports another that imports it back, not even for types or inside a function."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from tests.architecture.sources import APPS, Source, sources


def module_name(source: Source) -> str:
    return source.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported_names(source: Source, modules: set[str]) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in modules else node.module


def test_modules_do_not_import_each_other() -> None:
    by_name = {module_name(source): source for source in sources(*APPS)}
    modules = set(by_name)
    graph = {
        name: modules & set(imported_names(source, modules)) for name, source in by_name.items()
    }
    cycle: list[str] = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle = error.args[1]
    assert cycle == []
