# SPDX-License-Identifier: Apache-2.0
"""Whether an installed package works at all; needs nothing but the package. Run by tools/python --wheels."""

import pickle
import sys

import numpy as np

import cfpc

loop = cfpc.Loop(cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003), cfpc.PI(20, 100), delay=0.05, dt=0.001)
basis = cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05)
assert loop.stable and loop.margins().phase_deg > 0
assert loop.certify(basis, trace="forward-model").verdict == "monotone"
cell = cfpc.Cell(loop, basis, rate_fraction=0.5, trace="whitened")
cell.step_block(np.ones(2500))  # the guard sees the loop alone first
cell.end_trial()
cell.step_block(np.ones(500))
assert pickle.loads(pickle.dumps(cell)).step(1.0) == cell.step(1.0) and cell.weights.any()
try:
    cell.step(float("nan"))
except ValueError as error:
    assert "not a finite number" in str(error)
else:
    raise AssertionError("NaN was taken")
print(f"cfpc {cfpc.__version__} works on Python {sys.version.split()[0]}")
