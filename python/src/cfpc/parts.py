# SPDX-License-Identifier: Apache-2.0
"""Controllers and stages of plants, as systems."""

from __future__ import annotations

from cfpc import _native
from cfpc.arrays import number
from cfpc.system import System


def P(kp: float) -> System:
    """A proportional controller: u = kp e.

    >>> import cfpc
    >>> cfpc.P(2).D
    array([[2.]])
    """
    return PID(kp)


def PI(kp: float, ki: float) -> System:
    """u = kp e + ki ∫e dt; `ki` is per second.

    >>> import cfpc
    >>> cfpc.PI(20, 100).poles()
    array([0.+0.j])
    """
    return PID(kp, ki)


def PID(kp: float, ki: float = 0.0, kd: float = 0.0, *, filter: float = 0.0) -> System:
    """u = kp e + ki ∫e dt + kd de/dt, the derivative filtered with the time constant `filter` in seconds.

    >>> import cfpc
    >>> cfpc.PID(20, 100, 0.5, filter=0.01).order
    2
    """
    gains = number(kp, "kp"), number(ki, "ki"), number(kd, "kd")
    filter_s = number(filter, "filter", low=0)
    if gains[2] != 0 and filter_s == 0:
        raise ValueError("filter is missing: a derivative needs one, as PID(..., filter=0.01)")
    return System._of(_native.pid(*gains, filter_s))


def LeadLag(gain: float, zero: float, pole: float) -> System:
    """gain (zero s + 1)/(pole s + 1), both time constants in seconds: a lead if `zero` is larger, else a lag.

    >>> import cfpc
    >>> cfpc.LeadLag(1, 0.2, 0.02).frequency_response([0.0])
    array([1.+0.j])
    """
    return System._of(
        _native.lead_lag(number(gain, "gain"), number(zero, "zero", low=0), number(pole, "pole", above=0))
    )


def Lag(time_constant: float, *, gain: float = 1.0) -> System:
    """dy/dt = (gain x - y)/τ: a lag of first order with the steady-state gain `gain`.

    >>> import cfpc
    >>> cfpc.Lag(0.1, gain=3).frequency_response([0.0])
    array([3.+0.j])
    """
    return System._of(_native.lag(number(time_constant, "time_constant", above=0), number(gain, "gain")))


def LeakyIntegrator(time_constant: float, *, gain: float = 1.0) -> System:
    """dy/dt = -y/τ + gain x: a leaky integrator, whose steady-state gain is gain τ.

    >>> import cfpc
    >>> cfpc.LeakyIntegrator(0.1).frequency_response([0.0])
    array([0.1+0.j])
    """
    tau = number(time_constant, "time_constant", above=0)
    return System._of(_native.leaky_integrator(tau, number(gain, "gain")))


def Delay(seconds: float) -> System:
    """A pure dead time.

    >>> import cfpc
    >>> cfpc.Delay(0.05).delay
    0.05
    """
    return System(1.0, delay=seconds)
