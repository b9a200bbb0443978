"""Extraction with a chat model: windows of messages -> prompt -> answer -> proposals."""
