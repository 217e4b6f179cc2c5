# SPDX-License-Identifier: Apache-2.0
"""Anticipation for feedback loops: counterfactual predictive control, with exact dead time.

`Loop` closes a plant and a controller, `Cell` learns in it one sample at a time, `identify` makes a model from a log.
Errors are `Error`, and a ValueError where an input is bad.
"""

from cfpc._native import version as __version__
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
from cfpc.cell import Cell, Guard
from cfpc.certificate import Certificate, Optimum
from cfpc.errors import Error, SpecError, StatusError
from cfpc.identify import Excitation, Model, excite, identify
from cfpc.loop import Loop, Margins
from cfpc.parts import PI, PID, Delay, Lag, LeadLag, LeakyIntegrator, P
from cfpc.system import System, TimeResponse

__all__ = [
    "PI",
    "PID",
    "Alphas",
    "Basis",
    "Cell",
    "Certificate",
    "Delay",
    "Derivatives",
    "Error",
    "Excitation",
    "Exponentials",
    "Gaussians",
    "Given",
    "Guard",
    "Lag",
    "Laguerre",
    "LeadLag",
    "LeakyCascade",
    "LeakyIntegrator",
    "Loop",
    "Margins",
    "Model",
    "Optimum",
    "P",
    "Periodic",
    "RaisedCosines",
    "SpecError",
    "StatusError",
    "System",
    "Table",
    "TappedDelay",
    "TimeResponse",
    "__version__",
    "excite",
    "identify",
]
