// SPDX-License-Identifier: Apache-2.0
// rich_spec: small specs that ask for everything that a run can leave, five of them, as not all
// goes together.
#ifndef CFPC_TESTS_RICH_SPEC_H
#define CFPC_TESTS_RICH_SPEC_H

#include "lab/small_lab.h"

#define RICH_TASK "task: {kind: step, at_s: 0.1, trial_s: 0.4}\n"
#define RICH_BASIS "basis: {kind: gaussian, count: 3, width_ms: 50, spacing_ms: 100}\n"

// A story over two phases, disturbances and a cue, a scan of delays, responses and gain.
#define RICH_STORY                                                                                 \
    SMALL_HEAD SMALL_LOOP RICH_TASK                                                                \
        "disturbances: [{name: arms, kind: piecewise-linear, points: "                             \
        "[[0, 0], [0.1, 0], [0.2, 1], [0.3, 0]]}]\n"                                               \
        "cues: [{name: go, at_s: 0.1}]\n" RICH_BASIS "guard: off\n"                                \
        "response: {}\n"                                                                           \
        "gain: {input: reference}\n"                                                               \
        "delay_scan: {from_ms: 0, to_ms: 20, step_ms: 20, trial: 1}\n"                             \
        "phases: [{name: one, trials: 2}, {name: two, trials: 1, set: "                            \
        "{loop.controller.kp: 1.5}}]\n"                                                            \
        "rules:\n"                                                                                 \
        "  - {name: fm, trace: forward-model}\n"                                                   \
        "  - {name: slow, trace: delay, delay_ms: 20, set: {loop.delay_ms: 60}}\n"                 \
        "story:\n"                                                                                 \
        "  panels:\n"                                                                              \
        "    - {kind: signals, title: a, phase: one, show: [r, y]}\n"                              \
        "    - {kind: curves, title: b}\n"                                                         \
        "    - {kind: traces, title: c, effect: yes}\n"                                            \
        "    - {kind: responses, title: d}\n"                                                      \
        "    - {kind: gain, title: e}\n"                                                           \
        "    - {kind: bars, title: f, measures: [lambda_max]}\n"                                   \
        "claims: [{name: it-learns, says: it does, measure: rules.fm.rrmse_last, low: 0, high: "   \
        "2}]\n"

// Cases, rates that are tuned, a table of rules.
#define RICH_RIVALS                                                                                \
    SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS                                                     \
        "learning: {trials: 2, neglect: 0.1}\nguard: off\n"                                        \
        "cases: [{name: a}, {name: b, set: {loop.delay_ms: 60}}]\n"                                \
        "tune: {rate_fractions: [0.5, 1], evaluations: 3}\n"                                       \
        "table: [{title: error, measure: rrmse_last}]\n"                                           \
        "rules:\n"                                                                                 \
        "  - {name: fm, trace: forward-model, update: preconditioned}\n"                           \
        "  - {name: wh, trace: none}\n"                                                            \
        "  - {name: white, trace: whitened, tune: [{key: olive.gain, low: 0, high: 0.2}]}\n"       \
        "  - {name: ilc, trace: delay, delay_ms: 20, q_hz: 5, "                                    \
        "set: {basis: {kind: identity}, believed: {delay_ms: 40}}, "                               \
        "tune: [{key: delay_ms, low: 0, high: 50}, {key: believed.delay_ms, low: 0, high: 40}]}\n"

// Granule cells that learn on line, in several numbers.
#define RICH_SCALE                                                                                 \
    SMALL_HEAD SMALL_LOOP RICH_TASK                                                                \
        "basis: {kind: granule, count: 5, first_ms: 20, last_ms: 60}\n"                            \
        "learning: {mode: online, trials: 2}\nguard: off\n" SMALL_RULES                            \
        "scale: {sizes: [5, 8], trials: 2}\n"

// A model that is learned, through two phases, and the error in windows.
#define RICH_LEARNED                                                                               \
    SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS "learning: {mode: online}\nguard: off\n"            \
                                               "windows: {length_s: 0.2}\n"                        \
                                               "phases: [{name: one, trials: 2}, {name: two, "     \
                                               "trials: 1, set: {teach.delay_end_ms: 20}}]\n"      \
                                               "believed: {model: learned, max_dead_time_ms: 50, " \
                                               "memory_s: 0.6, functions: 2}\n" SMALL_RULES        \
                                               "story:\n"                                          \
                                               "  panels:\n"                                       \
                                               "    - {kind: model, title: a}\n"                   \
                                               "    - {kind: windows, title: b}\n"

// A machine that turns.
#define RICH_ANGLE                                                                                 \
    SMALL_HEAD SMALL_LOOP RICH_TASK                                                                \
        "angle: {counts: 100}\n"                                                                   \
        "disturbances: {name: cogging, kind: harmonics, harmonics: [[3, 0.5, 0]]}\n"               \
        "basis: {kind: periodic, count: 4, input: angle}\n"                                        \
        "learning: {mode: online, trials: 2}\nguard: off\n" SMALL_RULES

static const char *const rich_specs[] = {RICH_STORY, RICH_RIVALS, RICH_SCALE, RICH_LEARNED,
                                         RICH_ANGLE};

enum { RICH_SPECS = sizeof rich_specs / sizeof rich_specs[0] };

#endif
