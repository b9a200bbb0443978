"""Where a command works and for whom: the options that every command understands."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from retain.cli.failures import reported
from retain.cli.output import Output
from retain.errors import ConfigError

if TYPE_CHECKING:
    from retain.memory import Memory
    from retain.settings import Settings

DEFAULT_USER = "me"
_PANEL = "Where and for whom (before or after the command)"

PathOption = Annotated[
    str | None,
    typer.Option(
        help="Ledger file; else RETAIN_PATH, else one in the user's data directory.",
        rich_help_panel=_PANEL,
    ),
]
ProjectOption = Annotated[
    str | None,
    typer.Option(help="Tenant; else RETAIN_PROJECT, else 'default'.", rich_help_panel=_PANEL),
]
UserOption = Annotated[
    str | None,
    typer.Option(
        help=f"User id; else RETAIN_USER; '{DEFAULT_USER}' if no user, agent or run is named.",
        rich_help_panel=_PANEL,
    ),
]
AgentOption = Annotated[
    str | None, typer.Option(help="Agent id; else RETAIN_AGENT.", rich_help_panel=_PANEL)
]
RunOption = Annotated[
    str | None, typer.Option(help="Run (session) id; else RETAIN_RUN.", rich_help_panel=_PANEL)
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the API's result as JSON.", rich_help_panel=_PANEL)
]

ConfigOption = Annotated[
    str | None,
    typer.Option(
        help="JSON file of settings, or shaped like Mem0's; else RETAIN_CONFIG.",
        rich_help_panel=_PANEL,
    ),
]

_OPTIONS: dict[str, tuple[Any, Any]] = {
    "path": (PathOption, None),
    "project": (ProjectOption, None),
    "user": (UserOption, None),
    "agent": (AgentOption, None),
    "run": (RunOption, None),
    "json": (JsonOption, False),
    "config": (ConfigOption, None),
}


class Ids(TypedDict, total=False):
    """Identities, as arguments of the API."""

    user_id: str
    agent_id: str
    run_id: str


def _said(now: str | None, earlier: str | None) -> str | None:
    return earlier if now is None else now


@dataclass(frozen=True, slots=True)
class Place:
    """The ledger, the project and the identities that a command works on, and how it prints."""

    path: str | None = None
    project: str | None = None
    user: str | None = None
    agent: str | None = None
    run: str | None = None
    json: bool = False
    config: str | None = None

    def over(self, earlier: Place) -> Place:
        """This place where it says something, else the earlier one (options before the command)."""
        # An empty value was said too, and is refused: an unset variable in a script must not reach
        # the memories of somebody else.
        return Place(
            path=_said(self.path, earlier.path),
            project=_said(self.project, earlier.project),
            user=_said(self.user, earlier.user),
            agent=_said(self.agent, earlier.agent),
            run=_said(self.run, earlier.run),
            json=self.json or earlier.json,
            config=_said(self.config, earlier.config),
        )

    @classmethod
    def of_environment(cls) -> Place:
        """What the environment says beside the settings, which ``Settings`` reads itself."""
        return cls(
            user=os.environ.get("RETAIN_USER") or None,
            agent=os.environ.get("RETAIN_AGENT") or None,
            run=os.environ.get("RETAIN_RUN") or None,
            config=os.environ.get("RETAIN_CONFIG") or None,
        )

    @property
    def given_ids(self) -> Ids:
        """The identities that were named, under the API's argument names."""
        ids = Ids()
        if self.user is not None:
            ids["user_id"] = self.user
        if self.agent is not None:
            ids["agent_id"] = self.agent
        if self.run is not None:
            ids["run_id"] = self.run
        return ids

    @property
    def ids(self) -> Ids:
        """The identities that were named, or the default user if there are none."""
        return self.given_ids or {"user_id": DEFAULT_USER}

    @property
    def out(self) -> Output:
        """The formatter of this command."""
        return Output(as_json=self.json)

    def settings(self) -> Settings:
        """The settings of this place: the environment's, over them the configuration file's, over
        them what an option named.

        Raises:
            ConfigError: the file cannot be read, or is no JSON object.
        """
        from retain.settings import settings_from

        settings = settings_from(None if self.config is None else _read_config(self.config))
        if self.path is not None:
            settings = replace(settings, path=self.path)
        if self.project is not None:
            settings = replace(settings, project=self.project)
        return settings

    def open(self) -> Memory:
        """The memory of this place; the caller closes it."""
        from retain.memory import Memory

        return Memory(self.settings())


def _read_config(file: str) -> dict[str, Any]:
    try:
        config = json.loads(Path(file).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read the configuration {file!r}: {error}") from error
    if not isinstance(config, dict):
        raise ConfigError(f"the configuration {file!r} must hold a JSON object")
    return config


def placed(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, whose first parameter is a ``Place``, the options that make one.

    Typer reads the signature, so the six options need not be repeated by each command. Errors of
    the library are reported here, in one way.
    """

    @wraps(command)
    def run(ctx: typer.Context, **arguments: Any) -> None:
        own = Place(**{name: arguments.pop(name) for name in _OPTIONS})
        before = ctx.obj if isinstance(ctx.obj, Place) else Place()
        place = own.over(before).over(Place.of_environment())
        with reported(as_json=place.json):
            command(place, **arguments)
            place.out.flush()

    own_parameters = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in _OPTIONS.items()
    ]
    context = inspect.Parameter(
        "ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    own_parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own_parameters
    ]
    signature = inspect.Signature([context, *own_parameters, *shared])
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {
        parameter.name: parameter.annotation for parameter in signature.parameters.values()
    }
    del run.__wrapped__  # Typer would follow it past the signature
    return run
