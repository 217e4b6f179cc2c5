# SPDX-License-Identifier: Apache-2.0
"""The guard: what it stops, what it leaves alone, what it needs and what it tells."""

import copy
import pickle

import numpy as np
import pytest
import scipy.signal

import cfpc

# ---- the paper's loop, with rules that fail in it ----------------------------------------------

HARMFUL = {
    "no trace": {"trace": "none", "rate_fraction": 2},
    "wrong delay": {"trace": "delay", "delay": 0.3, "rate_fraction": 1},
}
WORSE = 1.02  # rms over that of the loop alone
ROUNDS = 3  # CFPC_GUARD_ROUNDS: so many trials may be worse before the guard looks


def errors_of(loop, cell, reference, trials):
    """The rms error of each trial of the closed loop, y = T(r + o), over that of the loop alone; each from rest."""
    response = loop.impulse_response(2.5).y
    dead = round(loop.dead_time / loop.dt)
    errors = []
    for _ in range(trials):
        drive, e = np.zeros(2500), np.zeros(2500)
        for n in range(0, 2500, dead):  # what comes out in a dead time depends on earlier drive only
            until = min(n + dead, 2500)
            e[n:until] = reference[n:until] - scipy.signal.fftconvolve(drive[:until], response)[n:until]
            drive[n:until] = reference[n:until] + cell.step_block(e[n:until])
        cell.end_trial()
        errors.append(np.sqrt(np.mean(e**2)))
    return np.array(errors) / np.sqrt(np.mean((reference - loop.simulate(reference)) ** 2))


def longest_run(of):
    """The largest number of true values in a row."""
    longest = now = 0
    for is_so in of:
        now = now + 1 if is_so else 0
        longest = max(longest, now)
    return longest


@pytest.mark.parametrize("kind", HARMFUL)
def test_a_harmful_rule_is_stopped_by_default(loop, basis, reference, kind):
    free = errors_of(loop, cfpc.Cell(loop, basis, guard=False, **HARMFUL[kind]), reference, 60)
    assert free[-1] > 10

    cell = cfpc.Cell(loop, basis, **HARMFUL[kind])
    curve = errors_of(loop, cell, reference, 60)
    assert cell.guard_acts > 0 and cell.guard_reason == "worse than without the cell" and "guarded" in cell.flags
    assert longest_run(curve > WORSE) <= ROUNDS
    assert sum(curve > WORSE) <= 3 * ROUNDS  # no more than three tries
    assert curve.max() < 3  # suspected in the middle of a trial; what was added before goes on to take effect

    # Before the 80th trial every try is over, and learning stops where it was best.
    last = errors_of(loop, cell, reference, 20)
    assert cell.guard_acts == 3 and "frozen" in cell.flags
    assert last[-1] <= WORSE and not any(last[-5:] > WORSE)


@pytest.mark.parametrize("kind", HARMFUL)
def test_what_the_guard_did_last_is_told(loop, basis, reference, kind):
    cell = cfpc.Cell(loop, basis, **HARMFUL[kind])
    assert cell.guard_last is None and cell.guard_reason == "" and cell.baseline == 0
    alone = np.sqrt(np.mean((reference - loop.simulate(reference)) ** 2))
    while cell.guard_pauses == 0:
        errors_of(loop, cell, reference, 1)
    assert cell.paused and cell.guard_acts == 0 and not cell.step_block(np.zeros(10)).any()
    cell.reset()
    assert cell.guard_pauses == 0 and cell.baseline == 0
    trials = 0
    while cell.guard_acts == 0:
        curve, trials = errors_of(loop, cell, reference, 1), trials + 1
    act = cell.guard_last
    assert act.reason == cell.guard_reason and not act.world_changed
    assert act.step == 2500 * trials
    assert act.alone == pytest.approx(alone, rel=1e-9) and act.with_cell > act.alone
    assert cell.baseline == pytest.approx(alone**2, rel=1e-9) and curve[0] == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("mode", ["online", "batch"])
@pytest.mark.parametrize("trace", ["forward-model", "whitened", "phase-matched", "delay"])
def test_a_rule_that_works_learns_as_without_a_guard(loop, basis, reference, trace, mode):
    """On line the first trial is a look at the loop alone; in adjoint form the sums begin elsewhere in a ring."""
    first = 1 if mode == "online" else 0
    cell = cfpc.Cell(loop, basis, trace=trace, mode=mode)
    free = cfpc.Cell(loop, basis, trace=trace, mode=mode, guard=False)
    curve = errors_of(loop, cell, reference, 20 + first)
    np.testing.assert_allclose(curve[first:], errors_of(loop, free, reference, 20), rtol=1e-12)
    np.testing.assert_allclose(cell.weights, free.weights, rtol=1e-12, atol=1e-14)
    assert cell.guard_pauses == cell.guard_acts == 0 and cell.flags == frozenset()
    assert curve[-1] < 0.06


# ---- an arm, simulated here --------------------------------------------------------------------

DT, STEPS, LATE, FILTER = 0.002, 750, 25, 0.02
TIME = DT * np.arange(STEPS)
PHASE = np.clip((TIME - 0.2) / 0.6, 0, 1)
REACH = 0.2 * PHASE**3 * (10 - 15 * PHASE + 6 * PHASE**2)  # m, of minimum jerk
FORWARD = 0.2 / 0.6 * 30 * PHASE**2 * (1 - PHASE) ** 2  # m/s, its velocity


class Arm:
    """J x'' = u - 5 x' + force + noise, in SI units; a reflex u = 40 e + 4 e', 50 ms late. Trials start at rest."""

    def __init__(self, inertia=1.0, noise=0.0, seed=0):
        self.inertia, self.noise = inertia, noise
        self.random = np.random.default_rng(seed)

    def trial(self, cell, target, force):
        """The rms error; `force` is a function of the arm's own velocity and of the step."""
        x = v = slow = 0.0
        line, errors = [0.0] * LATE, []
        noise = self.noise * self.random.standard_normal(STEPS)
        for n in range(STEPS):
            e = target[n] - x
            line.append(e + cell.step(e))
            late = line.pop(0)
            u = 40 * late + 4 * (late - slow) / FILTER
            slow += DT * (late - slow) / FILTER
            v += DT * (u - 5 * v + force(v, n) + noise[n]) / self.inertia
            x += DT * v
            errors.append(e)
        cell.end_trial()
        return np.sqrt(np.mean(np.square(errors)))


class Nothing:
    """In place of a cell: the loop alone."""

    def step(self, e):
        return 0.0

    def end_trial(self):
        pass


def believed_arm():
    plant = cfpc.System(([1], [1, 5, 0]))
    return cfpc.Loop(plant, cfpc.PID(40, 0, 4, filter=FILTER), delay=LATE * DT, dt=DT)


def arm_cell(**settings):
    return cfpc.Cell(believed_arm(), cfpc.Gaussians(20, duration=STEPS * DT), **settings)


def no_force(v, n):
    return 0.0


# A reach in a viscous medium; and a straight reach on which a force acts sideways, proportional to its velocity.
STUDIES = {
    "viscous": (REACH, lambda v, n: -15 * v),
    "curl": (np.zeros(STEPS), lambda v, n: -15 * FORWARD[n]),
}


def study(cell, field, noise, seed):
    """20 trials without the field, 60 with it, 40 without: the errors of these trials, and nothing else is called."""
    target, force = STUDIES[field]
    arm = Arm(noise=noise, seed=seed)
    errors = [[arm.trial(cell, target, f) for _ in range(k)] for f, k in ((no_force, 20), (force, 60), (no_force, 40))]
    return [np.array(phase) for phase in errors]


def rms(values):
    return np.sqrt(np.mean(np.square(values)))


@pytest.mark.parametrize(
    "field, noise, seed",
    [("viscous", 0, 0), ("viscous", 0.5, 1), ("viscous", 0.5, 2), ("curl", 0.5, 1), ("curl", 0.5, 2), ("curl", 2, 3)],
)
def test_an_adaptation_study_needs_no_other_call(field, noise, seed):
    cell = arm_cell()
    _, learned, washout = study(cell, field, noise, seed)
    null, _, alone = study(Nothing(), field, noise, seed)  # with the same noise
    assert rms(learned[-5:]) < 0.3 * learned[0]
    assert rms(washout[5:]) <= 1.1 * rms(alone[5:])  # that of the null trials, as nothing else differs
    assert all(washout[5:] <= 1.1 * alone[5:] + 3 * np.std(null))
    assert cell.guard_pauses + cell.guard_acts <= 18  # three tries in each of three worlds, each with a pause


@pytest.mark.parametrize("noise", [0.0, 2.0])
@pytest.mark.parametrize(
    "settings", [{}, {"rate_fraction": 0.1}, {"mode": "batch"}, {"trace": "whitened"}, {"trace": "delay"}]
)
def test_twice_the_inertia_of_the_model_is_learned(settings, noise):
    alone = Arm(2.0, noise).trial(Nothing(), REACH, no_force)
    arm, cell = Arm(2.0, noise), arm_cell(**settings)
    errors = [arm.trial(cell, REACH, no_force) for _ in range(40)]
    assert cell.guard_acts == 0 and rms(errors[-5:]) < 0.2 * alone


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["online", "batch"])
@pytest.mark.parametrize("trace", ["forward-model", "none"])
@pytest.mark.parametrize("rate", [0, 1e-9])
def test_a_cell_that_does_nothing_is_never_suspected(rate, trace, mode, seed):
    random = np.random.default_rng(seed)
    arm, cell = Arm(noise=1.0, seed=seed), arm_cell(rate_fraction=rate, trace=trace, mode=mode)
    for size in 10.0 ** random.integers(-1, 2, 60):
        arm.trial(cell, np.zeros(STEPS), lambda v, n, size=size: -size * FORWARD[n])
    assert cell.guard_pauses == cell.guard_acts == 0 and not cell.paused


# ---- what it needs -----------------------------------------------------------------------------

BLIND = (
    r"the guard cannot know the loop without the cell: give a loop, or guard=cfpc\.Guard\(repeats=True\) if the rounds "
    r"repeat, or guard=False"
)


@pytest.mark.parametrize("guard", [True, cfpc.Guard(), cfpc.Guard(repeats=False)])
@pytest.mark.parametrize("trace", ["none", cfpc.Lag(0.1), np.ones(5)])
@pytest.mark.parametrize("mode", ["online", "batch"])
def test_a_blind_guard_is_refused(guard, trace, mode):
    with pytest.raises(ValueError, match=f"^{BLIND}$"):
        cfpc.Cell(None, 3, rate=0.1, trace=trace, mode=mode, dt=0.01, guard=guard)
    cfpc.Cell(None, 3, rate=0.1, trace=trace, mode=mode, dt=0.01, guard=cfpc.Guard(repeats=True))
    cfpc.Cell(None, 3, rate=0.1, trace=trace, mode=mode, dt=0.01, guard=False)
    cfpc.Cell(None, np.ones((10, 3)), rate=0.1, trace=trace, mode=mode, dt=0.01, guard=guard)


@pytest.mark.parametrize(
    "settings",
    [
        {"trace": "forward-model"},
        {"trace": "forward-model", "adjoint": True},
        {"trace": "whitened"},
        {"trace": "phase-matched"},
        {"trace": "delay"},
        {"trace": "exponential", "time_constant": 0.1},
        {"trace": "alpha", "time_constant": 0.1},
        {"trace": "none"},
        {"trace": cfpc.Lag(0.1)},
        {"trace": np.ones(5)},
    ],
    ids=lambda settings: " ".join(str(value) for value in settings.values()),
)
@pytest.mark.parametrize("enters", ["controller", "plant"])
def test_with_a_loop_every_trace_has_the_model(loop, settings, enters):
    """No table, no rounds that repeat: without the model this guard would be blind."""
    cell = cfpc.Cell(loop, 3, rate=0.1, enters=enters, **settings)
    free = cfpc.Cell(loop, 3, rate=0.1, enters=enters, guard=False, **settings)
    assert len(cell.image) > len(free.image)


@pytest.mark.parametrize(
    "guard, error, says",
    [
        (cfpc.Guard(factor=0.9), ValueError, "factor is 0.9: it must be at least 1"),
        (cfpc.Guard(window=0), ValueError, "window is 0: it must be above 0"),
        (cfpc.Guard(window=0.0105), ValueError, "window of 0.0105 s"),
        (cfpc.Guard(spread=-1), ValueError, "spread is -1: it must be at least 0"),
        (cfpc.Guard(settle=-1), ValueError, "settle is -1: it must be at least 0"),
        (cfpc.Guard(saturated=-1), ValueError, "saturated is -1: it must be at least 0"),
        (cfpc.Guard(resume=1), ValueError, "resume is 1: it must be below 1"),
        (cfpc.Guard(resume=-0.1), ValueError, "resume is -0.1: it must be at least 0"),
        (cfpc.Guard(tries=0), ValueError, "tries is 0: it must be from 1"),
        (cfpc.Guard(tries=1.5), TypeError, "tries must be a whole number"),
        (cfpc.Guard(repeats="yes"), TypeError, "repeats must be True, False or None, not 'yes'"),
    ],
)
def test_bad_settings_say_what_is_wrong(loop, basis, guard, error, says):
    with pytest.raises(error, match=says):
        cfpc.Cell(loop, basis, guard=guard)


@pytest.mark.parametrize("settings, acts", [({"tries": 1}, 1), ({"resume": 0}, 1), ({"tries": 2}, 2)])
def test_learning_stops_after_so_many_acts(loop, basis, reference, settings, acts):
    cell = cfpc.Cell(loop, basis, guard=cfpc.Guard(**settings), **HARMFUL["no trace"])
    errors_of(loop, cell, reference, 30)
    assert cell.guard_acts == acts and "frozen" in cell.flags


def test_every_setting_reaches_the_model(loop, basis):
    default = cfpc.Cell(loop, basis).image
    settings = {"factor": 2, "window": 1, "spread": 0.1, "settle": 0.2, "saturated": 0.1, "resume": 0.5, "tries": 4}
    images = [cfpc.Cell(loop, basis, guard=cfpc.Guard(**{name: value})).image for name, value in settings.items()]
    images.append(cfpc.Cell(loop, basis, guard=cfpc.Guard(repeats=False)).image)
    assert len({default, *images}) == 1 + len(images)
    assert cfpc.Cell(loop, basis, guard=cfpc.Guard()).image == default
    assert cfpc.Cell(loop, basis, guard=cfpc.Guard(repeats=True)).image == default  # the basis is a table


def test_a_window_of_its_own():
    """A disturbance that does not end, no trials, and the wrong sign: the guard looks after a window of 1 s."""
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(1), dt=0.01)
    cell = cfpc.Cell(loop, 1, rate=0.001, guard=cfpc.Guard(window=1.0))
    path, out, n = loop.impulse_response(2.0).y, [], 0
    while cell.guard_acts == 0 and n < 5000:
        late = np.array(out[::-1][: len(path)])
        out.append(cell.step(1 + path[: len(late)] @ late, [1.0]))
        n += 1
    act = cell.guard_last
    assert act is not None and act.with_cell > act.alone == pytest.approx(1, abs=0.02)


# ---- what is not finite, and saturation --------------------------------------------------------


def test_an_error_that_is_no_number_is_refused_before_the_guard(loop, basis):
    cell = cfpc.Cell(loop, basis)
    cell.step_block(np.full(300, 0.1))
    save = cell.save()
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="e is not a finite number: the cell made no step"):
            cell.step(bad)
        with pytest.raises(ValueError, match=r"e\[1\] is "):
            cell.step_block([0.1, bad])
    assert cell.save() == save and cell.guard_acts == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_guard_acts_at_once_on_an_output_that_is_no_number(loop, basis, bad):
    cell = cfpc.Cell(loop, basis)
    cell.step_block(np.full(600, 0.1))
    cell.weights[3] = bad
    assert cell.step(0.1) == 0
    assert cell.guard_acts == 1 and cell.guard_reason == "not finite" and cell.flags >= {"guarded", "not finite"}
    assert cell.guard_last == cfpc.GuardAct("not finite", cell.guard_last.step, 0.0, 0.0, False)
    assert cell.guard_last.step == 600 and np.isfinite(cell.weights).all()
    assert np.isfinite(cell.step_block(np.full(1000, 0.1))).all()


def test_the_guard_acts_at_once_on_errors_too_large_to_square(loop, basis):
    cell = cfpc.Cell(loop, basis)
    cell.step_block(np.full(2500, 0.1))
    cell.end_trial()
    cell.step(1e200)
    assert cell.guard_acts == 1 and cell.guard_reason == "not finite" and np.isfinite(cell.weights).all()
    cell.end_trial()
    assert np.isfinite(cell.step_block(np.full(2500, 0.1))).all() and cell.weights.any()  # it learns on


def test_the_guard_acts_on_a_command_that_stays_saturated(loop, basis):
    cell = cfpc.Cell(loop, basis, guard=cfpc.Guard(saturated=0.1))
    for _ in range(100):
        cell.saturated(True)
        cell.step(0.1)
    assert cell.guard_acts == 0
    cell.saturated(True)
    assert cell.guard_acts == 1 and cell.guard_reason == "saturated" and not cell.weights.any()


# ---- copies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
@pytest.mark.parametrize("until", ["paused", "acted"])
def test_copies_keep_what_the_guard_knows(loop, basis, reference, how, until):
    cell = cfpc.Cell(loop, basis, **HARMFUL["no trace"])
    while not (cell.guard_pauses if until == "paused" else cell.guard_acts):
        errors_of(loop, cell, reference, 1)
    other = how(cell)
    assert cell.paused == (until == "paused")
    for name in ("guard_acts", "guard_pauses", "guard_last", "guard_reason", "paused", "baseline", "flags"):
        assert getattr(other, name) == getattr(cell, name), name
    np.testing.assert_array_equal(errors_of(loop, other, reference, 15), errors_of(loop, cell, reference, 15))
    assert (other.guard_acts, other.guard_pauses) == (cell.guard_acts, cell.guard_pauses)
    assert pickle.loads(pickle.dumps(cell.guard_last)) == cell.guard_last
