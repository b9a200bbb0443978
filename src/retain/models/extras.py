"""Packages that only some models need."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from retain.errors import MissingExtra


def require(module: str, extra: str) -> Any:
    """The module, imported.

    Args:
        module: its dotted name.
        extra: the extra of Retain that installs it.

    Raises:
        MissingExtra: it, or something that it needs itself, is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, extra, str(error)) from error


def package_folder(package: str, extra: str) -> Path:
    """Where a package that ships data lies; it is not imported.

    Raises:
        MissingExtra: it is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _missing(package, extra, f"no package named {package!r}")
    return Path(next(iter(spec.submodule_search_locations)))


def _missing(module: str, extra: str, reason: str) -> MissingExtra:
    return MissingExtra(
        f"this model needs the package {module!r}, which cannot be imported ({reason}); "
        f"install it with: pip install 'retain[{extra}]'",
        module=module,
        extra=extra,
    )
