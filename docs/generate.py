"""Write the parts of the documentation that come from the code.

Run by `make docs`. Each page keeps its own words; what stands between ``<!-- generated: NAME -->``
and ``<!-- /generated -->`` is replaced. With ``--check`` nothing is written, and the exit code says
whether a page is out of date.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from retain import Citation, Memory, Recall, Receipt, Settings, errors
from retain.cli.app import app
from retain.cli.place import Place

DOCS = Path(__file__).parent
SECTION = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- /generated -->)", re.DOTALL)


def error_table() -> str:
    """Every error class with its code, exit code and HTTP status, indented as the tree is."""
    rows = ["| class | code | exit code | HTTP | when |", "|---|---|---|---|---|"]
    for depth, kind in _tree(errors.RetainError, 0):
        name = "&nbsp;" * 4 * depth + f"`{kind.__name__}`"
        meaning = _first_line(kind)
        rows.append(
            f"| {name} | `{kind.code}` | {kind.exit_code} | {kind.http_status} | {meaning} |"
        )
    return "\n".join(rows)


def exit_codes() -> str:
    """The exit codes of the command line, from the error table."""
    by_code: dict[int, list[type[errors.RetainError]]] = {}
    for _, kind in _tree(errors.RetainError, 0):
        by_code.setdefault(kind.exit_code, []).append(kind)
    rows = ["| exit code | meaning |", "|---|---|", "| 0 | done |"]
    for code, kinds in sorted(by_code.items()):
        extra = "; or the command line cannot be parsed" if code == 2 else ""
        extra = (
            "; any other exception, with its traceback; or a question that was answered no"
            if code == 1
            else extra
        )
        names = ", ".join(f"`{kind.__name__}`" for kind in kinds)
        rows.append(f"| {code} | {names}{extra} |")
    rows.append("| 10 | `check` found problems, or `demo` or `bench` an answer that is wrong |")
    rows.append("| 130 | interrupted |")
    rows.append("| 141 | the reader of the output went away |")
    return "\n".join(rows)


def shared_options() -> str:
    """The options that every command understands."""
    names = {field.name for field in dataclasses.fields(Place)}
    group = typer.main.get_command(app)
    return _options(param for param in group.params if param.name in names)


def commands() -> str:
    """Every command with its arguments and options."""
    shared = {field.name for field in dataclasses.fields(Place)}
    group: Any = typer.main.get_command(app)
    parts = []
    for name, command in group.commands.items():
        own = [param for param in command.params if param.name not in shared]
        arguments = [param for param in own if param.param_type_name == "argument"]
        usage = " ".join(["retain", name, *(_argument(param) for param in arguments), "[OPTIONS]"])
        parts.append(f"### {name}\n\n`{usage}`\n\n{inspect.cleandoc(command.help)}")
        options = [param for param in own if param.param_type_name == "option"]
        if arguments:
            parts.append("\n".join(f"- `{_argument(param)}`: {param.help}" for param in arguments))
        if options:
            parts.append(_options(options))
    return "\n\n".join(parts)


def methods() -> str:
    """Every method of ``Memory``: its signature and docstring."""
    return "\n\n".join(
        _callable(name, member)
        for kind in (*Memory.__bases__, Memory)
        for name, member in vars(kind).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, classmethod))
    )


def results() -> str:
    """The dataclasses that the API returns."""
    parts = []
    for kind in (Recall, Citation, Receipt):
        fields = "\n".join(
            f"- `{field.name}: {_annotation(field.type)}`" for field in dataclasses.fields(kind)
        )
        parts.append(f"### {kind.__name__}\n\n{inspect.getdoc(kind)}\n\n{fields}")
    return "\n\n".join(parts)


def settings() -> str:
    """Every setting with its default."""
    doc = inspect.getdoc(Settings) or ""
    described = dict(
        re.findall(r"^    (\w+): (.*?)(?=^    \w+: |^\w+:|\Z)", doc, re.DOTALL | re.MULTILINE)
    )
    default = Settings()
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for field in dataclasses.fields(Settings):
        value = getattr(default, field.name)
        shown = f'ModelSettings("{value.provider}")' if field.name == "embedder" else repr(value)
        meaning = " ".join(described[field.name].replace("``", "`").split())
        rows.append(f"| `{field.name}` | `{shown}` | {meaning} |")
    return "\n".join(rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "error-table": error_table,
    "exit-codes": exit_codes,
    "shared-options": shared_options,
    "commands": commands,
    "methods": methods,
    "results": results,
    "settings": settings,
}


def refreshed(text: str) -> str:
    """A page with its generated parts made anew."""
    return SECTION.sub(lambda part: f"{part[1]}\n{GENERATORS[part[2]]()}\n\n{part[3]}", text)


def _tree(
    kind: type[errors.RetainError], depth: int
) -> Iterator[tuple[int, type[errors.RetainError]]]:
    yield depth, kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, depth + 1)


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").splitlines()[0]


def _argument(param: Any) -> str:
    name = (param.metavar or param.name).strip("[]{}").upper()
    return name if param.required else f"[{name}]"


def _options(params: Any) -> str:
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for param in params:
        if param.name in {"help", "install_completion", "show_completion", "_version"}:
            continue
        names = ", ".join(f"`{name}`" for name in [*param.opts, *param.secondary_opts])
        default = (
            ""
            if param.default in (None, False) or callable(param.default)
            else f"`{param.default}`"
        )
        meaning = param.help.replace("|", "\\|")
        rows.append(f"| {names} | {default} | {meaning} |")
    return "\n".join(rows)


def _callable(name: str, member: Any) -> str:
    function = member.__func__ if isinstance(member, classmethod) else member
    signature = inspect.signature(function)
    own = [
        parameter.replace(annotation=_annotation(parameter.annotation))
        for parameter in signature.parameters.values()
        if parameter.name not in {"self", "cls"}
    ]
    lines = [f"    {part}," for part in _parameters(own)]
    head = f"{name}(\n" + "\n".join(lines) + "\n)" if lines else f"{name}()"
    returns = _annotation(signature.return_annotation)
    doc = inspect.getdoc(function) or ""
    return f"### {name}\n\n```py\n{head} -> {returns}\n```\n\n```text\n{doc}\n```"


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        shown = f"{parameter.name}: {parameter.annotation}"
        yield shown if parameter.default is parameter.empty else f"{shown} = {parameter.default!r}"


def _annotation(annotation: Any) -> str:
    return (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )


def main() -> int:
    """Refresh every page, or with ``--check`` only compare."""
    check = "--check" in sys.argv[1:]
    stale = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text("utf-8")
        fresh = refreshed(text)
        if fresh != text:
            stale.append(page)
            if not check:
                page.write_text(fresh, encoding="utf-8")
    for page in stale:
        print(f"{'out of date' if check else 'wrote'}: {page.relative_to(DOCS.parent)}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
