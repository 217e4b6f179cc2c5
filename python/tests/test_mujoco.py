# SPDX-License-Identifier: Apache-2.0
"""The example with MuJoCo, in parts: the whole scan takes a minute and is run by tools/check-python mujoco."""

import dataclasses
import importlib.util
import pathlib
import sys

import numpy as np
import pytest

import cfpc

pytest.importorskip("mujoco")
FILE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "mujoco_posture.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("mujoco_posture", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def response(example):
    return example.pulse_response(example.Body())


@pytest.fixture(scope="module")
def practised(example, response):
    loop = cfpc.Loop.from_response(response, example.STEP_S, tolerance=1e-7)
    cell = example.make_cell(loop, 1.0, "whitened", neglect=1e-6)
    return example.practise(example.Body(), cell, example.raised_arm(), "rate 1")


def test_the_body_falls_without_a_reflex(example):
    assert example.trial(example.Body(), (0, 0, 0), example.alone, example.raised_arm()).peak == np.inf


def test_the_response_is_linear_and_realised_with_few_states(example, response):
    small = example.pulse_response(example.Body(), 0.05)
    assert np.abs(small - response).max() < 1e-5 * np.abs(response).max()  # a pendulum: the error grows as its cube
    loop = cfpc.Loop.from_response(response, example.STEP_S, tolerance=1e-7)
    assert loop.transfer.order < 12
    assert np.abs(loop.impulse_response(4.0).y - response).max() < 1e-3 * np.abs(response).max()


def test_the_dead_time_is_that_of_the_reflex_and_a_step(example, response):
    assert np.flatnonzero(response)[0] == example.DELAY_STEPS + 1


def test_practice_takes_the_sway_away(practised):
    assert practised.sway < practised.peaks[0] / 100


def results_of(example, response, practised, whitened):
    loop = cfpc.Loop.from_response(response, example.STEP_S, tolerance=1e-7)
    reactive = example.trial(example.Body(), example.REFLEX, example.alone, example.raised_arm())
    worse = {"no trace": 1000, "a delay": 10, "forward model": 20, "whitened": whitened}
    kinds = {kind: dataclasses.replace(practised, peaks=practised.peaks * times) for kind, times in worse.items()}
    return example.Results(loop, response, reactive, (0.0, 0.0, 0.0), reactive, kinds)


def test_claims_hold_or_do_not(example, response, practised, capsys):
    assert example.check_claims(results_of(example, response, practised, 1))
    assert not example.check_claims(results_of(example, response, practised, 9))
    assert "DOES NOT HOLD" in capsys.readouterr().out
