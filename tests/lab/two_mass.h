// SPDX-License-Identifier: Apache-2.0
// two_mass: the servo of examples/two-mass.yaml.
#ifndef CFPC_TESTS_TWO_MASS_H
#define CFPC_TESTS_TWO_MASS_H

#define TWO_MASS                                                                                   \
    "name: two-mass\n"                                                                             \
    "title: A servo of two masses whose load is not known\n"                                       \
    "step_ms: 5\n"                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: transfer-function, num: [1, 355], den: [1, 4, 712, 710, 0]}\n"                \
    "  controller: {kind: pid, kp: 15, ki_per_s: 10, kd_s: 4, filter_ms: 10}\n"                    \
    "  measurement_delay_ms: 10\n"                                                                 \
    "believed:\n"                                                                                  \
    "  band:\n"                                                                                    \
    "    variants:\n"                                                                              \
    "      - {name: load-70, set: {loop.plant.den: [0.7, 3.1, 605.5, 710, 0]}}\n"                  \
    "      - {name: load-77, set: {loop.plant.den: [0.77, 3.31, 630.35, 710, 0]}}\n"               \
    "      - {name: load-85, set: {loop.plant.den: [0.85, 3.55, 658.75, 710, 0]}}\n"               \
    "      - {name: load-92, set: {loop.plant.den: [0.92, 3.76, 683.6, 710, 0]}}\n"                \
    "      - {name: load-110, set: {loop.plant.den: [1.1, 4.3, 747.5, 710, 0]}}\n"                 \
    "      - {name: load-120, set: {loop.plant.den: [1.2, 4.6, 783, 710, 0]}}\n"                   \
    "      - {name: load-130, set: {loop.plant.den: [1.3, 4.9, 818.5, 710, 0]}}\n"                 \
    "      - {name: load-140, set: {loop.plant.den: [1.4, 5.2, 854, 710, 0]}}\n"                   \
    "      - {name: load-150, set: {loop.plant.den: [1.5, 5.5, 889.5, 710, 0]}}\n"                 \
    "      - {name: load-160, set: {loop.plant.den: [1.6, 5.8, 925, 710, 0]}}\n"                   \
    "task:\n"                                                                                      \
    "  kind: piecewise-linear\n"                                                                   \
    "  trial_s: 6\n"                                                                               \
    "  points: [[0, 0], [0.6, 0], [1.2, 1], [2.4, 1], [3, 0], [6, 0]]\n"                           \
    "basis: {kind: gaussian, count: 45, width_ms: 40, spacing_ms: 80, first_ms: 400}\n"            \
    "learning: {trials: 30}\n"                                                                     \
    "rules: [{name: fm, trace: forward-model}]\n"

#endif
