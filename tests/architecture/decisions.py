"""Counts the decisions of a view: in its handlers and in the helpers of the same file they use.

A decision is an `if`, a `match`, a conditional expression, or an `and`/`or` that chooses a value.
These are not decisions of their own:

- the condition of an `if`, however long: it belongs to that one decision;
- an `if` that only raises a validation error: the input has the wrong shape;
- a choice between two constants, such as the status 201 or 200;
- helpers that parse (`read_*`) and helpers that only answer a condition (`-> bool`), as long as
  they use no service.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import reduce

from tests.architecture.sources import Function, Source

HANDLERS = {"get", "post", "put", "patch", "delete"}
VALIDATION_ERRORS = {"InvalidInput", "ValidationError"}


def decisions_of_views(source: Source) -> dict[str, int]:
    """ "file:View.method" -> decisions, for every handler in a file."""
    classes = {n.name: n for n in source.tree.body if isinstance(n, ast.ClassDef)}
    functions = {n.name: n for n in source.tree.body if isinstance(n, Function)}
    services = _names_of_services(source.tree)
    found = {}
    for name in classes:
        known = functions | _methods(classes, name)
        for handler in sorted(HANDLERS):
            if start := known.get(f"self.{handler}"):
                found[f"{source.name}:{name}.{handler}"] = _count(start, known, services)
    return found


def _methods(classes: dict[str, ast.ClassDef], name: str) -> dict[str, Function]:
    """ "self.name" -> method of a class, with those of its bases in the same file."""
    node = classes[name]
    bases = [b.id for b in node.bases if isinstance(b, ast.Name) and b.id in classes]
    inherited: dict[str, Function] = reduce(dict.__or__, (_methods(classes, b) for b in bases), {})
    return inherited | {f"self.{n.name}": n for n in node.body if isinstance(n, Function)}


def _names_of_services(tree: ast.Module) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and "services" in node.module.split(".")
        for alias in node.names
    }


def _count(handler: Function, known: dict[str, Function], services: set[str]) -> int:
    """Decisions of a handler and of everything in this file that it uses, directly or not."""
    found, waiting, total = {f"self.{handler.name}"}, [handler], 0
    while waiting:
        function = waiting.pop()
        used = _used_names(function)
        if function is not handler and _is_parser_or_condition(function) and not used & services:
            continue
        total += sum(1 for _ in _decisions(function))
        new = (used & set(known)) - found
        found |= new
        waiting += [known[name] for name in new]
    return total


def _used_names(function: Function) -> set[str]:
    """Plain names and "self.name" for attributes of `self` and `cls`, called or passed on."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return names | {
        f"self.{node.attr}"
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in {"self", "cls"}
    }


def _is_parser_or_condition(function: Function) -> bool:
    returns = function.returns
    is_condition = isinstance(returns, ast.Name) and returns.id == "bool"
    return is_condition or function.name.lstrip("_").startswith("read_")


def _decisions(node: ast.AST) -> Iterator[ast.AST]:
    inside: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If | ast.IfExp):
        inside = (
            [*node.body, *node.orelse] if isinstance(node, ast.If) else [node.body, node.orelse]
        )
        if not (_only_refuses(node) or _chooses_a_constant(node)):
            yield node
    elif isinstance(node, ast.Match | ast.BoolOp):
        yield node
    for part in inside:
        yield from _decisions(part)


def _only_refuses(node: ast.If | ast.IfExp) -> bool:
    if not isinstance(node, ast.If) or node.orelse:
        return False
    (first, *rest) = node.body
    if rest or not isinstance(first, ast.Raise) or not isinstance(first.exc, ast.Call):
        return False
    kind = first.exc.func
    return isinstance(kind, ast.Name) and kind.id in VALIDATION_ERRORS


def _chooses_a_constant(node: ast.If | ast.IfExp) -> bool:
    return isinstance(node, ast.IfExp) and all(
        isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id.isupper())
        for value in (node.body, node.orelse)
    )
