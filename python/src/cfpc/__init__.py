# SPDX-License-Identifier: Apache-2.0
"""Anticipation for feedback loops: counterfactual predictive control, with exact dead time."""

from cfpc._native import version as __version__
from cfpc.errors import Error, SpecError, StatusError

__all__ = ["Error", "SpecError", "StatusError", "__version__"]
