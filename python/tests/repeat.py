# SPDX-License-Identifier: Apache-2.0
"""Whether what is repeated many times grows: every call of the package, also with bad input. Run by
tools/check-python leaks, without the sanitizer, which keeps freed memory for a while."""

import contextlib
import gc
import pickle
import sys
import warnings
from pathlib import Path

import numpy as np

import cfpc


def resident() -> int:
    """Bytes of memory that this process occupies."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


LOOP = cfpc.Loop(cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003), cfpc.PI(20, 100), delay=0.05, dt=0.001)
BASIS = cfpc.Gaussians(10, duration=1.0)
CELL = cfpc.Cell(LOOP, BASIS, rate_fraction=0.5)
GIVEN = cfpc.Cell(None, 300, rate=0.1, trace="none", dt=0.01, guard=cfpc.Guard(repeats=True))
NOISE = np.random.default_rng(1).standard_normal(1000)


def design() -> None:
    loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
    loop.margins()
    loop.poles(count=3)
    loop.step_response(0.3)
    cfpc.Loop.from_response(loop.impulse_response(0.4).y, 0.001)
    pickle.loads(pickle.dumps(loop))


def certificates() -> None:
    LOOP.certify(BASIS, trace="whitened", reference=NOISE).predict(3)
    LOOP.certify(BASIS, trace="delay")
    LOOP.optimum(BASIS, NOISE)


def cells() -> None:
    cell = cfpc.Cell(LOOP, BASIS, rate_fraction=0.5, trace="whitened")
    for _ in range(2):  # in the first the guard sees the loop alone
        cell.step_block(NOISE)
        cell.end_trial()
    view = cell.weights
    pickle.loads(pickle.dumps(cell)).restore(cell.save())
    driven = cfpc.Cell(LOOP, cfpc.TappedDelay(50, spacing=0.001), rate=0.1)
    driven.step_block(NOISE, NOISE)
    del cell
    assert view.any()


def steps() -> None:
    row = np.ones(300)
    for n in range(200):
        CELL.step(0.1)
        GIVEN.step(0.1, row)
        GIVEN.step(0.1, row.tolist() if n % 50 == 0 else row)
    CELL.end_trial()


def identification() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cfpc.ModelWarning)  # so short a log tells little
        cfpc.identify(NOISE[:300], LOOP.simulate(NOISE[:300]), 0.001, max_order=2, taps=40, dead_time=0.051)
    cfpc.excite(LOOP, 10.0, low_hz=1, high_hz=20, rms=1.0)


def refusals() -> None:
    for bad in (
        lambda: cfpc.System(([1, 2], [1])),
        lambda: cfpc.Loop(cfpc.Lag(0.1), cfpc.P(50), delay=0.02, dt=0.001).certify(BASIS),
        lambda: GIVEN.step(1.0, np.ones(5)),
        lambda: GIVEN.step(1.0, np.full(300, np.nan)),
        lambda: GIVEN.step_block(np.ones(9), np.ones((9, 2))),
        lambda: GIVEN.restore(GIVEN.save()[:-8]),
        lambda: cfpc.identify(NOISE, NOISE * 0, 0.001),
        lambda: cfpc.Cell(LOOP, BASIS, trace="whitened", normaliser=1.0),
    ):
        with contextlib.suppress(ValueError):
            bad()
            raise AssertionError("bad input was taken")


def grows(what, rounds: int) -> int:
    """Bytes per round in the second half: the first fills caches and pools."""
    for _ in range(rounds):
        what()
    gc.collect()
    before = resident()
    for _ in range(rounds):
        what()
    gc.collect()
    return max(0, resident() - before) // rounds


def main() -> int:
    worst = 0
    for what, rounds in (
        (design, 100),
        (certificates, 40),
        (cells, 100),
        (steps, 200),
        (identification, 10),
        (refusals, 400),
    ):
        grown = min(grows(what, rounds) for _ in range(2))
        print(f"{what.__name__}: {grown} bytes per round")
        worst = max(worst, grown)
    # The smallest thing that could be forgotten in every round, a system or an array, has more than this.
    return worst > 200


if __name__ == "__main__":
    sys.exit(main())
