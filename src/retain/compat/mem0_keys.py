"""The names that a configuration of Mem0 (2.2) may hold, and what became of them here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Mapped:
    """A provider of Mem0 as one of ours.

    Attributes:
        provider: our provider.
        model: the model where none is named.
        prefix: what our provider puts before a model's name.
        keys: Mem0's option -> ours; ``model`` and ``api_key`` keep their names.
        fixed: our options that follow from Mem0's provider.
    """

    provider: str
    model: str | None = None
    prefix: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)


# An endpoint on the user's own machine checks no key; without one given, the key of another
# service in the environment must not be sent there.
_LOCAL: Final = {"api_key": "none", "request_dimensions": False}

_EMBEDDER: Final = """
    model api_key embedding_dims ollama_base_url openai_base_url model_kwargs huggingface_base_url
    azure_kwargs http_client_proxies vertex_credentials_json memory_add_embedding_type
    memory_update_embedding_type memory_search_embedding_type output_dimensionality
    lmstudio_base_url aws_access_key_id aws_secret_access_key aws_session_token aws_region
"""
EMBEDDER_KEYS: Final = frozenset(_EMBEDDER.split())

EMBEDDERS: Final[dict[str, Mapped]] = {
    "openai": Mapped(
        "openai",
        "text-embedding-3-small",
        keys={"openai_base_url": "base_url", "embedding_dims": "dimensions"},
    ),
    "ollama": Mapped(
        "openai",
        "nomic-embed-text",
        keys={"ollama_base_url": "base_url", "embedding_dims": "dimensions"},
        fixed={"base_url": "http://localhost:11434/v1", **_LOCAL},
    ),
    "lmstudio": Mapped(
        "openai",
        "nomic-ai/nomic-embed-text-v1.5-GGUF/nomic-embed-text-v1.5.f16.gguf",
        keys={"lmstudio_base_url": "base_url", "embedding_dims": "dimensions"},
        fixed={"base_url": "http://localhost:1234/v1", **_LOCAL},
    ),
    "together": Mapped(
        "litellm",
        "intfloat/multilingual-e5-large-instruct",
        "together_ai/",
    ),
    "huggingface": Mapped(
        "sentence-transformers",
        "multi-qa-MiniLM-L6-cos-v1",
        keys={"model_kwargs": "model_kwargs"},
    ),
    "fastembed": Mapped("fastembed", "thenlper/gte-large"),
    "azure_openai": Mapped(
        "litellm", "text-embedding-3-small", "azure/", {"embedding_dims": "dimensions"}
    ),
    "gemini": Mapped(
        "litellm",
        "gemini-embedding-001",
        "gemini/",
        {"embedding_dims": "dimensions", "output_dimensionality": "dimensions"},
    ),
    "vertexai": Mapped(
        "litellm",
        "gemini-embedding-001",
        "vertex_ai/",
        {"embedding_dims": "dimensions", "vertex_credentials_json": "extra.vertex_credentials"},
    ),
    "aws_bedrock": Mapped(
        "litellm",
        "amazon.titan-embed-text-v1",
        "bedrock/",
        {
            "aws_access_key_id": "extra.aws_access_key_id",
            "aws_secret_access_key": "extra.aws_secret_access_key",
            "aws_session_token": "extra.aws_session_token",
            "aws_region": "extra.aws_region_name",
        },
    ),
    "langchain": Mapped("langchain"),
}

# A text-embeddings-inference server, which speaks OpenAI's interface.
HUGGINGFACE_SERVER: Final = Mapped(
    "openai",
    "tei",
    keys={"huggingface_base_url": "base_url", "embedding_dims": "dimensions"},
    fixed=_LOCAL,
)

RERANKERS: Final[dict[str, Mapped]] = {
    "cohere": Mapped("litellm", "rerank-v3.5", "cohere/"),
    "sentence_transformer": Mapped(
        "sentence-transformers",
        "cross-encoder/ms-marco-MiniLM-L-6-v2",
        keys={"device": "device", "batch_size": "batch_size"},
    ),
    "huggingface": Mapped(
        "sentence-transformers",
        "BAAI/bge-reranker-base",
        keys={"device": "device", "batch_size": "batch_size", "max_length": "max_length"},
    ),
}

RERANKER_KEYS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(f"provider model api_key top_k {more}".split())
    for name, more in {
        "cohere": "return_documents max_chunks_per_doc",
        "sentence_transformer": "device batch_size show_progress_bar",
        "huggingface": "device batch_size max_length normalize",
    }.items()
}

RERANKERS_REFUSED: Final = {
    "llm_reranker": "a chat model as reranker is not in this version",
    "zero_entropy": "this service has no adapter here",
}

_CHAT: Final = "model temperature api_key max_tokens top_p top_k enable_vision vision_details " + (
    "http_client_proxies reasoning_effort is_reasoning_model"
)

# Those of them that our chat models know by the same name.
CHAT_NATIVE: Final = ("temperature", "max_tokens", "top_p")
VERTEX_PREFIX: Final = "vertex_ai/"
_REASONING: Final = {"reasoning_effort": "extra.reasoning_effort"}
_SAMPLING: Final = {**_REASONING, "top_k": "extra.top_k"}

# Our provider, Mem0's name of the endpoint's address, and the options that only this one has.
LLMS: Final[dict[str, tuple[Mapped, frozenset[str]]]] = {
    name: (mapped, frozenset(f"{_CHAT} {more}".split()))
    for name, mapped, more in (
        (
            "openai",
            Mapped("openai", keys={"openai_base_url": "base_url", **_REASONING}),
            "openai_base_url models route openrouter_base_url site_url app_name store "
            "response_callback",
        ),
        (
            "openai_structured",
            Mapped("openai", keys={"openai_base_url": "base_url", **_REASONING}),
            "openai_base_url models route openrouter_base_url site_url app_name store "
            "response_callback",
        ),
        (
            "ollama",
            Mapped(
                "openai",
                keys={"ollama_base_url": "base_url", **_SAMPLING},
                fixed={"base_url": "http://localhost:11434/v1", "api_key": "none"},
            ),
            "ollama_base_url",
        ),
        (
            "lmstudio",
            Mapped(
                "openai",
                keys={"lmstudio_base_url": "base_url", **_SAMPLING},
                fixed={"base_url": "http://localhost:1234/v1", "api_key": "none"},
            ),
            "lmstudio_base_url lmstudio_response_format",
        ),
        (
            "vllm",
            Mapped(
                "openai",
                keys={"vllm_base_url": "base_url", **_SAMPLING},
                fixed={"base_url": "http://localhost:8000/v1", "api_key": "none"},
            ),
            "vllm_base_url",
        ),
        (
            "anthropic",
            Mapped(
                "litellm", prefix="anthropic/", keys={"anthropic_base_url": "base_url", **_SAMPLING}
            ),
            "anthropic_base_url enable_sampling_parameters",
        ),
        (
            "deepseek",
            Mapped(
                "litellm", prefix="deepseek/", keys={"deepseek_base_url": "base_url", **_SAMPLING}
            ),
            "deepseek_base_url",
        ),
        (
            "minimax",
            Mapped(
                "litellm", prefix="minimax/", keys={"minimax_base_url": "base_url", **_SAMPLING}
            ),
            "minimax_base_url",
        ),
        (
            "xai",
            Mapped("litellm", prefix="xai/", keys={"xai_base_url": "base_url", **_SAMPLING}),
            "xai_base_url",
        ),
        (
            "sarvam",
            Mapped("litellm", prefix="sarvam/", keys={"sarvam_base_url": "base_url", **_SAMPLING}),
            "sarvam_base_url",
        ),
        ("groq", Mapped("litellm", prefix="groq/", keys=_SAMPLING), ""),
        ("together", Mapped("litellm", prefix="together_ai/", keys=_SAMPLING), ""),
        (
            "gemini",
            Mapped(
                "litellm",
                prefix="gemini/",
                keys={
                    **_SAMPLING,
                    "project": "extra.vertex_project",
                    "location": "extra.vertex_location",
                },
            ),
            "vertexai project location",
        ),
        ("azure_openai", Mapped("litellm", prefix="azure/", keys=_SAMPLING), "azure_kwargs"),
        (
            "azure_openai_structured",
            Mapped("litellm", prefix="azure/", keys=_SAMPLING),
            "azure_kwargs",
        ),
        (
            "aws_bedrock",
            Mapped(
                "litellm",
                prefix="bedrock/",
                keys={
                    **_SAMPLING,
                    "aws_access_key_id": "extra.aws_access_key_id",
                    "aws_secret_access_key": "extra.aws_secret_access_key",
                    "aws_region": "extra.aws_region_name",
                    "aws_session_token": "extra.aws_session_token",
                    "aws_profile": "extra.aws_profile_name",
                },
            ),
            "aws_access_key_id aws_secret_access_key aws_region aws_session_token aws_profile "
            "model_kwargs provider_override base_config",
        ),
        ("litellm", Mapped("litellm", keys=_SAMPLING), ""),
        ("langchain", Mapped("langchain"), ""),
    )
}

AZURE_KEYS: Final = frozenset(
    {"api_key", "azure_deployment", "azure_endpoint", "api_version", "default_headers"}
)

_STORE: Final = "collection_name embedding_model_dims"

# Vector stores that keep their files in a folder of this machine.
LOCAL_STORES: Final = frozenset({"qdrant", "chroma", "faiss"})

STORE_KEYS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(f"{_STORE} {more}".split())
    for name, more in {
        "qdrant": "client host port path url api_key https on_disk",
        "chroma": "client path host port api_key tenant",
        "faiss": "path distance_strategy",
        "pgvector": "dbname user password host port diskann hnsw minconn maxconn sslmode "
        "connection_string connection_pool",
        "pinecone": "client api_key environment serverless_config pod_config hybrid_search metric "
        "batch_size extra_params namespace",
        "mongodb": "db_name mongo_uri",
        "milvus": "url token metric_type db_name",
        "baidu": "endpoint account api_key database_name table_name metric_type",
        "cassandra": "contact_points port username password keyspace secure_connect_bundle "
        "protocol_version load_balancing_policy",
        "neptune": "endpoint",
        "upstash_vector": "url token client enable_embeddings",
        "azure_ai_search": "service_name api_key compression_type use_float16 hybrid_search "
        "vector_filter_mode",
        "azure_mysql": "host port user password database use_azure_credential ssl_ca ssl_disabled "
        "minconn maxconn connection_pool",
        "redis": "redis_url",
        "valkey": "valkey_url timezone index_type hnsw_m hnsw_ef_construction hnsw_ef_runtime "
        "cluster_mode",
        "databricks": "workspace_url access_token client_id client_secret azure_client_id "
        "azure_client_secret endpoint_name catalog schema table_name index_type "
        "embedding_model_endpoint_name embedding_dimension endpoint_type pipeline_type "
        "warehouse_name query_type",
        "elasticsearch": "host port user password cloud_id api_key verify_certs ca_certs use_ssl "
        "auto_create_index custom_search_query headers",
        "vertex_ai_vector_search": "project_id project_number region endpoint_id index_id "
        "deployment_index_id credentials_path service_account_json vector_search_api_endpoint",
        "opensearch": "host port user password api_key verify_certs use_ssl http_auth "
        "connection_class pool_maxsize auto_refresh",
        "supabase": "connection_string index_method index_measure",
        "weaviate": "cluster_url auth_client_secret additional_headers",
        "langchain": "client",
        "s3_vectors": "vector_bucket_name distance_metric region_name",
        "turbopuffer": "api_key region distance_metric batch_size extra_params",
        "oracledb": "neighbors efconstruction neighbor_partitions samples_per_partition "
        "min_vectors_per_partition connection_params use_connection_pool client distance_metric "
        "do_create_index index_type index_name index_parameters index_accuracy",
    }.items()
}
