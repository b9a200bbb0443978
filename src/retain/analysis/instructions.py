"""Texts that read like orders to an agent."""

from __future__ import annotations

import re
from functools import lru_cache

# High precision on purpose: a mark on every imperative sentence would say nothing.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:previous|prior|above|earlier|all|any|your|system)\b.{0,40}"
    r"\b(?:instructions?|prompts?|rules?|guidelines?|messages?|context)\b"
    r"|\b(?:reveal|print|show|repeat|output)\b.{0,30}\b(?:system|hidden|secret)\s+"
    r"(?:prompt|instructions?|message)\b"
    r"|\byou\s+(?:must|are\s+to|should)\s+(?:now\s+)?(?:always|never|only)\s+"
    r"(?:answer|reply|respond|say|output|obey|comply)\b"
    r"|\byou\s+are\s+now\b.{0,40}\b(?:assistant|ai|model|mode|agent|dan|jailbroken)\b"
    r"|\b(?:new|updated)\s+(?:system\s+)?instructions?\s*:"
    r"|<\s*/?\s*(?:system|assistant|instructions?|tool_call)\s*>"
    r"|\[\s*/?\s*(?:INST|SYSTEM)\s*\]|<\|(?:im_start|im_end|system|user|assistant)\|>"
    r"|忽略.{0,12}(?:指令|指示|提示|规则)|無視.{0,6}(?:指示|命令)|(?:指示|命令|プロンプト).{0,6}無視"
    r"|이전.{0,8}(?:지시|명령).{0,8}무시"
    r"|\b(?:ignorier\w*|vergiss)\b.{0,40}\b(?:anweisungen|regeln|vorgaben)\b"
    r"|\b(?:ignora|olvida|ignorez|oublie[zr]?|ignore)\b.{0,40}"
    r"\b(?:instrucciones|instructions|istruzioni|instruções)\b"
    r"|(?:игнорируй|забудь).{0,40}(?:инструкци|указани|правил)",
    re.IGNORECASE | re.DOTALL,
)
_SHORT = 1_000  # characters
_LOOKED_AT = 20_000  # characters: an order further in is no less quoted data


def reads_like_instruction(text: str) -> bool:
    """Whether a text tries to instruct the agent that reads it. Precise rather than complete."""
    return _remembered(text) if len(text) <= _SHORT else _orders(text[:_LOOKED_AT])


def forget_words() -> None:
    """Forget the texts that were judged: they may be erased."""
    _remembered.cache_clear()


def _orders(text: str) -> bool:
    return _ORDERS.search(text) is not None


# The same few memories are shown again and again.
_remembered = lru_cache(maxsize=16_384)(_orders)
