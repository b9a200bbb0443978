"""The layering of ARCHITECTURE holds, whatever grows in it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import retain

SOURCE = Path(retain.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
MOST_LINES = 600
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "main", "common", "misc"}

# A part may import itself and what stands here: parts, or single modules of them.
ALLOWED: dict[str, set[str]] = {
    "domain": {"errors"},
    "errors": set(),
    "clock": {"domain"},
    "analysis": {"domain", "errors", "models.base"},
    "models": {"domain", "errors", "analysis"},
    "ledger": {"domain", "errors", "analysis", "clock"},
    "notices": set(),
    "environment": {"errors", "models"},
    "compat": {"errors", "models"},
    "settings": {"domain", "errors", "models", "notices", "environment", "compat"},
    "learn": {"domain", "errors", "notices", "clock", "analysis", "models", "ledger"},
    "recall": {"domain", "errors", "notices", "clock", "analysis", "models", "ledger", "read"},
    "read": {"domain", "errors", "clock", "analysis", "ledger"},
    "curate": {"domain", "errors", "clock", "analysis", "models", "ledger", "read", "learn"},
    "keep": {"domain", "errors", "clock", "analysis", "models", "ledger", "read", "learn"},
    "consolidate": {"domain", "errors", "clock", "analysis", "models", "ledger", "learn"},
    "transfer": {"domain", "errors", "clock", "analysis", "models", "ledger", "read", "learn"},
    "assembly": {"*"},
    "facade": {"domain", "errors", "clock", "settings", "ledger", "models.base", "assembly"},
    "memory": {"domain", "errors", "clock", "settings", "assembly", "facade"},
    "async_memory": {"domain", "errors", "clock", "settings", "memory", "facade"},
    "__init__": {"domain", "errors", "settings", "memory", "async_memory"},
    "evaluation": {
        "domain",
        "errors",
        "settings",
        "models",
        "memory",
        "transfer",
        "__init__",
        "learn.ground",
    },
    "cli": {
        "domain",
        "errors",
        "settings",
        "memory",
        "facade",
        "evaluation",
        "models.choice",
        "__init__",
    },
    "testing": {"domain", "errors", "clock", "analysis", "models", "ledger", "settings", "memory"},
}
CORE_WITHOUT_DATABASE = (
    "domain",
    "analysis",
    "models",
    "learn",
    "recall",
    "read",
    "curate",
    "keep",
)


def _promised() -> set[str]:
    """The methods that the ports describe: who implements one need not describe it again."""
    return {
        node.name
        for port in ("models/base.py", "ledger/port.py")
        for node in ast.walk(ast.parse((SOURCE / port).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None
    }


PROMISED = _promised()


def part_of(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def module_of(file: Path) -> str:
    parts = list(file.relative_to(SOURCE).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(["retain", *parts])


def own_imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "retain")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute here"
            if node.module == "retain":
                yield from (f"retain.{name.name}" for name in node.names)
            elif node.module is not None and node.module.startswith("retain."):
                yield node.module


def imported_part(module: str) -> str:
    name = module.split(".")[1] if "." in module else "__init__"
    known = {part_of(file) for file in FILES}
    return name if name in known else "__init__"


def test_every_part_has_a_rule() -> None:
    assert {part_of(file) for file in FILES} <= set(ALLOWED)


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_nothing_imports_upwards(file: Path) -> None:
    part = part_of(file)
    allowed = ALLOWED[part] | {part}
    wrong = {
        module
        for module in own_imports(file)
        if not {imported_part(module), module.removeprefix("retain.")} & allowed
    }
    assert "*" in allowed or not wrong, f"{module_of(file)} must not import {sorted(wrong)}"


@pytest.mark.parametrize("part", CORE_WITHOUT_DATABASE)
def test_the_core_knows_the_port_but_no_database(part: str) -> None:
    for file in FILES:
        if part_of(file) == part:
            for module in own_imports(file):
                assert not module.startswith(("retain.ledger.sqlite", "retain.ledger.reference")), (
                    f"{module_of(file)} imports {module}"
                )


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_modules_are_named_and_small(file: Path) -> None:
    assert not VAGUE_NAMES & set(module_of(file).split("."))
    lines = len(file.read_text("utf-8").splitlines())
    assert lines <= MOST_LINES, f"{module_of(file)} has {lines} lines"


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_what_is_public_says_what_it_does(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"))
    silent = [
        f"{holder}{node.name}"
        for holder, body in _bodies(tree)
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith(("_", "test_"))  # a test's name says what holds
        and ast.get_docstring(node) is None
        and not (holder and (_is_overload(node) or node.name in PROMISED))
    ]
    assert not silent, f"{module_of(file)} has no docstring for {silent}"


def _bodies(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    yield "", tree.body
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield f"{node.name}.", node.body


def _is_overload(node: ast.stmt) -> bool:
    return any(
        isinstance(mark, ast.Name) and mark.id in {"overload", "override"}
        for mark in getattr(node, "decorator_list", [])
    )


def test_the_public_names_are_these() -> None:
    assert sorted(retain.__all__) == [
        "AsyncMemory",
        "Citation",
        "Edge",
        "ForgetPolicy",
        "Graph",
        "Memory",
        "ModelSettings",
        "Node",
        "Recall",
        "Receipt",
        "RetainError",
        "Settings",
        "__version__",
        "errors",
    ]
    assert all(hasattr(retain, name) for name in retain.__all__)


@pytest.mark.parametrize("statement", ["import retain", "import retain.memory"])
def test_importing_it_loads_nothing_heavy(statement: str) -> None:
    heavy = "numpy", "tokenizers", "safetensors", "wordllama", "Stemmer", "typer", "rich", "sqlite3"
    code = (  # what is there before it (a measuring tool may need some) is not its doing
        f"import sys; before = set(sys.modules); {statement}; "
        f"print(*sorted(set({heavy!r}) & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
