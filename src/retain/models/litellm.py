"""The litellm library, kept off the network until a model is called."""

from __future__ import annotations

import os
from typing import Any, Final

from retain.models.extras import require

EXTRA: Final = "litellm"


def litellm() -> Any:
    """The module, imported so that nothing is fetched or reported by it on its own.

    Raises:
        MissingExtra: the package is not installed.
    """
    # Without it, the import itself fetches a price list from the network.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    module = require("litellm", EXTRA)
    module.telemetry = False
    module.suppress_debug_info = True
    return module
