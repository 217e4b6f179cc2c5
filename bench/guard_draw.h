// SPDX-License-Identifier: Apache-2.0
// guard_draw: random loops with random rules, as spec files for the lab. The ranges are in a
// separate file.
#ifndef CFPC_BENCH_GUARD_DRAW_H
#define CFPC_BENCH_GUARD_DRAW_H

#include "draw.h"
#include "spec/plan.h"

typedef struct guard_ranges {
    lab_place place;
    int seed;        // of everything
    int loops;       // without noise
    int noisy_loops; // with noise
    int trials;      // per phase
    double step_ms;
    draw_range steps; // N
    int rules;        // per loop and mode

    draw_range order;
    draw_range time_constant_ms, gain;        // of a lag
    double resonant_share;                    // of the plants of order 2 and more
    draw_range resonance_hz, damping;         // of their resonance
    draw_range kp, ki_per_s, kd_s, filter_ms; // of the controller
    draw_range delay_ms;                      // in all
    double saturated_share;                   // of the loops: the command saturates
    draw_range saturation;                    // at plus and minus this
    double model_error;                       // maximum relative error of a believed value

    double disturbed_share; // of the loops
    draw_range bases;       // G
    draw_range overlap;     // of neighbours: width over spacing
    double plant_input_share;

    double command_share, rectified_share, late_share; // of the loops, by what teaches
    draw_range late_ms;                                // delay of the teaching signal
    draw_range rate_fraction;                          // of a plain rule, log-uniform
    draw_range rate; // of a normalised or preconditioned rule, log-uniform
    double extra_share;
    draw_range momentum, leak, output_penalty, weight_bound;

    double second_share;   // of the plain loops: a second phase follows
    draw_range scale;      // of the task in it
    double exact_share;    // of the loops whose model is right
    draw_range load;       // time constant of a loaded plant over that of the model
    draw_range jump;       // of the task, log-uniform
    draw_range resolution; // of a sensor that rounds

    draw_range measurement_noise, process_noise; // standard deviation
} guard_ranges;

// Reads the ranges; free them even if this fails.
lab_outcome guard_ranges_load(guard_ranges *ranges, const char *file, lab_why *why);
void guard_ranges_free(guard_ranges *ranges);

// What the world does to the loop; loop number N is of family N modulo GUARD_FAMILIES.
typedef enum guard_family {
    GUARD_PLAIN,     // trials that repeat; half of them with a second phase
    GUARD_STARTUP,   // a start-up, then a disturbance that does not repeat
    GUARD_ENDLESS,   // a task that never repeats
    GUARD_JUMPS,     // the task jumps, or drifts, ten times
    GUARD_LOADED,    // the plant is heavier or lighter than the model
    GUARD_ADAPTS,    // a perturbation comes and goes
    GUARD_QUANTISED, // a sensor that rounds
    GUARD_FAMILIES
} guard_family;

extern const char *const guard_family_names[GUARD_FAMILIES];

enum { GUARD_MODES = 2, GUARD_MAX_RULES = 12, GUARD_CONTROLS = 2, GUARD_MAX_PHASES = 11 };

// A phase: what it sets, and for how long.
typedef struct guard_phase {
    draw_text set;
    int trials;
} guard_phase;

// A loop as parts of spec files.
typedef struct guard_draw {
    guard_family family;
    bool exact;                                   // the model is right, and the loop linear
    bool resets;                                  // the loop is at rest when a trial begins
    draw_text body;                               // everything except learning, rules and phases
    draw_text rule[GUARD_MODES][GUARD_MAX_RULES]; // one line per rule, by lab_mode
    draw_text control[GUARD_CONTROLS];            // rules that learn next to nothing
    guard_phase phase[GUARD_MAX_PHASES];          // the first sets nothing
    int rules, controls, phases;
} guard_draw;

// Draw number `attempt` of loop number `loop`: always the same.
guard_draw *guard_draw_make(const guard_ranges *ranges, int loop, int attempt, bool noisy);

int guard_draw_trials(const guard_draw *draw); // of all phases

// Selects one of the specs of a drawn loop.
typedef struct guard_form {
    lab_mode mode;
    bool guarded;   // otherwise `guard: off`
    bool frozen;    // nothing is learned: the reactive loop
    unsigned rules; // bit i: rule i is in it; the controls follow the rules
} guard_form;

// The spec in that form; free it even if this fails.
lab_outcome guard_draw_spec(lab_plan *plan, lab_spec *spec, const guard_draw *draw,
                            const guard_form *form, lab_why *why);

#endif
