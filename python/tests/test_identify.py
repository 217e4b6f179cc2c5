# SPDX-License-Identifier: Apache-2.0
"""Identification and probes."""

import numpy as np
import pytest
import scipy.signal

import cfpc


def log(noise=0.0, steps=2000):
    """A lag with dead time, by SciPy."""
    rng = np.random.default_rng(11)
    u = rng.standard_normal(steps)
    a = np.exp(-0.01 / 0.05)
    y = scipy.signal.lfilter([0] * 4 + [1 - a], [1, -a], u)
    return u, y + noise * rng.standard_normal(steps), 1 - a, a


def test_a_clean_log_gives_the_system():
    u, y, b, a = log()
    model = cfpc.identify(u, y, 0.01)
    assert model.fit > 99.99 and model.dead_time == pytest.approx(0.04) and model.order <= 2
    expected = np.r_[np.zeros(4), b * a ** np.arange(26)]
    np.testing.assert_allclose(model.system.impulse_response(0.3).y, expected, atol=1e-4)
    assert model.simulated.shape == u.shape


def test_the_band_holds_the_truth_under_noise():
    u, y, b, a = log(noise=0.1)
    model = cfpc.identify(u, y, 0.01)
    hz, radius = model.band
    z = np.exp(2j * np.pi * hz * 0.01)
    truth = b * z**-4 / (1 - a / z)
    assert np.all(abs(model.system.frequency_response(hz) - truth) <= radius)
    assert 0.09 < model.noise < 0.11 and model.whiteness_p > 1e-4 and model.feedback_p > 1e-4


def test_a_model_becomes_a_loop_with_a_certificate():
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.01)
    r = np.random.default_rng(12).standard_normal(2000)
    model = cfpc.identify(r, loop.simulate(r), 0.01)
    again = model.loop()
    np.testing.assert_allclose(again.step_response(1.0).y, loop.step_response(1.0).y, atol=1e-3)
    certificate = again.certify(cfpc.Gaussians(8, duration=1.0), band=model.band)
    assert 0 < certificate.robust_rate_max <= certificate.rate_max_monotone


def test_a_band_leaves_a_rate_unless_the_trial_cuts_off_an_effect():
    """The last of 40 bases is 31 ms before the end, and the loop answers after 50 ms."""
    loop = cfpc.Loop(cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003), cfpc.PI(20, 100), delay=0.05, dt=0.005)
    rng = np.random.default_rng(1)
    r = rng.standard_normal(6000)
    model = cfpc.identify(r, loop.simulate(r) + 0.02 * rng.standard_normal(6000), 0.005)
    x = cfpc.Gaussians(40, duration=2.5).table(0.005)
    longer = np.vstack([x, np.zeros((20, 40))])  # 100 ms more
    cut, whole = (model.loop().certify(each, band=model.band) for each in (x, longer))
    assert cut.robust_widest < 2 and cut.robust_rate_max < 0.5 * cut.rate_max_monotone
    assert whole.robust_widest > 5 and whole.robust_rate_max > 0.8 * whole.rate_max_monotone


def test_a_probe_tells_what_it_promises():
    path = (cfpc.Lag(0.05) * cfpc.Delay(0.03)).discretise(0.01)
    probe = cfpc.excite(path, 40.0, low_hz=0.2, high_hz=10, rms=0.2, noise=0.02)
    y = path.simulate(probe.signal)
    steady = y[len(probe.probe) :]
    assert np.sqrt(np.mean(steady**2)) == pytest.approx(0.2, rel=0.01)
    assert np.sqrt(np.mean(probe.probe**2)) == pytest.approx(probe.rms) and abs(probe.probe).max() == probe.peak
    assert probe.hz[0] >= 0.2 - 1e-9 and probe.hz[-1] <= 10 + 1e-9 and 0 < probe.error < 0.1


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda u, y: cfpc.identify(u[:5], y[:5], 0.01), cfpc.StatusError, "5 steps are too few"),
        (lambda u, y: cfpc.identify(u, y[:-1], 0.01), ValueError, r"output must have the shape \(2000,\)"),
        (lambda u, y: cfpc.identify(u, 0 * y, 0.01), ValueError, r"output is constant \(0\)"),
        (lambda u, y: cfpc.identify(u, y, 0), ValueError, "dt is 0"),
        (lambda u, y: cfpc.identify(u, y, 0.01, max_order=99), ValueError, "max_order is 99"),
        (lambda u, y: cfpc.identify(np.r_[np.nan, u[1:]], y, 0.01), ValueError, r"input\[0\] is nan"),
        (lambda u, y: cfpc.excite(cfpc.Lag(1), 1, low_hz=1, high_hz=2, rms=1), ValueError, "dt is missing"),
        (
            lambda u, y: cfpc.excite(cfpc.Lag(1), 1, low_hz=0.1, high_hz=2, rms=1, dt=0.01),
            ValueError,
            "need at least",
        ),
    ],
)
def test_bad_logs_say_what_is_wrong(call, error, says):
    u, y, _, _ = log()
    with pytest.raises(error, match=says):
        call(u, y)


def closed_loop_log():
    """The command and the output of a loop whose sensor is noisy, while its reference moves a little."""
    rng = np.random.default_rng(13)
    y = np.zeros(3000)
    u = np.zeros(3000)
    r = np.repeat(0.2 * rng.standard_normal(30), 100)
    for n in range(1, 3000):
        y[n] = 0.9 * y[n - 1] + 0.1 * u[n - 1] + 0.05 * rng.standard_normal()
        u[n] = 3 * (r[n] - y[n])
    return u, y


def test_the_command_of_a_closed_loop_is_refused_unless_it_is_allowed():
    u, y = closed_loop_log()
    with pytest.raises(ValueError, match="input reacts to output .*allow_feedback=True"):
        cfpc.identify(u, y, 0.01)
    with pytest.warns(cfpc.ModelWarning, match="far from the truth"):
        model = cfpc.identify(u, y, 0.01, allow_feedback=True)
    assert model.feedback_p < 1e-4


def test_what_no_model_explains_is_refused_or_doubted():
    u, _, _, _ = log()
    rng = np.random.default_rng(14)
    with pytest.raises(ValueError, match="no model from input to output was found"):
        cfpc.identify(u, rng.standard_normal(u.size), 0.01)
    _, y, _, _ = log()
    with pytest.warns(cfpc.ModelWarning, match="the model may be wrong by 111 %"):
        cfpc.identify(u, y + rng.standard_normal(u.size) * np.std(y), 0.01)
    with pytest.raises(ValueError, match="input is constant .* estimated from"):
        cfpc.identify(np.r_[np.zeros(1000), u[1000:]], y, 0.01)


def test_an_outlier_is_named_with_its_step():
    u, y, _, _ = log()
    y = y.copy()
    y[700] = 1e4
    with pytest.raises(ValueError, match=r"output\[700\] of 10000 is an outlier"):
        cfpc.identify(u, y, 0.01)


def test_a_model_that_is_known_poorly_is_doubted():
    rng = np.random.default_rng(3)
    u = rng.standard_normal(200)
    y = (cfpc.Lag(0.05) * cfpc.Delay(0.03)).discretise(0.01).simulate(u)
    with pytest.warns(cfpc.ModelWarning, match="Hz the model may be wrong by [0-9]+ %"):
        cfpc.identify(u, y + 0.35 * np.std(y) * rng.standard_normal(u.size), 0.01)


def test_models_and_probes_show_in_a_line():
    u, y, _, _ = log()
    assert repr(cfpc.identify(u, y, 0.01)) == "<cfpc.Model: fit 100.0 %, order 1, dead time 0.04 s>"
    probe = cfpc.excite(cfpc.Lag(0.05), 20.0, low_hz=0.2, high_hz=10, rms=0.1, noise=0.01, dt=0.01)
    assert repr(probe).startswith("<cfpc.Excitation: ") and len(repr(probe)) < 100


def test_a_log_of_one_or_two_frequencies_is_refused():
    t = np.arange(2000) * 0.01
    for u in (np.sin(2 * np.pi * t), np.sin(2 * np.pi * 0.3 * t) + 0.5 * np.cos(2 * np.pi * 2.1 * t)):
        with pytest.raises(ValueError, match="input holds only one or two frequencies"):
            cfpc.identify(u, cfpc.Lag(0.05).discretise(0.01).simulate(u), 0.01)
    u = np.sin(2 * np.pi * t) + np.sin(2 * np.pi * 2.7 * t) + np.sin(2 * np.pi * 7.3 * t)
    assert cfpc.identify(u, cfpc.Lag(0.05).discretise(0.01).simulate(u), 0.01).fit > 99
    with pytest.raises(ValueError, match="output goes up to 1e.150, too large"):
        cfpc.identify(u, 1e150 * u / np.abs(u).max(), 0.01)
