# SPDX-License-Identifier: Apache-2.0
"""Basis signals against their formulas."""

import numpy as np
import pytest
import scipy.signal

import cfpc


def test_gaussians():
    x = cfpc.Gaussians(3, duration=1.0, spacing=0.2, width=0.05, first=0.3).table(0.01)
    t = np.arange(100) * 0.01
    centres = np.array([0.3, 0.5, 0.7])
    np.testing.assert_allclose(x, np.exp(-((t[:, None] - centres) ** 2) / (2 * 0.05**2)), atol=1e-15)


def test_bumps_are_centred_without_a_first():
    x = cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05).table(0.001)
    assert np.argmax(x[:, 0]) == pytest.approx(300, abs=1)
    assert np.argmax(x[:, -1]) == pytest.approx(2200, abs=1)


def test_bumps_of_a_cue_start_at_the_cue():
    x = cfpc.Gaussians(3, duration=1.0, spacing=0.1, width=0.05, first=0.1, origin=0.4).table(0.01)
    assert np.all(x[:40] == 0) and np.argmax(x[:, 0]) == 50


def test_raised_cosines():
    x = cfpc.RaisedCosines(1, duration=1.0, spacing=0.1, width=0.2, first=0.5).table(0.01)[:, 0]
    z = np.clip((np.arange(100) * 0.01 - 0.5) / 0.2, -1, 1)
    np.testing.assert_allclose(x, (1 + np.cos(np.pi * z)) / 2, atol=1e-12)


@pytest.mark.parametrize("kind", ["Alphas", "Exponentials"])
def test_decays(kind):
    x = getattr(cfpc, kind)(2, duration=1.0, first=0.1, last=0.4).table(0.01)
    t = np.arange(100)[:, None] * 0.01
    tau = np.array([0.1, 0.4])
    exact = np.exp(-t / tau) if kind == "Exponentials" else t / tau * np.exp(1 - t / tau)
    np.testing.assert_allclose(x, exact, atol=1e-13)


def test_leaky_cascade_is_a_chain_of_lags():
    u = np.random.default_rng(3).standard_normal(200)
    x = cfpc.LeakyCascade(2, time_constant=0.05).over(u, 0.01).table(0.01)
    a, b = np.array([[-20.0, 0.0], [20.0, -20.0]]), np.array([[20.0], [0.0]])
    chain = scipy.signal.cont2discrete((a, b, np.eye(2), np.zeros((2, 1))), 0.01)
    _, y, _ = scipy.signal.dlsim(chain, u)
    np.testing.assert_allclose(x, y, atol=1e-12)


def test_a_driven_basis_has_no_table():
    with pytest.raises(ValueError, match=r"basis.over\(signal, dt\)"):
        cfpc.TappedDelay(3, spacing=0.01).table(0.01)
    with pytest.raises(ValueError, match="not driven by a signal"):
        cfpc.Gaussians(3, duration=1.0).over([1, 2], 0.01)


def test_periodic_bumps_add_up():
    turns = np.random.default_rng(4).uniform(-3, 3, 50)
    x = cfpc.Periodic(8).over(turns, 0.01).table(0.01)
    np.testing.assert_allclose(x.sum(axis=1), 1, atol=2e-4)  # interpolation: 1.5e-4, cfpc/basis.h
    np.testing.assert_allclose(cfpc.Periodic(8).over(turns + 5, 0.01).table(0.01), x, atol=1e-9)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: cfpc.Gaussians(0, duration=1), ValueError, "count is 0"),
        (lambda: cfpc.Gaussians(2.5, duration=1), TypeError, "count must be a whole number"),
        (lambda: cfpc.Gaussians(2, duration=0), ValueError, "duration is 0"),
        (lambda: cfpc.Gaussians(2, duration=1, width=-1), ValueError, "width is -1"),
        (lambda: cfpc.Alphas(2, duration=1, first=0), ValueError, "first is 0"),
        (lambda: cfpc.TappedDelay(2, spacing=0.015).over([1], 0.01), cfpc.StatusError, "spacing of 0.015 s"),
        (lambda: cfpc.Periodic(4, width=0.7), ValueError, "at most 0.5"),
        (lambda: cfpc.Table([[1, np.nan]]), ValueError, r"the basis\[0, 1\] is nan"),
        (lambda: cfpc.Table([1, 2]), ValueError, r"shape \(n, m\), not \(2,\)"),
        (lambda: cfpc.Table(np.zeros((0, 2))), ValueError, "empty"),
        (lambda: cfpc.Table([[1, 2], [3]]), ValueError, "not an array"),
    ],
)
def test_bad_bases_say_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_a_table_is_a_copy():
    values = np.ones((3, 2))
    table = cfpc.Table(values)
    values[0, 0] = 5
    assert table.table(1.0)[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        table.table(1.0)[0, 0] = 2
