# SPDX-License-Identifier: Apache-2.0
"""Where something is, in messages."""

from __future__ import annotations

import re

OF_DICT = "the spec"  # stands for a file in messages about a dict, which has no lines


def placeless(text: str) -> str:
    """A message about a dict, which has no lines."""
    return re.sub(rf"\b{OF_DICT}:\d+:\d+: ", "", text)
