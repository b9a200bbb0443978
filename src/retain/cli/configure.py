"""`retain config` and `version`: what is in force."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import typer

from retain.cli.place import DEFAULT_USER, Place, placed

if TYPE_CHECKING:
    from retain.settings import ModelSettings


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("config")(placed(config))
    app.command("version")(placed(version))


def config(place: Place) -> None:
    """Show every setting in force, and where it comes from."""
    rows = effective(place)
    if place.json:
        place.out.json(rows)
        return
    for name, row in rows.items():
        place.out.line(f"{name}: {row['value']}\t({row['source']})")


def version(place: Place) -> None:
    """Print the version."""
    from retain import __version__

    if place.json:
        place.out.json({"version": __version__})
    else:
        place.out.line(__version__)


def effective(place: Place) -> dict[str, dict[str, Any]]:
    """Each setting's value and source: ``option``, the configuration file, a variable, ``default``.

    Of a model only the provider and the model's name are shown, never its other options: they may
    hold a key.
    """
    from retain.settings import ModelSettings, Settings

    settings, without_file = place.settings(), Settings.from_env()
    options = {name for name in ("path", "project") if getattr(place, name) is not None}
    rows: dict[str, dict[str, Any]] = {}
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if field.name in options:
            source = "option"
        elif value != getattr(without_file, field.name):
            source = str(place.config)
        else:
            source = _variable_or_default(field.name)
        shown = _model(value) if isinstance(value, ModelSettings) else value
        rows[field.name] = {"value": shown, "source": source}
    rows["path"]["value"] = settings.resolved_path()
    for name, given in (("user", place.user), ("agent", place.agent), ("run", place.run)):
        source = _variable_or_default(name)
        if given is not None and given != os.environ.get(f"RETAIN_{name.upper()}"):
            source = "option"
        value = DEFAULT_USER if name == "user" and not place.given_ids else given
        rows[name] = {"value": value, "source": source}
    return rows


def _model(settings: ModelSettings) -> str:
    name = settings.options.get("model")
    return f"{settings.provider}:{name}" if isinstance(name, str) else settings.provider


def _variable_or_default(name: str) -> str:
    variable = f"RETAIN_{name.upper()}"
    return variable if os.environ.get(variable) else "default"
