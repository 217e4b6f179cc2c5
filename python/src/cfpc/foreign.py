# SPDX-License-Identifier: Apache-2.0
"""Systems of other packages, taken apart. Neither python-control nor SciPy is imported: their objects tell by
themselves what they are."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

Described = tuple[str, tuple[Any, ...], float | None]
"""The form (gain, transfer function or state space), its parts, and the step; None: not said."""


def described(system: Any) -> Described:
    """What `system` is made of; a TypeError that says what can be given otherwise."""
    if isinstance(system, numbers.Real) or (isinstance(system, np.ndarray) and system.ndim == 0):
        return "gain", (system,), None
    if isinstance(system, tuple | list):
        return _of_tuple(tuple(system))
    package = type(system).__module__.partition(".")[0]
    if package == "control":
        return _of_control(system)
    if package == "scipy":
        return _of_scipy(system)
    raise TypeError(
        f"{type(system).__name__} is not a system: give a gain, (num, den), (A, B, C, D), or a TransferFunction or "
        "StateSpace of python-control or scipy.signal"
    )


def _of_tuple(parts: tuple[Any, ...]) -> Described:
    if len(parts) == 2:
        return "transfer function", tuple(np.atleast_1d(np.asarray(part)) for part in parts), None
    if len(parts) == 4:
        return "state space", parts, None
    raise ValueError(f"a tuple of {len(parts)} is not a system: give (num, den) or (A, B, C, D)")


def _of_control(system: Any) -> Described:
    if getattr(system, "ninputs", 1) != 1 or getattr(system, "noutputs", 1) != 1:
        raise ValueError(
            f"the system has {system.ninputs} inputs and {system.noutputs} outputs: choose one of each, as in sys[0, 0]"
        )
    if system.dt is True:
        raise ValueError("the system is discrete without a sampling step: give it one (dt)")
    step = None if system.dt is None else float(system.dt)
    if hasattr(system, "A"):
        return "state space", (system.A, system.B, system.C, system.D), step
    if hasattr(system, "num"):
        return "transfer function", (_row(system.num), _row(system.den)), step
    raise TypeError(f"{type(system).__name__} is not linear: give a TransferFunction or a StateSpace")


# python-control keeps a polynomial for every output and input.
def _row(polynomials: Any) -> Any:
    return np.atleast_1d(polynomials[0][0])


def _of_scipy(system: Any) -> Described:
    if not hasattr(system, "to_ss"):
        raise TypeError(f"{type(system).__name__} is not a system: give an lti or dlti of scipy.signal")
    if getattr(system, "inputs", 1) != 1 or getattr(system, "outputs", 1) != 1:
        raise ValueError("the system has several inputs or outputs: give one of each")
    if system.dt is True:
        raise ValueError("the system is discrete without a sampling step: give it one (dt)")
    step = 0.0 if system.dt is None else float(system.dt)
    if hasattr(system, "A"):
        return "state space", (system.A, system.B, system.C, system.D), step
    if hasattr(system, "num"):
        return "transfer function", (np.atleast_1d(system.num), np.atleast_1d(system.den)), step
    ss = system.to_ss()
    return "state space", (ss.A, ss.B, ss.C, ss.D), step
