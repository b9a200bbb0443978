"""The locks agree, pin by hash, and hold what builds the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
_PIN = re.compile(
    r"^([\w.-]+)==(\S+)(?: ; [^\\]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", re.M
)
_REQUIREMENT = re.compile(r"[\w.-]+")


def pins(lock: str) -> dict[str, str]:
    """Versions by name."""
    text = (ROOT / lock).read_text("utf-8")
    found = {match[1]: match[2] for match in _PIN.finditer(text)}
    unpinned = [
        line
        for line in text.splitlines()
        if line[:1].strip(" #") and line.split("==")[0] not in found
    ]
    assert unpinned == [], f"{lock} has lines without a hash"
    return found


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_every_lock_holds_the_same_versions(lock: str) -> None:
    base, other = pins(LOCKS[0]), pins(lock)
    both = base.keys() & other.keys()
    assert {name: base[name] for name in both} == {name: other[name] for name in both}


def test_what_builds_the_package_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [*project["build-system"]["requires"], *project["dependency-groups"]["build"]]
    names = {match[0] for one in asked if (match := _REQUIREMENT.match(one)) is not None}
    assert len(names) == 2
    assert names <= pins("requirements-build.txt").keys()


def test_what_the_package_needs_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = {
        match[0].lower()
        for one in project["project"]["dependencies"]
        if (match := _REQUIREMENT.match(one)) is not None
    }
    assert needed <= pins("requirements.txt").keys()
