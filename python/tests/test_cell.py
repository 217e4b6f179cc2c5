# SPDX-License-Identifier: Apache-2.0
"""The cell against its equations in NumPy, against its certificate, and with bad input."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
import scipy.signal

import cfpc


def by_equations(response, x, e, eta):
    """o = xᵀw, w += η h e, h = T x: the paper's on-line rule."""
    h = np.stack([scipy.signal.fftconvolve(column, response)[: len(e)] for column in x.T], axis=1)
    w, out = np.zeros(x.shape[1]), []
    for n in range(len(e)):
        out.append(x[n] @ w)
        w += eta * h[n] * e[n]
    return np.array(out), w


@pytest.mark.parametrize("trace", ["forward-model", "none", "delay", "exponential"])
def test_on_line_is_the_papers_rule(loop, basis, trace):
    e = np.random.default_rng(5).standard_normal(2500)
    settings = {"delay": {"delay": 0.07}, "exponential": {"time_constant": 0.05}}.get(trace, {})
    cell = cfpc.Cell(loop, basis, rate=1e-3, trace=trace, guard=False, **settings)
    out = np.array([cell.step(error) for error in e])
    pulse = np.zeros(2500)
    if trace == "exponential":
        a = np.exp(-0.001 / 0.05)
        pulse = (1 - a) * a ** np.arange(2500)
    else:
        pulse[{"none": 0, "delay": 70}.get(trace, 0)] = 1
    response = loop.impulse_response(2.5).y if trace == "forward-model" else pulse
    expected, weights = by_equations(response, basis.table(0.001), e, 1e-3)
    scale = abs(expected).max()
    np.testing.assert_allclose(out, expected, atol=1e-11 * scale)  # rounding of 2500 updates
    np.testing.assert_allclose(cell.weights, weights, atol=1e-11 * abs(weights).max())


def learn(loop, cell, reference, trials):
    """The rRMSE of trials of the closed loop, y = T(r + o), relative to the loop alone."""
    response = loop.impulse_response(2.5).y
    dead = round(loop.dead_time / loop.dt)
    errors = []
    for _ in range(trials):
        drive, e = np.zeros(2500), np.zeros(2500)
        for n in range(0, 2500, dead):  # what comes out in a dead time depends on earlier drive only
            until = min(n + dead, 2500)
            y = scipy.signal.fftconvolve(drive[:until], response)[n:until]
            e[n:until] = reference[n:until] - y
            drive[n:until] = reference[n:until] + cell.step_block(e[n:until])
        cell.end_trial()
        errors.append(np.sqrt(np.mean(e**2)))
    return np.array(errors) / np.sqrt(np.mean((reference - loop.simulate(reference)) ** 2))


@pytest.mark.parametrize("trace", ["forward-model", "whitened", "delay"])
def test_batch_learning_is_what_the_certificate_predicts(loop, basis, reference, trace):
    certificate = loop.certify(basis, trace=trace, rate_fraction=0.5, reference=reference)
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5, trace=trace, mode="batch", guard=True)
    assert cell.rate == pytest.approx(certificate.rate, rel=1e-12)
    curve = learn(loop, cell, reference, 12)
    np.testing.assert_allclose(curve, certificate.predict(12), atol=1e-9)
    assert cell.guard_acts == 0 and cell.flags == frozenset()


def test_the_paper(loop, basis, reference):
    best = loop.optimum(basis, reference)
    assert best.rrmse == pytest.approx(0.0455, abs=5e-5)  # docs/experiments/pursuit.md
    forward = loop.certify(basis, trace="forward-model", reference=reference)
    assert forward.verdict == "monotone" and forward.asymptote == pytest.approx(best.rrmse, rel=1e-6)
    none = loop.certify(basis, trace="none", reference=reference)
    assert none.verdict == "eventual" and none.asymptote > 1e4 and none.growth == pytest.approx(9.875e4, rel=1e-3)


def test_on_line_certificate(loop, basis, reference):
    certificate = loop.certify(basis, trace="forward-model", mode="online", reference=reference)
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5, trace="forward-model", mode="online", guard=False)
    np.testing.assert_allclose(learn(loop, cell, reference, 5), certificate.predict(5), atol=1e-9)
    assert certificate.rate < certificate.rate_max


def test_the_guard_stops_what_makes_it_worse(loop, basis, reference):
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5, trace="none", mode="batch", guard=True)
    curve = learn(loop, cell, reference, 40)
    assert cell.guard_acts >= 1 and cell.guard_reason and "guarded" in cell.flags
    assert curve.max() < 2
    free = cfpc.Cell(loop, basis, rate_fraction=0.5, trace="none", mode="batch", guard=False)
    assert learn(loop, free, reference, 40).max() > 2


def test_blocks_are_steps(loop, basis):
    e = np.random.default_rng(6).standard_normal(1000)
    one = cfpc.Cell(loop, basis, rate_fraction=0.1, guard=False)
    other = one.copy()
    np.testing.assert_array_equal(one.step_block(e), [other.step(error) for error in e])
    np.testing.assert_array_equal(one.weights, other.weights)


def test_halves_are_a_step():
    one = cfpc.Cell(None, 2, rate=0.1, trace="none", dt=0.01, guard=False)
    other = one.copy()
    rows = np.random.default_rng(7).standard_normal((20, 2))
    for x in rows:
        o = one.act(x)
        one.learn(0.3)
        assert other.step(0.3, x) == o
    np.testing.assert_array_equal(one.weights, other.weights)


# ---- basis signals that are driven or given ----------------------------------------------------


def test_driven_basis_is_its_table(loop):
    signal = np.random.default_rng(8).standard_normal(300)
    basis = cfpc.TappedDelay(5, spacing=0.01)
    cell = cfpc.Cell(loop, basis, rate_fraction=0.1, example=signal, guard=False)
    table = cfpc.Cell(loop, basis.over(signal, 0.001), rate_fraction=0.1, guard=False)
    assert cell.rate == table.rate
    e = np.random.default_rng(9).standard_normal(300)
    given = cfpc.Cell(loop, 5, rate=cell.rate, guard=False)
    x = basis.over(signal, 0.001).table(0.001)
    block = cell.copy().step_block(e, signal)
    for n in range(300):
        o = cell.step(e[n], signal[n])
        assert o == table.step(e[n]) == given.step(e[n], x[n]) == block[n]


def test_periodic_basis(loop):
    turns = np.cumsum(np.full(200, 0.013))
    cell = cfpc.Cell(loop, cfpc.Periodic(8), rate=0.01, guard=False)
    x = cfpc.Periodic(8).over(turns, 0.001).table(0.001)
    given = cfpc.Cell(loop, 8, rate=0.01, guard=False)
    assert [cell.step(0.5, t) for t in turns] == [given.step(0.5, row) for row in x]


def test_rows_of_any_kind_are_read_as_what_they_are():
    x = np.arange(3.0)
    for same in (np.repeat(x, 2)[::2], x.astype(np.float32), x.astype(int), x.tolist(), x.astype(">f8"), tuple(x)):
        cell = cfpc.Cell(None, 3, rate=0.1, trace="none", dt=0.01, guard=False)
        cell.weights[:] = [1, 10, 100]
        assert cell.step(0.0, same) == 210


# ---- its memory --------------------------------------------------------------------------------


def test_weights_are_live(loop, basis):
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5, guard=False)
    weights = cell.weights
    cell.step_block(np.ones(500))
    assert weights.any()
    np.testing.assert_array_equal(weights, cell.weights)
    weights[:] = 0
    assert not cell.weights.any()
    cell.weights[3] = 2.5
    assert weights[3] == 2.5


def test_a_view_keeps_the_cell_alive():
    cell = cfpc.Cell(None, 100_000, rate=0.1, trace="none", dt=0.01, guard=False)
    cell.weights[:] = 7
    weights, gone = cell.weights, weakref.ref(cell)
    del cell
    gc.collect()
    assert gone() is not None and np.all(weights == 7)
    del weights
    gc.collect()
    assert gone() is None


def states(loop, basis):
    signal = np.random.default_rng(10).standard_normal(200)
    table = cfpc.Cell(loop, basis, rate_fraction=0.3, trace="whitened")
    table.step_block(signal)
    driven = cfpc.Cell(loop, cfpc.Laguerre(4, time_constant=0.02), rate=0.01)
    driven.step_block(signal, signal)
    angle = cfpc.Cell(loop, cfpc.Periodic(6), rate=0.01)
    angle.step_block(signal, signal)
    return {"table": (table, ()), "driven": (driven, (0.7,)), "angle": (angle, (0.7,))}


@pytest.mark.parametrize("kind", ["table", "driven", "angle"])
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda c: c.copy(), lambda c: pickle.loads(pickle.dumps(c))])
def test_copies_go_on_alike(loop, basis, kind, how):
    cell, x = states(loop, basis)[kind]
    other = how(cell)
    assert type(other) is cfpc.Cell and other.clock == cell.clock and other.dt == cell.dt
    assert [other.step(0.2, *x) for _ in range(50)] == [cell.step(0.2, *x) for _ in range(50)]
    other.weights[0] += 1
    assert other.weights[0] != cell.weights[0]


@pytest.mark.parametrize("kind", ["table", "driven"])
def test_restore(loop, basis, kind):
    cell, x = states(loop, basis)[kind]
    save, weights = cell.save(), cell.weights
    after = [cell.step(0.2, *x) for _ in range(30)]
    cell.restore(save)
    assert [cell.step(0.2, *x) for _ in range(30)] == after
    assert weights.base is not None and np.shares_memory(weights, cell.weights)


@pytest.mark.parametrize("kind", ["table", "driven"])
def test_a_damaged_save_is_refused_and_changes_nothing(loop, basis, kind):
    cell, _ = states(loop, basis)[kind]
    save, weights = cell.save(), cell.weights.copy()
    for at in (0, 40, len(save) // 2, len(save) - 1):
        bad = bytearray(save)
        bad[at] ^= 0xFF
        with pytest.raises(cfpc.StatusError, match="the save: "):
            cell.restore(bytes(bad))
    with pytest.raises(cfpc.StatusError, match="truncated"):
        cell.restore(save[:-1])
    with pytest.raises(cfpc.StatusError, match="another model"):
        cfpc.Cell(loop, basis, rate_fraction=0.31, trace="whitened").restore(states(loop, basis)["table"][0].save())
    np.testing.assert_array_equal(cell.weights, weights)
    assert cell.save() == save


def test_reset(loop, basis):
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5)
    cell.step_block(np.ones(100))
    cell.freeze()
    cell.reset()
    assert cell.clock == 0 and not cell.weights.any() and cell.flags == frozenset()


def test_model_file(loop, basis, tmp_path):
    cell = cfpc.Cell(loop, basis, rate_fraction=0.5)
    cell.save_model(tmp_path / "cell.model")
    assert (tmp_path / "cell.model").read_bytes() == cell.image


# ---- how it runs -------------------------------------------------------------------------------


def test_rate_freeze_and_fade():
    cell = cfpc.Cell(None, 1, rate=0.1, trace="none", dt=0.01, guard=False)
    cell.rate = 0.5
    cell.step(1.0, [1.0])
    assert cell.weights[0] == 0.5 and cell.rate == 0.5
    cell.freeze()
    cell.step(1.0, [1.0])
    assert cell.weights[0] == 0.5 and cell.flags == {"frozen"}
    cell.clear_flags()
    cell.disable()
    assert cell.step(1.0, [1.0]) == 0 and cell.weights[0] == 0.5
    cell.enable()
    assert cell.step(0.0, [1.0]) == 0.5
    cell.saturated(True)
    cell.step(1.0, [1.0])
    assert cell.traces[0] == 1.0


def test_bounds_leak_and_rectified():
    cell = cfpc.Cell(None, 1, rate=1, trace="none", dt=0.01, guard=False, bounds=(-1, 0.25))
    cell.step(1.0, [1.0])
    assert cell.weights[0] == 0.25
    leaky = cfpc.Cell(None, 1, rate=0, trace="none", dt=0.01, guard=False, leak=0.5)
    leaky.weights[0] = 1
    leaky.step(1.0, [1.0])
    assert leaky.weights[0] == 0.5
    upward = cfpc.Cell(None, 1, rate=1, trace="none", dt=0.01, guard=False, rectified=True)
    upward.step(-1.0, [1.0])
    assert upward.weights[0] == 0


# ---- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda c: c.step(float("nan"), [1, 2, 3]), ValueError, "e is not a finite number: the cell made no step"),
        (lambda c: c.step("1", [1, 2, 3]), TypeError, "incompatible function arguments"),
        (lambda c: c.step(1.0), ValueError, "x is missing"),
        (lambda c: c.step(1.0, [1, 2]), ValueError, r"x must have the shape \(3,\), not \(2,\)"),
        (lambda c: c.step(1.0, np.ones((3, 1))), ValueError, r"x must have the shape \(3,\), not \(3, 1\)"),
        (lambda c: c.step(1.0, 5.0), ValueError, r"x must have the shape \(3,\), not \(\)"),
        (lambda c: c.step(1.0, [1, 2, np.nan]), ValueError, r"x\[2\] is nan"),
        (lambda c: c.step(1.0, np.array([1, 2, np.inf])), ValueError, "x is not a finite number"),
        (lambda c: c.step(1.0, [1j, 0, 0]), TypeError, "real numbers, not of complex128"),
        (lambda c: c.step(1.0, ["a", "b", "c"]), TypeError, "real numbers"),
        (lambda c: c.step_block([1.0, 2.0], np.ones((2, 2))), ValueError, r"x must have the shape \(2, 3\)"),
        (lambda c: c.step_block([1.0, np.nan], np.ones((2, 3))), ValueError, r"e\[1\] is nan"),
        (lambda c: c.step_block([1.0, 2.0]), ValueError, "x is missing"),
        (lambda c: c.restore("abc"), TypeError, "incompatible function arguments"),
        (lambda c: setattr(c, "rate", -1), ValueError, "rate is -1"),
        (lambda c: setattr(c, "weights", 1), AttributeError, "no setter"),
        (lambda c: c.enable(-1), ValueError, "steps is -1"),
    ],
)
def test_bad_calls_say_what_is_wrong_and_change_nothing(call, error, says):
    cell = cfpc.Cell(None, 3, rate=0.1, trace="none", dt=0.01, guard=False)
    save = cell.save()
    with pytest.raises(error, match=says):
        call(cell)
    assert cell.save() == save


@pytest.mark.parametrize(
    "settings, error, says",
    [
        ({"rate_fraction": 0.5, "rate": 0.1}, ValueError, "not both"),
        ({"rate_fraction": -1}, ValueError, "rate_fraction is -1"),
        ({"trace": "fm"}, ValueError, "there are: forward-model"),
        ({"trace": "alpha"}, ValueError, "time_constant is missing"),
        ({"trace": "none", "tau": 3}, TypeError, "unknown setting 'tau'"),
        ({"mode": "offline"}, ValueError, "there are: online, batch"),
        ({"enters": "output"}, ValueError, "there are: controller, plant"),
        ({"guard": cfpc.Guard(factor=0.5)}, ValueError, "factor is 0.5"),
        ({"bounds": (1, 0)}, ValueError, "the first must be below"),
        ({"leak": 2}, ValueError, "leak is 2"),
        ({"dt": 0.002}, ValueError, "leave dt out"),
        ({"trace": "whitened", "normaliser": 0.1}, cfpc.StatusError, "need traces"),
    ],
)
def test_bad_settings_say_what_is_wrong(loop, basis, settings, error, says):
    with pytest.raises(error, match=says):
        cfpc.Cell(loop, basis, **settings)


def test_what_a_cell_needs(loop, basis):
    with pytest.raises(TypeError, match="must be a cfpc.Loop"):
        cfpc.Cell("loop", basis)
    with pytest.raises(ValueError, match="dt is missing"):
        cfpc.Cell(None, 3, rate=1, trace="none")
    with pytest.raises(ValueError, match="loop is missing"):
        cfpc.Cell(None, 3, rate=1, dt=0.1)
    with pytest.raises(ValueError, match="rate is missing"):
        cfpc.Cell(None, 3, trace="none", dt=0.1)
    with pytest.raises(ValueError, match="example is missing"):
        cfpc.Cell(loop, cfpc.TappedDelay(3, spacing=0.01))
    with pytest.raises(ValueError, match="no basis signal reaches the output"):
        cfpc.Cell(loop, np.ones((20, 2)))
    with pytest.raises(ValueError, match="call step"):
        cfpc.Cell(loop, basis).step(1.0, np.ones(20))
    with pytest.raises(ValueError, match="needs the value that drives it"):
        cfpc.Cell(loop, cfpc.Periodic(4), rate=1).step(1.0)


def test_a_save_that_is_none_or_of_another_cell_is_refused_as_such(loop, basis):
    cell = cfpc.Cell(loop, basis)
    for save, says in [
        (b"garbage", "this is not a save of a cell"),
        (bytes(len(cell.save())), "this is not a save of a cell"),
        (cfpc.Cell(loop, cfpc.Gaussians(25, duration=2.5)).save(), "a save of another cell"),
        (cfpc.Cell(loop, cfpc.Gaussians(5, duration=2.5)).save(), "a save of another cell"),
        (cfpc.Cell(loop, basis, rate_fraction=0.1).save(), "a save of another cell"),
    ]:
        with pytest.raises(cfpc.StatusError, match=f"the save: .*{says}"):
            cell.restore(save)


def test_a_guard_is_yes_no_or_a_guard(loop, basis):
    with pytest.raises(TypeError, match="guard must be True, False or a cfpc.Guard, not 3"):
        cfpc.Cell(loop, basis, guard=3)
