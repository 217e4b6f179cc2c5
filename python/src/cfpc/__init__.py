# SPDX-License-Identifier: Apache-2.0
"""Anticipation for feedback loops: counterfactual predictive control, with exact dead time.

`run` runs an experiment, `sweep` one at all points of a grid, `load` reads what the command wrote.
`Loop` closes a plant and a controller, `Cell` learns in it one sample at a time, `identify` makes a model from a log.
Errors are `Error`, and a ValueError where an input is bad.
"""

from cfpc._native import version as __version__
from cfpc.analysis import Analysis
from cfpc.bases import (
    Alphas,
    Basis,
    Derivatives,
    Exponentials,
    Gaussians,
    Given,
    Laguerre,
    LeakyCascade,
    Periodic,
    RaisedCosines,
    Table,
    TappedDelay,
)
from cfpc.cell import Cell, Guard, GuardAct
from cfpc.certificate import Certificate, Optimum
from cfpc.claims import Claim, Claims
from cfpc.errors import Error, SpecError, StatusError
from cfpc.experiments import analyse, check, list_experiments, run, show, sweep
from cfpc.failures import DivergedWarning, ModelWarning, RunError
from cfpc.groups import Group
from cfpc.identify import Excitation, Model, excite, identify
from cfpc.loading import load, load_sweep
from cfpc.loop import Loop, Margins
from cfpc.parts import PI, PID, Delay, Lag, LeadLag, LeakyIntegrator, P
from cfpc.record import Phase, Rule
from cfpc.results import Result
from cfpc.sources import Experiment
from cfpc.sweeps import Sweep
from cfpc.system import System, TimeResponse

__all__ = [
    "PI",
    "PID",
    "Alphas",
    "Analysis",
    "Basis",
    "Cell",
    "Certificate",
    "Claim",
    "Claims",
    "Delay",
    "Derivatives",
    "DivergedWarning",
    "Error",
    "Excitation",
    "Experiment",
    "Exponentials",
    "Gaussians",
    "Given",
    "Group",
    "Guard",
    "GuardAct",
    "Lag",
    "Laguerre",
    "LeadLag",
    "LeakyCascade",
    "LeakyIntegrator",
    "Loop",
    "Margins",
    "Model",
    "ModelWarning",
    "Optimum",
    "P",
    "Periodic",
    "Phase",
    "RaisedCosines",
    "Result",
    "Rule",
    "RunError",
    "SpecError",
    "StatusError",
    "Sweep",
    "System",
    "Table",
    "TappedDelay",
    "TimeResponse",
    "__version__",
    "analyse",
    "check",
    "excite",
    "identify",
    "list_experiments",
    "load",
    "load_sweep",
    "run",
    "show",
    "sweep",
]
