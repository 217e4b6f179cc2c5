# SPDX-License-Identifier: Apache-2.0
"""Anticipation for feedback loops: counterfactual predictive control, with exact dead time."""

from cfpc._native import version as __version__
from cfpc.analysis import Analysis
from cfpc.claims import Claim, Claims
from cfpc.errors import Error, SpecError, StatusError
from cfpc.experiments import analyse, check, list_experiments, run, show, sweep
from cfpc.failures import DivergedWarning, RunError, SpecWarning
from cfpc.groups import Group
from cfpc.loading import load, load_sweep
from cfpc.parts import Phase, Rule
from cfpc.results import Result
from cfpc.sweeps import Sweep

__all__ = [
    "Analysis",
    "Claim",
    "Claims",
    "DivergedWarning",
    "Error",
    "Group",
    "Phase",
    "Result",
    "Rule",
    "RunError",
    "SpecError",
    "SpecWarning",
    "StatusError",
    "Sweep",
    "__version__",
    "analyse",
    "check",
    "list_experiments",
    "load",
    "load_sweep",
    "run",
    "show",
    "sweep",
]
