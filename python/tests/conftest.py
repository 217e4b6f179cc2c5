# SPDX-License-Identifier: Apache-2.0
"""What several tests need: the paper's loop, its task and its basis."""

import numpy as np
import pytest

import cfpc


@pytest.fixture(scope="session")
def loop() -> cfpc.Loop:
    plant = cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003)
    return cfpc.Loop(plant, cfpc.PI(20, 100), delay=0.05, dt=0.001)


@pytest.fixture(scope="session")
def basis() -> cfpc.Gaussians:
    return cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05)


@pytest.fixture(scope="session")
def reference() -> np.ndarray:
    n = np.arange(2500)
    return np.clip((n - 500) / 500, 0, 1) - np.clip((n - 1500) / 500, 0, 1)
