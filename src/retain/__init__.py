"""Retain: long-term memory for AI agents, on one transactional ledger."""

from __future__ import annotations

from retain import errors
from retain.async_memory import AsyncMemory
from retain.domain.graph import Edge, Graph, Node
from retain.domain.policy import ForgetPolicy
from retain.domain.recall import Citation, Recall
from retain.domain.receipt import Receipt
from retain.errors import RetainError
from retain.memory import Memory
from retain.settings import ModelSettings, Settings

__version__ = "0.1.0"

__all__ = [
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
