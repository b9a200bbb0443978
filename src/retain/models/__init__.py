"""Models behind small protocols: embedders, rerankers, token counters; one file a provider."""
