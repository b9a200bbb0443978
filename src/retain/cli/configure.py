"""`retain config` and `version`: what is in force."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import Any

import typer

from retain.cli.place import DEFAULT_USER, Place, placed


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
    """Each setting's value and source: ``option``, an environment variable, or ``default``.

    Of a model only the provider is shown, never its options: they may hold a key.
    """
    from retain.settings import ModelSettings, Settings

    settings = Settings(path=place.path, project=place.project or "default")
    rows: dict[str, dict[str, Any]] = {}
    for field in fields(Settings):
        value = getattr(settings, field.name)
        rows[field.name] = {
            "value": value.provider if isinstance(value, ModelSettings) else value,
            "source": "default",
        }
    rows["path"] = {"value": settings.resolved_path(), "source": _source(place.path, "RETAIN_PATH")}
    rows["project"]["source"] = _source(place.project, "RETAIN_PROJECT")
    for name in ("user", "agent", "run"):
        value = getattr(place, name)
        if value is None and name == "user" and not place.given_ids:
            value = DEFAULT_USER
        rows[name] = {
            "value": value,
            "source": _source(getattr(place, name), f"RETAIN_{name.upper()}"),
        }
    return rows


def _source(given: str | None, variable: str) -> str:
    """Where a value comes from; an option that equals its variable counts as the variable."""
    named = os.environ.get(variable)
    if named and given in (None, named):
        return variable
    return "default" if given is None else "option"
