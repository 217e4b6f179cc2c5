# SPDX-License-Identifier: Apache-2.0
"""Loops with dead time against python-control, SciPy and polynomials."""

import math
import pickle

import control
import numpy as np
import pytest
import scipy.signal

import cfpc


def closed_by_hand(delay_steps, steps, kp=5.0, tau=0.1, dt=0.001):
    """The step response of a delayed proportional loop around a lag, one sample at a time."""
    a = math.exp(-dt / tau)
    line, y, out = [0.0] * delay_steps, 0.0, []
    for _ in range(steps):
        out.append(y)
        line.append(kp * (1 - y))
        y = a * y + (1 - a) * line.pop(0)
    return np.array(out)


@pytest.mark.parametrize("where", ["delay", "command_delay"])
def test_step_response_with_dead_time(where):
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), **{where: 0.02}, dt=0.001)
    t, y = loop.step_response(0.8)
    assert t[1] == 0.001
    np.testing.assert_allclose(y, closed_by_hand(20, 800), atol=1e-12)  # sums of 800 terms of size 1


def test_measurement_delay_leaves_the_way_forward():
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), measurement_delay=0.02, dt=0.001)
    assert loop.dead_time == pytest.approx(0.001)
    late = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
    np.testing.assert_allclose(loop.poles(count=5), late.poles(count=5), rtol=1e-9)  # the same loop, entered elsewhere
    np.testing.assert_allclose(late.step_response(0.5).y[20:], loop.step_response(0.48).y, atol=1e-12)


def test_same_as_python_control_without_dead_time():
    plant, controller = control.tf([1], [0.1, 1]), control.tf([20, 100], [1, 0])
    loop = cfpc.Loop(plant=plant, controller=controller, dt=0.001)
    discrete = control.feedback(control.c2d(plant, 0.001) * control.c2d(controller, 0.001))
    _, theirs = control.step_response(discrete, T=np.arange(500) * 0.001)
    np.testing.assert_allclose(loop.step_response(0.5).y, np.squeeze(theirs)[:500], atol=1e-9)
    ours = loop.poles()
    np.testing.assert_allclose(np.sort(abs(ours)), np.sort(abs(control.poles(discrete))), rtol=1e-8)


def test_poles_with_dead_time_are_the_roots_of_the_polynomial():
    # z^20 (z - a) + kp (1 - a) = 0: a lag, 20 steps of delay, a gain.
    a = math.exp(-0.01)
    polynomial = np.r_[1.0, -a, np.zeros(19), 5 * (1 - a)]
    roots = np.roots(polynomial)
    ours = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001).poles()
    assert len(ours) == 21
    for root in roots:
        assert abs(ours - root).min() < 1e-9
    largest = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001).poles(count=2)
    np.testing.assert_allclose(abs(largest), np.sort(abs(roots))[::-1][:2], rtol=1e-9)


def test_margins_with_dead_time():
    """Against the formula of L, found on a fine grid: python-control has no dead time to compare with."""
    margins = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001).margins()
    a = math.exp(-0.01)

    def open_loop(hz):
        z = np.exp(2j * np.pi * hz * 0.001)
        return 5 * (1 - a) / (z - a) * z**-20

    assert abs(open_loop(margins.phase_hz)) == pytest.approx(1, abs=1e-9)
    at = np.angle(-open_loop(margins.phase_hz), deg=True)
    assert margins.phase_deg == pytest.approx(at, abs=1e-6)
    assert margins.gain * open_loop(margins.gain_hz) == pytest.approx(-1, abs=1e-7)
    assert margins.delay == pytest.approx(margins.phase_deg / 360 / margins.phase_hz, rel=1e-9)
    # The margins are where the loop turns unstable.
    for factor, stable in ((0.999, True), (1.001, False)):
        gain = cfpc.P(5 * margins.gain * factor)
        assert cfpc.Loop(cfpc.Lag(0.1), gain, delay=0.02, dt=0.001).stable is stable


def test_margins_as_python_control():
    plant, controller = control.tf([1], [0.01, 0.2, 1, 0]), control.tf([8], [1])
    loop = cfpc.Loop(plant, controller, dt=0.05)  # a finer step is numerically hard for polynomials
    gain, phase, _, _ = control.margin(control.c2d(plant, 0.05) * 8)
    ours = loop.margins()
    assert ours.gain == pytest.approx(gain, rel=1e-6)
    assert ours.phase_deg == pytest.approx(phase, rel=1e-6)


def test_unstable_loop_can_be_looked_at(basis):
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(50), delay=0.02, dt=0.001)
    assert not loop.stable
    assert abs(loop.poles(count=1)[0]) > 1
    assert loop.margins().phase_deg < 0
    assert abs(loop.step_response(1.0).y[-1]) > 10
    margins = loop.margins()
    assert margins.phase_deg < 0 and np.isnan([margins.gain, margins.delay, margins.gain_low]).all()
    assert "unstable" in repr(loop)
    with pytest.raises(ValueError, match="unstable"):
        loop.step_response()
    for refused in (lambda: loop.certify(basis), lambda: cfpc.Cell(loop, basis)):
        with pytest.raises(cfpc.StatusError, match="nothing can be learned"):
            refused()


def test_paths_add_up(loop):
    hz = np.array([0.0, 1.0, 4.0])
    plant = loop.plant.frequency_response(hz)
    command = loop.frequency_response(hz, target="u")
    np.testing.assert_allclose(loop.frequency_response(hz), plant * command, rtol=1e-9)
    np.testing.assert_allclose(
        loop.frequency_response(hz, source="push"), plant * (1 - loop.frequency_response(hz)), rtol=1e-8, atol=1e-12
    )


def test_realised_from_its_response(loop):
    pulse = loop.impulse_response(1.0).y
    again = cfpc.Loop.from_response(pulse, 0.001)
    assert again.stable and again.plant is None
    np.testing.assert_allclose(again.impulse_response(1.0).y, pulse, atol=1e-6 * abs(pulse).max())
    assert again.dead_time == pytest.approx(loop.dead_time)
    ours, theirs = again.margins(), loop.margins()
    assert ours.phase_deg == pytest.approx(theirs.phase_deg, abs=0.1)
    assert ours.gain == pytest.approx(theirs.gain, rel=1e-3)
    with pytest.raises(ValueError, match="no other path"):
        again.path("push", "y")


def test_a_response_that_is_no_loop_is_taken_as_it_is():
    box = np.r_[np.zeros(5), np.ones(30), np.zeros(65)]
    loop = cfpc.Loop.from_response(box, 0.01, max_states=2)
    np.testing.assert_allclose(loop.impulse_response(1.0).y, box, atol=1e-12)


def test_from_transfer(loop):
    again = cfpc.Loop.from_transfer(loop.transfer)
    np.testing.assert_array_equal(again.step_response(0.5).y, loop.step_response(0.5).y)


def test_pickles(loop):
    for one in (loop, cfpc.Loop.from_transfer(loop.transfer)):
        other = pickle.loads(pickle.dumps(one))
        assert other.stable and other.dt == one.dt
        np.testing.assert_array_equal(other.step_response(0.5).y, one.step_response(0.5).y)
        np.testing.assert_array_equal(other.poles(count=3), one.poles(count=3))


def test_simulation_is_convolution(loop):
    u = np.random.default_rng(2).standard_normal(400)
    expected = scipy.signal.fftconvolve(u, loop.impulse_response(0.4).y)[:400]
    np.testing.assert_allclose(loop.simulate(u), expected, atol=1e-12 * 400)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: cfpc.Loop(cfpc.Lag(0.1), 1.0), ValueError, "dt is missing"),
        (lambda: cfpc.Loop(cfpc.P(1), cfpc.P(1), dt=0.1), cfpc.StatusError, "feeds itself at once"),
        (lambda: cfpc.Loop(cfpc.Lag(0.1), 1.0, delay=0.0005, dt=0.001), cfpc.StatusError, "delay of 0.0005 s"),
        (lambda: cfpc.Loop(cfpc.Lag(0.1), 1.0, delay=-1, dt=0.001), ValueError, "delay is -1"),
        (lambda: cfpc.Loop(control.tf([1], [1, 0.5], 0.1), 1.0, dt=0.2), ValueError, "cannot have 0.2 s"),
        (lambda: cfpc.Loop("plant", 1.0, dt=0.1), TypeError, "is not a system"),
        (lambda: cfpc.Loop.from_response([0, np.nan], 0.1), ValueError, r"response\[1\] is nan"),
        (lambda: cfpc.Loop.from_response(np.zeros(9), 0.1), cfpc.StatusError, "the response"),
        (lambda: cfpc.Loop(cfpc.Lag(1), 1.0, dt=0.1).path("r"), ValueError, "there are: drive, push"),
    ],
)
def test_bad_loops_say_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_an_array_is_a_basis(loop, basis, reference):
    x = basis.table(loop.dt)
    assert loop.certify(x, reference=reference).asymptote == loop.certify(basis, reference=reference).asymptote
    assert loop.optimum(x.tolist(), reference).rrmse == loop.optimum(basis, reference).rrmse
    assert loop.certify(x).verdict == "monotone"


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda loop, x, r: loop.certify(x.T, reference=r), ValueError, "rows must be steps, is it transposed"),
        (lambda loop, x, r: loop.certify(x.T), ValueError, "rows must be steps, is it transposed"),
        (lambda loop, x, r: loop.optimum(x.T, r), ValueError, "rows must be steps, is it transposed"),
        (lambda loop, x, r: loop.certify(x[:-1], reference=r), ValueError, "2499 steps, but reference has 2500$"),
        (lambda loop, x, r: loop.certify(3), TypeError, "int is not a basis"),
        (lambda loop, x, r: loop.certify("gaussian"), TypeError, "str is not a basis: give one"),
        (lambda loop, x, r: loop.optimum(None, r), TypeError, "NoneType is not a basis"),
        (lambda loop, x, r: loop.certify(x, believed=3), TypeError, "believed must be a cfpc.Loop"),
        (lambda loop, x, r: loop.certify(x, reference=0 * r), ValueError, "no error on the task, so there is nothing"),
        (lambda loop, x, r: loop.certify(x, band=3), TypeError, r"\(hz, radius\), as Model.band"),
        (lambda loop, x, r: loop.certify(x, band=([1, 2], [1])), ValueError, "radii must have the shape"),
        (lambda loop, x, r: loop.certify(x, band=([2, 1], [1, 1])), ValueError, "each above the last"),
    ],
)
def test_bad_bases_and_tasks_say_what_is_wrong(loop, basis, reference, call, error, says):
    with pytest.raises(error, match=says):
        call(loop, basis.table(loop.dt), reference)


LAG = ([1], [0.1, 1])


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: cfpc.Loop(LAG, 1, delay=1e9, dt=1e-3), ValueError, "delay of 1e.09 s is too long: .* limit is 1000 s"),
        (lambda: cfpc.Loop(([], [0.1, 1]), 1, dt=1e-3), ValueError, "num is empty"),
        (lambda: cfpc.Loop(([1], []), 1, dt=1e-3), ValueError, "den is empty"),
        (lambda: cfpc.Loop(([1], [0, 0]), 1, dt=1e-3), ValueError, "den is zero"),
        (lambda: cfpc.Loop(LAG, 1, dt=1e-3).frequency_response([1, 501]), ValueError, "501: the limit is 500 Hz"),
        (
            lambda: cfpc.Loop(LAG, 1, dt=1e-3).simulate(np.ma.masked_array([1.0, 2.0], [0, 1])),
            TypeError,
            "masked array",
        ),
        (
            lambda: cfpc.excite(LAG, 20, low_hz=0.1, high_hz=600, rms=1, dt=1e-3),
            ValueError,
            "high_hz is 600: .* 500 Hz",
        ),
        (
            lambda: cfpc.excite(LAG, 20, low_hz=5, high_hz=2, rms=1, dt=1e-3),
            ValueError,
            "low_hz is 5: .* below high_hz",
        ),
        (lambda: cfpc.excite(LAG, 20, low_hz=0, high_hz=2, rms=1, dt=1e-3), ValueError, "low_hz is 0: .* above 0"),
        (lambda: cfpc.Gaussians(10**9, duration=2.0).table(1e-3), MemoryError, "1000000000 basis signals over 2000"),
        (lambda: cfpc.Gaussians(20), TypeError, "Gaussians needs duration"),
        (lambda: cfpc.Alphas(20), TypeError, "Alphas needs duration"),
    ],
)
def test_what_cannot_be_made_says_which_limit(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_one_frequency_gives_one_number(loop):
    one = loop.frequency_response(2.0)
    assert np.ndim(one) == 0 and one == loop.frequency_response([2.0])[0]
    assert loop.frequency_response(0.5 / loop.dt) == pytest.approx(loop.frequency_response([0.5 / loop.dt])[0])


def test_a_long_delay_is_the_dead_time():
    assert cfpc.Loop(cfpc.Lag(0.1), cfpc.P(0.5), delay=1000.0, dt=1e-3).dead_time == pytest.approx(1000.001)


@pytest.mark.parametrize(
    "trace, settings, error, says",
    [
        ("none", {"delay": 0.05, "rho": 3}, TypeError, "the trace 'none' has no setting delay, rho; it has: adjoint"),
        ("forward-model", {"neglect": 0.1}, TypeError, "no setting neglect; .*neglect needs adjoint=True"),
        ("whitened", {"time_constant": 0.1}, TypeError, "no setting time_constant; it has: adjoint, neglect, rho"),
        (np.ones(5), {"delay": 0.1}, TypeError, "a trace that is given has no setting delay"),
        ("delay", {"delay": 2.5}, ValueError, "delay is 2.5 s, but the trial only 2.5 s: nothing would be learned"),
    ],
)
def test_settings_that_a_trace_does_not_have(loop, basis, trace, settings, error, says):
    with pytest.raises(error, match=says):
        loop.certify(basis, trace=trace, **settings)
    with pytest.raises(error, match=says):
        cfpc.Cell(loop, basis, trace=trace, **settings)


def test_a_delay_that_is_not_given_is_that_of_the_peak(loop, basis):
    peak = float(np.argmax(loop.impulse_response(1.0).y)) * loop.dt
    given, found = (loop.certify(basis, trace="delay", **it) for it in ({"delay": peak}, {}))
    assert given.rate == found.rate and given.rate_max == found.rate_max
