# SPDX-License-Identifier: Apache-2.0
"""Runs in several Python threads, and Python beside a run."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cfpc


def test_runs_in_threads_give_what_runs_alone_give() -> None:
    jobs = [("pursuit", {"loop.delay_ms": delay}) for delay in (30, 40, 50, 60)] + [("kernel", None)]
    alone = [cfpc.run(spec, settings=settings) for spec, settings in jobs]
    with ThreadPoolExecutor(max_workers=4) as pool:
        beside = list(pool.map(lambda job: cfpc.run(job[0], settings=job[1]), jobs * 2))
    for a, b in zip(alone * 2, beside, strict=True):
        for name, values in a.arrays.items():
            assert np.array_equal(values, b.arrays[name], equal_nan=True), (a.name, name)


def test_other_threads_run_meanwhile() -> None:
    """The GIL is free: a thread that counts gets on while a run of a second or so goes on."""
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin, before = time.perf_counter(), counted[0]
    cfpc.run("pursuit", repeat=20)
    took, after = time.perf_counter() - begin, counted[0]
    stop.set()
    thread.join()
    assert after - before > 50 * took  # of up to 1000 per second; with the GIL held, one or two


def test_sweeps_beside_each_other() -> None:
    def one(_: int) -> list[float]:
        swept = cfpc.sweep("pursuit", {"loop.delay_ms": [30, 50]}, trials=5, threads=2)
        return swept.measures["rules.fm-et.rrmse_last"].tolist()

    with ThreadPoolExecutor(max_workers=3) as pool:
        results = list(pool.map(one, range(6)))
    assert all(result == results[0] for result in results)


def test_an_exception_in_one_thread_leaves_the_others() -> None:
    def fail(done: int, total: int, what: str) -> None:
        raise ZeroDivisionError

    def one(i: int) -> str:
        try:
            return cfpc.run("pursuit", trials=20, progress=fail if i % 2 else None).name
        except ZeroDivisionError:
            return "raised"

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(one, range(8))) == ["pursuit", "raised"] * 4
