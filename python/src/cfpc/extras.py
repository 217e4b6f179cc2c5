# SPDX-License-Identifier: Apache-2.0
"""Packages that are used only where they are installed."""

from __future__ import annotations

import importlib
from typing import Any


def extra(module: str, name: str, use: str) -> Any:
    """The module, or an ImportError that says which extra of cfpc installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        package = module.partition(".")[0]
        raise ImportError(f"{use} needs {package}: pip install 'cfpc[{name}]'", name=package) from missing
