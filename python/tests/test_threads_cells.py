# SPDX-License-Identifier: Apache-2.0
"""Cells in several Python threads."""

import threading
import time

import numpy as np

import cfpc


def large(seed: int) -> tuple[cfpc.Cell, np.ndarray]:
    rng = np.random.default_rng(seed)
    cell = cfpc.Cell(None, 2000, rate=1e-5, trace="none", dt=0.01, guard=False)
    return cell, rng.standard_normal((1500, 2000))


def test_two_cells_in_two_threads_give_what_they_give_alone():
    alone = [cell.step_block(np.ones(1500), x) for cell, x in (large(1), large(2))]
    together: list[np.ndarray | None] = [None, None]

    def run(i: int) -> None:
        cell, x = large(i + 1)
        together[i] = cell.step_block(np.ones(1500), x)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(2):
        np.testing.assert_array_equal(together[i], alone[i])


def test_a_block_releases_the_gil():
    """While one thread is in a block, this one counts, and the cell itself refuses a second user."""
    cell, _ = large(1)
    x = np.ones((20_000, 2000))
    done = threading.Event()

    def run() -> None:
        cell.step_block(np.zeros(20_000), x)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    refused = counted = 0
    while not done.is_set():
        counted += 1
        try:
            cell.step(0.0, x[0])
        except RuntimeError as error:
            assert "another thread is in a block of steps of this cell" in str(error)
            refused += 1
        time.sleep(0.0005)
    thread.join()
    assert counted > 3 and refused > 1


def test_single_steps_of_one_cell_in_two_threads_are_all_made():
    cell = cfpc.Cell(None, 4, rate=0.0, trace="none", dt=0.01, guard=False)
    x = np.ones(4)

    def run() -> None:
        for _ in range(20_000):
            cell.step(0.1, x)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cell.clock == 60_000


class _Slow:
    """An array whose conversion lets another thread run."""

    def __init__(self, values: np.ndarray, inside: threading.Event, go_on: threading.Event) -> None:
        self.values, self.inside, self.go_on = values, inside, go_on

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        self.inside.set()
        assert self.go_on.wait(30)
        return self.values


def test_a_step_whose_input_is_converted_while_a_block_begins_is_refused():
    cell, x = large(3)
    x = np.tile(x, (20, 1))
    inside, go_on, told = threading.Event(), threading.Event(), []

    def late() -> None:
        try:
            cell.step_block(np.zeros(1500), _Slow(x[:1500], inside, go_on))
        except RuntimeError as error:
            told.append(str(error))

    first = threading.Thread(target=late)
    first.start()
    assert inside.wait(30)
    block = threading.Thread(target=lambda: cell.step_block(np.zeros(len(x)), x))
    block.start()
    while block.is_alive() and cell_is_free(cell):
        time.sleep(0.0001)
    was_busy = block.is_alive()
    go_on.set()
    first.join()
    block.join()
    assert was_busy and told and "another thread is in a block" in told[0]


def cell_is_free(cell: cfpc.Cell) -> bool:
    try:
        return cell.clock >= 0
    except RuntimeError:
        return False
