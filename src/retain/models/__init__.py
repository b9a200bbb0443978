"""Models behind small protocols: embedders, rerankers, token counters. One small file a provider."""
