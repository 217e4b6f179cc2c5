# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C: a real signal, to a process of its own."""

import signal
import subprocess
import sys
import time

import pytest

# Background jobs ignore SIGINT; Python then has no handler of its own.
BEGIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import cfpc, threading, time
def run():
    cfpc.run("pursuit", repeat=100000, trials=1000, settings={"learning.mode": "online"})
def sweep():
    cfpc.sweep("pursuit", {"loop.delay_ms": "20:80:900"}, repeat=1000)
print("begun", flush=True)
"""


def interrupted(code: str) -> tuple[int, str, float]:
    """The exit code, what was printed, and how long it took after the signal."""
    process = subprocess.Popen([sys.executable, "-c", BEGIN + code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None and process.stdout.readline() == b"begun\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    try:
        printed = process.communicate(timeout=20)[0].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"not interrupted within 20 s: {process.communicate()[0].decode()}")
    return process.returncode, printed, time.perf_counter() - begin


@pytest.mark.parametrize("what", ["run", "sweep"])
def test_ctrl_c_raises_keyboard_interrupt(what: str) -> None:
    code = f"""
try:
    {what}()
except KeyboardInterrupt:
    print("interrupted", cfpc.run("pursuit", trials=2).trials)
"""
    status, printed, took = interrupted(code)
    assert status == 0 and printed == "interrupted 2\n", printed
    assert took < 5


def test_ctrl_c_ends_a_script() -> None:
    status, printed, _ = interrupted("run()")
    assert status == -signal.SIGINT and "KeyboardInterrupt" in printed


def test_a_run_in_another_thread_goes_on() -> None:
    """Python tells its main thread alone of signals."""
    code = """
told, seen = [], threading.Event()
def run_here():
    told.append(cfpc.run("pursuit", trials=5, progress=lambda *at: seen.wait()).trials)
thread = threading.Thread(target=run_here)
thread.start()
try:
    while thread.is_alive():  # the run waits in its progress until the signal was seen
        time.sleep(0.01)  # not join(): interrupted, it takes the thread for ended in Python 3.12
    print("too early")
except KeyboardInterrupt:
    seen.set()
    thread.join()
    print("thread ended with", told)
"""
    status, printed, _ = interrupted(code)
    assert status == 0 and printed == "thread ended with [5]\n", printed


def test_a_handler_that_raises_something_else() -> None:
    code = """
class Stop(Exception): pass
def handler(*_): raise Stop
signal.signal(signal.SIGINT, handler)
try:
    run()
except Stop:
    print("stopped")
"""
    assert interrupted(code)[1] == "stopped\n"
