# SPDX-License-Identifier: Apache-2.0
"""How far a learning curve with LAPACK may be from the one in plain C, over its maximum."""

# The encoder of anticogging resolves steps of the angle. A rotor that is within rounding of a step is read as one or
# the other: a last bit becomes a step there, whatever it comes from, as it does between OpenBLAS's own kernels.
# The optimum of microzone is a least-squares fit by 500 bursts in 500 steps that leaves 1e-4 of the error: what rounding
# does to the fit, less than 1e-10 of the error, is up to 1e-6 of what is left.
BOUND = {("anticogging", None): 1e-3, ("microzone", "optimum"): 1e-6}


def bound(experiment: str, curve: str) -> float:
    return BOUND.get((experiment, curve), BOUND.get((experiment, None), 1e-9))
