"""The `retain` command."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from retain import __version__
from retain.cli import (
    bench,
    change,
    configure,
    demo,
    episode,
    forget,
    graph,
    hold,
    insight,
    keep,
    learned,
    move,
    read,
    remove,
    streams,
    work,
)
from retain.cli.group import Commands
from retain.cli.place import (
    AgentOption,
    ConfigOption,
    JsonOption,
    PathOption,
    Place,
    ProjectOption,
    RunOption,
    UserOption,
)

app = typer.Typer(
    name="retain",
    cls=Commands,
    help="Long-term memory for AI agents, in one file. No key and no network needed.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help: four times as quick, and the same in a pipe
    pretty_exceptions_enable=False,  # they show local variables, which may hold secrets
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _before(
    ctx: typer.Context,
    *,
    path: PathOption = None,
    project: ProjectOption = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    json: JsonOption = False,
    config: ConfigOption = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    ctx.obj = Place(path, project, user, agent, run, json, config)


for group in (
    hold,
    read,
    episode,
    insight,
    change,
    remove,
    forget,
    graph,
    learned,
    work,
    move,
    keep,
    configure,
    demo,
    bench,
):
    group.register(app)


def main() -> None:
    """Run the command line; the process ends with its exit code."""
    streams.prepare()
    warnings.showwarning = _note
    app()


def _note(message: Warning | str, *_: object, **__: object) -> None:
    """A warning of the library, without the place in the code where it was raised."""
    streams.complain(f"Note: {message}")


if __name__ == "__main__":
    main()
