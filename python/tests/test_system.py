# SPDX-License-Identifier: Apache-2.0
"""Systems against python-control, SciPy and formulas."""

import copy
import pickle

import control
import numpy as np
import pytest
import scipy.signal

import cfpc

NUM, DEN = [2.0, 3.0], [1.0, 4.0, 8.0, 5.0]


def forms():
    tf = control.tf(NUM, DEN)
    a, b, c, d = scipy.signal.tf2ss(NUM, DEN)
    return {
        "tuple": (NUM, DEN),
        "matrices": (a, b, c, d),
        "control tf": tf,
        "control ss": control.ss(a, b, c, d),
        "scipy tf": scipy.signal.TransferFunction(NUM, DEN),
        "scipy ss": scipy.signal.StateSpace(a, b, c, d),
        "scipy zpk": scipy.signal.ZerosPolesGain(*scipy.signal.tf2zpk(NUM, DEN)),
        "system": cfpc.System((NUM, DEN)),
    }


@pytest.mark.parametrize("form", forms())
def test_every_form_is_the_same_system(form):
    sys = cfpc.System(forms()[form])
    hz = np.linspace(0, 3, 50)
    s = 2j * np.pi * hz
    exact = np.polyval(NUM, s) / np.polyval(DEN, s)
    assert sys.dt == 0
    np.testing.assert_allclose(sys.frequency_response(hz), exact, rtol=1e-11)  # rounding of a third-order system
    np.testing.assert_allclose(np.sort_complex(sys.poles()), np.sort_complex(np.roots(DEN)), rtol=1e-9)


def test_discrete_systems_keep_their_step():
    for given in (control.tf([1], [1, -0.5], 0.1), scipy.signal.dlti([1], [1, -0.5], dt=0.1)):
        sys = cfpc.System(given)
        assert sys.dt == 0.1
        np.testing.assert_allclose(sys.simulate([1, 0, 0, 0]), [0, 1, 0.5, 0.25], atol=1e-15)
    with pytest.raises(ValueError, match="leave dt out"):
        cfpc.System(control.tf([1], [1, -0.5], 0.1), dt=0.2)


@pytest.mark.parametrize("method, theirs", [("zoh", "zoh"), ("tustin", "bilinear"), ("euler", "euler")])
def test_discretise_as_scipy(method, theirs):
    sys = cfpc.System((NUM, DEN)).discretise(0.05, method=method)
    discrete = scipy.signal.cont2discrete(scipy.signal.tf2ss(NUM, DEN), 0.05, theirs)
    _, (response,) = scipy.signal.dimpulse(discrete, n=80)
    np.testing.assert_allclose(sys.impulse_response(4.0).y, response[:, 0], atol=1e-11 * abs(response).max())


def test_step_response_as_control():
    t, y = cfpc.System((NUM, DEN)).step_response(5.0, dt=0.01)
    _, theirs = control.step_response(control.tf(NUM, DEN), T=t)
    np.testing.assert_allclose(y, theirs, atol=1e-9)


def test_dead_time_is_exact():
    plain = cfpc.System(([1], [0.1, 1])).step_response(1.0, dt=0.01).y
    late = cfpc.System(([1], [0.1, 1]), delay=0.25).step_response(1.0, dt=0.01).y
    assert np.all(late[:25] == 0)
    np.testing.assert_array_equal(late[25:], plain[:-25])


def test_frequency_response_of_dead_time():
    hz = np.array([0.5, 3.0, 11.0])
    exact = np.exp(-2j * np.pi * hz * 0.07) / (1 + 2j * np.pi * hz * 0.1)
    np.testing.assert_allclose((cfpc.Lag(0.1) * cfpc.Delay(0.07)).frequency_response(hz), exact, rtol=1e-12)
    discrete = cfpc.System(([0.5], [1, -0.5]), dt=0.01, delay=0.07)
    z = np.exp(2j * np.pi * hz * 0.01)
    np.testing.assert_allclose(discrete.frequency_response(hz), 0.5 / (z - 0.5) * z**-7, rtol=1e-11)


def test_delays_add_up():
    both = cfpc.System(1, delay=0.02) * cfpc.Delay(0.03)
    assert both.delay == pytest.approx(0.05)
    assert cfpc.System(cfpc.System(1, delay=0.02), delay=0.03).delay == pytest.approx(0.05)
    assert both.discretise(0.01).delay == pytest.approx(0.05)


def test_delay_that_is_no_whole_number_of_steps_is_refused():
    with pytest.raises(cfpc.StatusError, match="0.055 s at a step of 0.01 s: a delay is negative or not a whole"):
        cfpc.Delay(0.055).discretise(0.01)


def test_pid_is_its_formula():
    hz = np.array([0.1, 1.0, 10.0])
    s = 2j * np.pi * hz
    np.testing.assert_allclose(cfpc.PI(20, 100).frequency_response(hz), 20 + 100 / s, rtol=1e-12)
    exact = 2 + 3 / s + 0.5 * s / (0.01 * s + 1)
    np.testing.assert_allclose(cfpc.PID(2, 3, 0.5, filter=0.01).frequency_response(hz), exact, rtol=1e-12)
    np.testing.assert_allclose(cfpc.LeadLag(2, 0.3, 0.1).frequency_response(hz), 2 * (0.3 * s + 1) / (0.1 * s + 1))
    with pytest.raises(ValueError, match="filter is missing"):
        cfpc.PID(1, 1, 1)


def test_matrices_go_in_and_out():
    a, b, c, d = [[-1.0, 2.0], [0.0, -3.0]], [[1.0], [0.5]], [[1.0, -1.0]], [[0.25]]
    sys = cfpc.System((a, b, c, d))
    for own, given in zip((sys.A, sys.B, sys.C, sys.D), (a, b, c, d), strict=True):
        np.testing.assert_array_equal(own, given)
    assert cfpc.System((a, [1, 0.5], [1, -1], 0.25)).order == 2


def test_copies_are_the_same():
    for sys in (cfpc.System((NUM, DEN), delay=0.1), cfpc.System((NUM, DEN), delay=0.1).discretise(0.05), cfpc.P(3)):
        for other in (pickle.loads(pickle.dumps(sys)), copy.deepcopy(sys), copy.copy(sys)):
            np.testing.assert_array_equal(other.step_response(1, dt=0.05).y, sys.step_response(1, dt=0.05).y)
            assert repr(other) == repr(sys)


def test_stability():
    assert cfpc.Lag(0.1).stable
    assert not cfpc.System(([1], [1, 0])).stable
    assert not cfpc.System(([1], [1, -1.1]), dt=1).stable
    assert cfpc.System(([1], [1, -0.9]), dt=1).stable


@pytest.mark.parametrize(
    "given, error, says",
    [
        ("tf", TypeError, "str is not a system"),
        ((1, 2, 3), ValueError, "a tuple of 3"),
        (control.tf([[[1], [1]]], [[[1, 1], [1, 2]]]), ValueError, "2 inputs and 1 outputs"),
        (control.tf([1], [1, 0.5], True), ValueError, "without a sampling step"),
        (([1, 2, 3], [1, 2]), cfpc.StatusError, "more zeros than poles"),
        (([1], [0.0]), cfpc.StatusError, "transfer function"),
        (([np.nan], [1, 1]), ValueError, r"num\[0\] is nan"),
        (([1j], [1, 1]), TypeError, "real numbers, not of complex128"),
        ((["a"], [1, 1]), TypeError, "real numbers"),
        (([[1, 2], [3, 4]], [1], [1, 2], 0), ValueError, r"B must have the shape \(2, 1\)"),
        (([[1, 2, 3], [3, 4, 5]], [1, 1], [1, 2], 0), ValueError, r"A must have the shape \(2, 2\)"),
        (float("inf"), ValueError, "must be finite"),
    ],
)
def test_what_is_no_system_is_refused(given, error, says):
    with pytest.raises(error, match=says):
        cfpc.System(given)


def test_python_control_in_frequencies_only_is_refused():
    with pytest.raises(TypeError, match="is not linear"):
        cfpc.System(control.frd([1, 2], [1, 2]))


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda s: s.discretise(0), ValueError, "dt is 0: it must be above 0"),
        (lambda s: s.discretise(float("nan")), ValueError, "dt is nan"),
        (lambda s: s.discretise("1"), TypeError, "dt must be a number"),
        (lambda s: s.discretise(0.1, method="foh"), ValueError, "there are: zoh, euler, tustin"),
        (lambda s: s.simulate([1, 2]), ValueError, "discretise"),
        (lambda s: s.step_response(1), ValueError, "dt is missing"),
        (lambda s: s.discretise(0.1).simulate([[1], [2]]), ValueError, r"u must have the shape \(n,\), not \(2, 1\)"),
        (lambda s: s.discretise(0.1).simulate([1, np.inf]), ValueError, r"u\[1\] is inf"),
        (lambda s: s.discretise(0.1).discretise(0.2), ValueError, "is discrete with a step of 0.1"),
        (lambda s: s.frequency_response("x"), TypeError, "real numbers"),
        (lambda s: cfpc.System(s, dt=0.1), ValueError, "use discretise"),
        (lambda s: cfpc.System(1, delay=-1), ValueError, "delay is -1"),
    ],
)
def test_bad_arguments_say_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call(cfpc.Lag(0.1))


def test_strided_and_other_dtypes_are_read_as_what_they_are():
    sys = cfpc.Lag(0.1).discretise(0.01)
    u = np.arange(20.0)
    for same in (np.repeat(u, 3)[::3], u.astype(np.float32), u.astype(np.int64), u.tolist(), u.astype(">f8")):
        np.testing.assert_array_equal(sys.simulate(same), sys.simulate(u))
    np.testing.assert_array_equal(sys.simulate(u[::-1]), sys.simulate(u[::-1].copy()))


def test_a_response_shows_in_a_line():
    shown = repr(cfpc.System(1).step_response(1, dt=0.1))
    assert shown == "<cfpc.TimeResponse: 10 samples to 0.9 s; t, y = it>"
