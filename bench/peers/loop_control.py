# SPDX-License-Identifier: Apache-2.0
"""The paper's loop from its parts with python-control, and SciPy where it is faster.

Discretised by zero-order hold, closed with a delay of 50 steps, then poles, margins and the impulse
response. In state space, as the roots of a polynomial of degree 53 are not accurate; only the
response is one run of lfilter, far quicker than control.impulse_response. The margins are those of
control.stability_margins.
"""

import warnings

import control
import numpy as np
import scipy.signal

import pursuit_task as task


def run():
    plant = control.c2d(control.ss([[-1 / task.SLOW, 0], [1 / task.FAST, -1 / task.FAST]],
                                   [[1], [0]], [[0, 1]], 0), task.DT, "zoh")
    controller = control.c2d(control.ss(0, 1, task.KI, task.KP), task.DT, "zoh")
    delay = control.ss(np.eye(task.DELAY, k=-1), np.eye(task.DELAY, 1),
                       np.eye(1, task.DELAY, k=task.DELAY - 1), 0, task.DT)
    path = plant * controller
    open_loop = path * delay
    poles = control.feedback(open_loop, 1).poles()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # it warns that it will not use polynomials
        gain, phase = control.stability_margins(open_loop)[:2]

    num, den = scipy.signal.ss2tf(path.A, path.B, path.C, path.D)
    num = np.concatenate([np.zeros(task.DELAY), num[0]])
    closed = num + np.concatenate([den, np.zeros(task.DELAY)])
    pulse = np.zeros(task.STEPS)
    pulse[0] = 1.0
    response = scipy.signal.lfilter(num, closed, pulse)
    return {"radius": np.max(np.abs(poles)), "gain": gain, "phase": phase, "response": response}
