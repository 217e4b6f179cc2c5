// SPDX-License-Identifier: Apache-2.0
// refused: a corpus of broken specs. Each is the small spec with one thing changed, and is refused
// with exactly this line.
#include "lab/small_lab.h"
#include "lab/temporary.h"

// `from`, which stands once in the small spec, becomes `to`; without it `to` comes at the end.
typedef struct broken {
    const char *from, *to, *message; // the message after "spec.yaml:"
} broken;

#define PLANT "{kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 100}]}"
#define CONTROLLER "{kind: pi, kp: 2, ki_per_s: 4}"
#define TASK "{kind: step, at_s: 0.2, trial_s: 1}"
#define BASIS "{kind: gaussian, count: 5, width_ms: 100, spacing_ms: 200}"
#define LEARNING "{trials: 4}"
#define FM "{name: fm, trace: forward-model}"
#define WH "{name: wh, trace: none}"
#define LONG_NAME "a123456789b123456789c123456789d123456789e"

static const broken names[] = {
    {"name: small", "name: a/b", "1:1: name 'a/b' may hold only letters, digits, '+', '-' and '_'"},
    {"name: body", "name: a b",
     "5:34: stage name 'a b' may hold only letters, digits, '+', '-' and '_'"},
    {"[{name: body, ", "[{name: body, kind: lag, time_constant_ms: 5}, {name: body, ",
     "5:80: two stages have the name 'body'"},
    {"name: wh", "name: fm", "13:6: two rules have the name 'fm'"},
    {"name: wh", "name: w.h",
     "13:6: rule name 'w.h' may hold only letters, digits, '+', '-' and '_'"},
    {"name: wh", "name: " LONG_NAME,
     "13:6: rule name '" LONG_NAME "…' is longer than 40 characters"},
    {"name: wh", "name: trial",
     "13:6: a rule cannot be named 'trial': curves.csv has a column of that name"},
    {"name: wh", "name: optimum",
     "13:6: a rule cannot be named 'optimum': curves.csv has a column of that name"},
    {NULL, "disturbances: [{name: a b, kind: step, at_s: 0}]\n",
     "14:17: disturbance name 'a b' may hold only letters, digits, '+', '-' and '_'"},
    {NULL, "cues: [{name: a, at_s: 0}, {name: a, at_s: 0}]\n", "14:29: two cues have the name 'a'"},
    {NULL, "phases: [{name: a, trials: 1}, {name: a, trials: 1}]\n",
     "14:33: two phases have the name 'a'"},
    {NULL, "claims: [{name: a b, says: x, measure: lag_ms, low: 0, high: 1}]\n",
     "14:11: claim name 'a b' may hold only letters, digits, '+', '-' and '_'"},
};

static const broken times[] = {
    {"delay_ms: 20", "delay_ms: 25",
     "4:1: 'delay_ms' of 25 ms is not a whole number of steps of 10 ms"},
    {"delay_ms: 20", "command_delay_ms: 3",
     "4:1: 'command_delay_ms' of 3 ms is not a whole number of steps of 10 ms"},
    {"delay_ms: 20", "measurement_delay_ms: 0.5",
     "4:1: 'measurement_delay_ms' of 0.5 ms is not a whole number of steps of 10 ms"},
    {NULL, "believed: {delay_ms: 7}\n",
     "14:1: 'delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {NULL, "believed: {command_delay_ms: 7}\n",
     "14:1: 'command_delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {NULL, "believed: {measurement_delay_ms: 7}\n",
     "14:1: 'measurement_delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {NULL, "teach: {delay_ms: 7}\n",
     "14:1: 'delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {NULL, "teach: {signal: measured-error, reference_delay_ms: 7}\n",
     "14:1: 'reference_delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {NULL, "teach: {reference_delay_ms: 20}\n",
     "14:1: 'reference_delay_ms' is of the measured error: it needs 'signal: measured-error'"},
    {"delay_ms: 20", "delay_ms: 20\n  measurement_step: -1",
     "8:21: 'measurement_step' must be at least 0; this is -1"},
    {"  delay_ms: 20", "  discretise: whole-loop\n  measurement_step: 0.1",
     "4:1: 'discretise: whole-loop' needs a measurement without steps (measurement_step: 0)"},
    {"trace: none", "trace: delay, delay_ms: 7",
     "13:6: 'delay_ms' of 7 ms is not a whole number of steps of 10 ms"},
    {"trial_s: 1}", "trial_s: 1.005}",
     "8:1: 'trial_s' of 1.005 s is not a whole number of steps of 10 ms"},
    {"trial_s: 1}", "trial_s: 1e-9}", "8:1: 'trial_s' must be at least one step"},
    {"trial_s: 1}", "trial_s: 200000}",
     "8:1: a trial of 2e+07 steps is too long; the maximum is 10000000"},
    {BASIS, "{kind: tapped-delay, count: 3, spacing_ms: 15, input: reference}",
     "9:1: 'spacing_ms' of 15 ms is not a whole number of steps of 10 ms"},
    {BASIS, "{kind: tapped-delay, count: 3, spacing_ms: 5, input: reference}",
     "9:1: 'spacing_ms' of 5 is less than a step of 10 ms"},
    {BASIS, "{kind: derivatives, count: 2, input: reference, preview_ms: 15}",
     "9:1: 'preview_ms' of 15 ms is not a whole number of steps of 10 ms"},
    {BASIS, "{kind: derivatives, count: 2, input: command, preview_ms: 10}",
     "9:1: 'preview_ms' needs 'input: reference': only the reference is known ahead of time"},
    {BASIS, "{kind: derivatives, count: 9, input: reference}",
     "9:1: 'count' of 9 is too large for derivatives; the maximum is 8"},
    {NULL, "cues: [{name: late, at_s: 1}]\n",
     "14:9: cue 'late' at 1 s is after the end of the trial at 1 s"},
};

static const broken loops[] = {
    {PLANT, "{kind: chain, stages: []}",
     "5:3: 'stages' is empty; a chain needs at least one stage"},
    {PLANT, "{kind: state-space, a: [[1, 2]], b: [1], c: [1]}",
     "5:3: 'a' is 1 x 2, 'b' has 1 and 'c' 1 numbers; 'a' must be square, and 'b' and 'c' need one "
     "number per state"},
    {PLANT, "{kind: state-space, a: [[1, 2], [3, 4]], b: [1], c: [1, 2]}",
     "5:3: 'a' is 2 x 2, 'b' has 1 and 'c' 2 numbers; 'a' must be square, and 'b' and 'c' need one "
     "number per state"},
    {PLANT, "{kind: transfer-function, num: [1, 2, 3], den: [1, 1]}",
     "5:3: the plant: the transfer function has more zeros than poles"},
    {PLANT, "{kind: transfer-function, num: [1], den: [0, 0]}",
     "5:3: the plant: a number is not finite or out of range"},
    {PLANT "\n  controller: " CONTROLLER "\n  delay_ms: 20",
     "{kind: p, kp: 1}\n  controller: {kind: p, kp: 1}",
     "4:1: the loop: the loop feeds itself at once; it needs a delay or a lag"},
    {PLANT, "{kind: response, file: none.csv}", "5:3: none.csv: No such file or directory"},
    {CONTROLLER, "{kind: pi, kp: 200, ki_per_s: 4}",
     "4:1: the loop is unstable: its largest pole has magnitude 2.8162; lower the gains or shorten "
     "the delays"},
    {CONTROLLER, "{kind: lead-lag, zero_ms: 1, pole_ms: 0}",
     "6:53: 'pole_ms' must be above 0; this is 0"},
    {NULL, "enters: feedforward-input\n",
     "4:1: 'enters: feedforward-input' needs a feed-forward path (loop.feedforward), e.g. {kind: "
     "p, "
     "kp: 1}"},
    {"delay_ms: 20", "feedforward: {kind: transfer-function, num: [1], den: [1, 0]}",
     "7:3: the feed-forward path is not stable: no feedback corrects it; let it leak"},
    {"delay_ms: 20", "feedforward: {kind: chain, stages: []}",
     "7:3: 'stages' is empty; a chain needs at least one stage"},
    {"delay_ms: 20", "saturation: {low: 1, high: 1}", "7:3: 'low' of 1 is not below 'high' of 1"},
    {"delay_ms: 20", "output: {low: 1, high: 1}", "7:3: 'low' of 1 is not below 'high' of 1"},
    {"delay_ms: 20", "discretise: whole-loop\n  output: {low: 0}",
     "4:1: 'discretise: whole-loop' needs an output without limits"},
    {"delay_ms: 20", "discretise: whole-loop\n  delay_ms: 10",
     "4:1: 'discretise: whole-loop' needs a loop without delays"},
};

static const broken signals[] = {
    {TASK, "{kind: piecewise-linear, trial_s: 1, points: [[0, 0, 0]]}",
     "8:1: 'points' must be rows of 2 numbers, as [0.5, 1]"},
    {TASK, "{kind: piecewise-linear, trial_s: 1, points: [[0.5, 0], [0.2, 1]]}",
     "8:1: 'points' must go forward in time; 0.2 s comes after 0.5 s"},
    {TASK, "{kind: minimum-jerk, trial_s: 1, moves: [[0, 1]]}",
     "8:1: 'moves' must be rows of 3 numbers, as [0.5, 0.3, 1]"},
    {TASK, "{kind: minimum-jerk, trial_s: 1, moves: [[0, 0, 1]]}",
     "8:1: a movement's duration must be above 0 s"},
    {TASK, "{kind: minimum-jerk, trial_s: 1, moves: [[0, 0.5, 1], [0.4, 0.1, 0]]}",
     "8:1: the movement at 0.4 s begins before the one at 0 s has ended"},
    {TASK, "{kind: sinusoids, trial_s: 1, components: [[1, 2]]}",
     "8:1: 'components' must be rows of 3 numbers, as [0.5, 1, 0]"},
    {TASK, "{kind: noise, trial_s: 1, low_hz: 5, high_hz: 5}",
     "8:1: 'high_hz' of 5 is not above 'low_hz' of 5"},
    {TASK, "{kind: noise, trial_s: 1, high_hz: 51}",
     "8:1: 'high_hz' of 51 is above the Nyquist frequency of steps of 10 ms (50)"},
    {TASK, "{kind: harmonics, trial_s: 1, harmonics: [[12, 1, 0]]}",
     "8:1: a reference is a function of time, not of the angle: use 'kind: sinusoids'"},
    {NULL, "disturbances: {kind: harmonics, harmonics: [[12, 1, 0]]}\n",
     "14:1: a disturbance that depends on the angle needs 'angle', which says how the plant's "
     "output turns the machine: e.g. angle: {turns: 1}"},
    {NULL, "angle: {}\ndisturbances: {kind: harmonics, harmonics: [[12, 1]]}\n",
     "15:1: 'harmonics' must be rows of 3 numbers, as [12, 0.02, 90]"},
    {NULL,
     "angle: {}\ndisturbances: {name: cog, kind: harmonics, harmonics: [[12, 1, 0]]}\n"
     "teach: {signal: disturbance}\nolive: {gain: 1}\n",
     "16:1: disturbance 'cog' depends on the angle, not on time: it cannot teach; periodic basis "
     "signals learn it from the error"},
    {NULL,
     "angle: {}\ndisturbances: {name: cog, kind: harmonics, harmonics: [[12, 1, 0]]}\n"
     "prediction: {lead_ms: 10, basis: {kind: identity}}\n",
     "16:1: disturbance 'cog' depends on the angle, not on time: it cannot be predicted; periodic "
     "basis signals learn it from the error"},
    {NULL,
     "angle: {}\ndisturbances: {name: cog, kind: harmonics, harmonics: [[12, 1, 0]]}\n"
     "gain: {input: disturbance}\n",
     "16:1: disturbance 'cog' depends on the angle, not on time: it cannot have a gain; periodic "
     "basis signals learn it from the error"},
    {TASK, "{kind: csv, trial_s: 1, file: none.csv}", "8:1: none.csv: No such file or directory"},
    {NULL, "disturbances: {kind: noise, high_hz: 60}\n",
     "14:1: 'high_hz' of 60 is above the Nyquist frequency of steps of 10 ms (50)"},
    {NULL, "disturbances: {kind: csv, file: none.csv}\n",
     "14:1: none.csv: No such file or directory"},
    {TASK, "{kind: step, at_s: 0.2, trial_s: 1, reset: no}",
     "8:1: without a reset between trials learning must be on line (learning: {mode: online})"},
    {TASK, "{kind: step, at_s: 5, trial_s: 1}",
     "8:1: the loop makes no error on the task, so there is nothing to learn"},
};

#define COGGING                                                                                    \
    "angle: {turns: 1}\n"                                                                          \
    "disturbances: {name: cog, kind: harmonics, harmonics: [[12, 1, 0]]}"

static const broken bases[] = {
    {BASIS, "[]", "1:1: 'basis' is empty; it needs at least one bank"},
    {BASIS, "{kind: alpha, count: 3, first_ms: 0, last_ms: 100}",
     "9:1: 'first_ms' is a time constant here and must be above 0"},
    {BASIS, "{kind: exponential, count: 3, first_ms: 200, last_ms: 100}",
     "9:1: 'first_ms' of 200 is above 'last_ms' of 100"},
    {BASIS, "{kind: gaussian, count: 3, width_ms: 9, spacing_ms: 9, cue: go}",
     "9:1: there is no cue 'go' among 'cues'"},
    {BASIS, "{kind: laguerre, count: 3, time_constant_ms: 50, input: cue}",
     "9:1: there is no cue '' among 'cues' to drive it"},
    {BASIS, "{kind: laguerre, count: 3, time_constant_ms: 50, input: cue, source: go}",
     "9:1: there is no cue 'go' among 'cues' to drive it"},
    {BASIS, "{kind: leaky-cascade, count: 3, time_constant_ms: 50, input: disturbance}",
     "9:1: there is no disturbance '' among 'disturbances' to drive it"},
    {BASIS, "{kind: leaky-cascade, count: 3, time_constant_ms: 50, input: disturbance, source: x}",
     "9:1: there is no disturbance 'x' among 'disturbances' to drive it"},
    {BASIS, "{kind: periodic, count: 8, input: reference}",
     "9:1: periodic basis signals are functions of the angle: use 'input: angle'"},
    {BASIS, "{kind: periodic, count: 8, input: angle}",
     "9:1: periodic basis signals need 'angle', which says how the plant's output turns the "
     "machine: e.g. angle: {turns: 1}"},
    {BASIS, "{kind: periodic, count: 5000, input: angle}",
     "9:1: 'count' of 5000 is too large for periodic; the maximum is 4096"},
    {BASIS, "{kind: periodic, count: 8, width_turns: 0.06, input: angle}",
     "9:1: 'width_turns' of 0.06 leaves angles at which no basis signal is above 0: 8 bumps are "
     "0.125 turns apart; use at least half of that"},
    {BASIS, "{kind: periodic, count: 8, width_turns: 0.6, input: angle}",
     "9:48: 'width_turns' must be at most 0.5; this is 0.6"},
    {BASIS, "{kind: laguerre, count: 3, time_constant_ms: 50, input: angle}",
     "9:1: an angle jumps at every turn, which a network would hear: 'input: angle' needs 'kind: "
     "periodic'"},
    {BASIS, "{kind: laguerre, count: 3, time_constant_ms: 50, input: disturbance}\n" COGGING,
     "9:1: disturbance 'cog' depends on the angle, not on time: it cannot drive a bank; periodic "
     "basis signals learn it from the error"},
    {BASIS, "{kind: csv, file: none.csv}", "9:1: none.csv: No such file or directory"},
    {BASIS,
     "[{kind: identity}, {kind: gaussian, count: 100000, width_ms: 9, spacing_ms: 9}, {kind: "
     "gaussian, count: 100000, width_ms: 9, spacing_ms: 9}, {kind: gaussian, count: 100000, "
     "width_ms: 9, spacing_ms: 9}, {kind: gaussian, count: 100000, width_ms: 9, spacing_ms: "
     "9}, {kind: gaussian, count: 100000, width_ms: 9, spacing_ms: 9}]",
     "9:10: 100 steps times 500100 bases are more than the maximum of 50000000 values"},
    {BASIS, "{kind: gaussian, count: 2, width_ms: 5, spacing_ms: 9, first_ms: -900}",
     "9:1: no basis signal reaches the output within a trial"},
    {BASIS, "{kind: gaussian, count: 0, width_ms: 5, spacing_ms: 9}",
     "9:32: 'count' must be at least 1; this is 0"},
    {BASIS, "{kind: gaussian, count: 2, width_ms: 5}",
     "9:1: missing key 'spacing_ms' in the basis: distance between the centres, or between the "
     "taps"},
    {BASIS, "{kind: gaussian, count: 2, width_ms: 5, spacing_ms: 9, input: cue}",
     "9:63: unknown key 'input' in the basis of kind gaussian; it may be kind, count, width_ms, "
     "spacing_ms, first_ms, cue"},
};

static const broken rules[] = {
    {LEARNING "\nrules:\n  - " FM "\n",
     "{mode: online}\nrules:\n  - {name: fm, trace: none, update: preconditioned}\n",
     "12:6: rule 'fm' has a preconditioned update, which works in batch only: use "
     "'update: plain', or --rule with another rule, which leaves it out"},
    {"rules:\n  - " FM "\n  - " WH "\n", "rules: []\n",
     "1:1: 'rules' has 0 entries; it needs 1 to 64"},
    {WH, "{name: wh, trace: none, weight_low: 1, weight_high: 1}",
     "13:6: 'weight_low' of 1 is not below 'weight_high' of 1"},
    {WH, "{name: wh, trace: none, leak: 1.5}", "13:35: 'leak' must be at most 1; this is 1.5"},
    {WH, "{name: wh, trace: none, momentum: 1}",
     "13:39: 'momentum' must be at most 0.999999; this is 1"},
    {WH, "{name: wh, trace: none, rate: 0}", "13:35: 'rate' must be above 0; this is 0"},
    {WH, "{name: wh, trace: none, rho: -1}", "13:34: 'rho' must be at least 0; this is -1"},
    {WH, "{name: wh, trace: none, normaliser: 0}",
     "13:41: 'normaliser' must be above 0; this is 0"},
    {WH, "{name: wh, trace: exponential}",
     "13:6: missing key 'time_constant_ms' in a rule: time constant of the trace"},
    {WH, "{name: wh, trace: none, delay_ms: 5}",
     "13:29: unknown key 'delay_ms' in a rule of kind none; it may be name, trace, update, "
     "normaliser, rho, rate, rate_fraction, leak, momentum, output_penalty, weight_low, "
     "weight_high, q_hz, in_case, tune, set"},
    {WH, "{name: wh, trace: response, file: none.csv}",
     "13:6: none.csv: No such file or directory"},
};

static const broken rest[] = {
    {NULL, "phases: [{name: a, trials: 1000000}, {name: b, trials: 1}]\n",
     "1:1: the phases have 1000001 trials together; the maximum is 1000000"},
    {NULL, "phases: [{name: a, trials: 1, set: [1]}]\n",
     "14:31: 'set' must be a map of keys and values; this is a list"},
    {NULL, "delay_scan: {from_ms: 100, to_ms: 50}\n",
     "14:1: 'to_ms' of 50 is below 'from_ms' of 100"},
    {NULL, "delay_scan: {to_ms: 1000000, step_ms: 10}\n",
     "14:1: more than 10000 delays; use a larger 'step_ms'"},
    {NULL, "population: {kinds: [smoth]}\n",
     "14:22: 'kinds' cannot be 'smoth'; did you mean 'smooth'?"},
    {NULL, "population: {narrow_ms: 120}\n",
     "14:1: 'narrow_ms' of 120 is not below 'wide_ms' of 120"},
    {NULL, "population: {narrow_ms: 5}\n",
     "14:1: 'population' needs a step of at most 40 ms, and 'narrow_ms' of at least a step; "
     "'step_ms' is 10"},
    {NULL, "phases: [{name: a, trials: 1, set: {population.count: 2}}]\n",
     "14:11: 'set' of phase 'a' cannot change 'population.count'"},
    {NULL, "delay_scan: {step_ms: 15}\n",
     "14:1: the delays are not whole numbers of steps of 10 ms"},
    {NULL, "claims: [{name: a, says: x, measure: lag_ms, low: 2, high: 1}]\n",
     "14:11: 'low' of 2 is above 'high' of 1"},
    {"step_ms: 10", "step_ms: 0", "3:10: 'step_ms' must be above 0; this is 0"},
    {"step_ms: 10", "step_ms: nan", "3:10: 'step_ms' must be finite; this is 'nan'"},
    {"step_ms: 10", "step_ms: 10 ms", "3:10: 'step_ms' must be a number; this is '10 ms'"},
    {"trials: 4", "trials: 2.5", "10:20: 'trials' must be a whole number; this is '2.5'"},
    {"trials: 4", "frozen: maybe", "10:20: 'frozen' must be yes or no; this is 'maybe'"},
    {"trials: 4", "frozen: [yes]", "10:12: 'frozen' must be yes or no; this is a list"},
    {"title: a small loop", "title: ''", "2:9: 'title' is empty"},
    {"title: a small loop", "title: [x]", "2:1: 'title' must be text; this is a list"},
    {"loop:\n", "loop: 5\nlop:\n", "5:1: unknown key 'lop' in the spec; did you mean 'loop'?"},
    {SMALL_TASK, "task: 5\n", "8:7: 'the task' must be a map of keys; this is a single value"},
    {SMALL_RULES, "rules: none\n", "11:8: 'rules' must be a list; this is a single value"},
    {WH, "5", "13:5: 'a rule' must be a map of keys; this is a single value"},
    {NULL, "enters: plant\n", "14:9: 'enters' cannot be 'plant'; did you mean 'plant-input'?"},
    {NULL, "teach: {signal: x}\n",
     "14:17: 'signal' cannot be 'x'; it may be error, measured-error, command, disturbance"},
    {TASK, "{kind: piecewise-linear, trial_s: 1, points: []}", "8:44: 'points' is empty"},
    {TASK, "{kind: piecewise-linear, trial_s: 1, points: [[0, 0], [1]]}",
     "8:62: 'points': this row has 1 numbers, the first has 2"},
    {TASK, "{kind: piecewise-linear, trial_s: 1, points: [0, 0]}",
     "8:53: 'points' must be a list of lists of numbers; this is a single value"},
    {PLANT, "{kind: transfer-function, num: [], den: [1]}", "5:36: 'num' is empty"},
    {PLANT, "{kind: transfer-function, num: 1, den: [1]}",
     "5:41: 'num' must be a list of numbers; this is a single value"},
    {SMALL_TASK, "", "1:1: missing key 'task' in the spec: the reference r, and the trial"},
};

static const broken forms[] = {
    {LEARNING, "{form: adjont}", "10:18: 'form' cannot be 'adjont'; did you mean 'adjoint'?"},
    {LEARNING, "{form: pulses}", "10:18: 'form' cannot be 'pulses'; it may be traces, adjoint"},
    {LEARNING, "{form: adjoint, neglect: 0}", "10:36: 'neglect' must be above 0; this is 0"},
    {LEARNING, "{form: adjoint, neglect: 1}", "10:36: 'neglect' must be at most 0.5; this is 1"},
    {"trace: none", "trace: whitend",
     "13:23: 'trace' cannot be 'whitend'; did you mean 'whitened'?"},
    {"trace: none", "trace: whitened, whitening_rho: -1",
     "13:48: 'whitening_rho' must be at least 0; this is -1"},
    {"trace: none", "trace: whitened, delay_ms: 10",
     "13:33: unknown key 'delay_ms' in a rule of kind whitened; it may be name, trace, "
     "whitening_rho, update, normaliser, rho, rate, rate_fraction, leak, momentum, output_penalty, "
     "weight_low, weight_high, q_hz, in_case, tune, set"},
    {"trace: none", "trace: phase-matchd",
     "13:23: 'trace' cannot be 'phase-matchd'; did you mean 'phase-matched'?"},
    {"trace: none", "trace: phase-matched, output_penalty: 0.1",
     "13:6: rule 'wh' learns in adjoint form, which has no 'output_penalty': remove it, or use "
     "another trace"},
    {"trace: none", "trace: phase-matched, update: preconditioned",
     "13:6: rule 'wh' is phase-matched and preconditioned, which undoes the loop more than once: "
     "use 'update: plain', or 'trace: forward-model'"},
    {FM, "{name: fm, trace: phase-matched, whitening_rho: 0, set: {enters: plant-input}}",
     "12:6: rule 'fm' cannot undo what the loop does to some frequency, which hardly passes it: "
     "use a 'whitening_rho' above 0, e.g. 0.001"},
    {LEARNING, "{form: adjoint}", // the small loop settles in 3 s
     "12:6: the teaching filter of rule 'fm' is longer than a trial (100 steps, 1000 ms): lengthen "
     "the trial, or cut off more (learning.neglect above 0.0001)"},
    {FM, "{name: fm, trace: whitened, whitening_rho: 1e6}",
     "12:6: the teaching filter of rule 'fm' is longer than a trial (100 steps, 1000 ms): lengthen "
     "the trial, or cut off more (learning.neglect above 0.0001, or another whitening_rho)"},
    {FM, "{name: fm, trace: whitened, set: {learning.neglect: 1e-12}}",
     "12:6: the teaching filter of rule 'fm' is longer than a trial (100 steps, 1000 ms): lengthen "
     "the trial, or cut off more (learning.neglect above 1e-12, or another whitening_rho)"},
    {FM, "{name: fm, trace: whitened, whitening_rho: 0, set: {enters: plant-input}}",
     "12:6: rule 'fm' cannot undo what the loop does to some frequency, which hardly passes it: "
     "use "
     "a 'whitening_rho' above 0, e.g. 0.001"}, // the integral leaves nothing of a constant
    {"trace: none",
     "trace: exponential, time_constant_ms: 1e6, set: {learning.mode: online, "
     "learning.form: adjoint, task.reset: no}",
     "13:6: the teaching filter of rule 'wh' is longer than 100000 steps: cut off more "
     "(learning.neglect above 0.0001)"},
    {"trace: none", "trace: none, update: normalised, set: {learning.form: adjoint}",
     "13:6: rule 'wh' learns in adjoint form, without traces to normalise by: use 'update: plain', "
     "or 'learning: {form: traces}'"},
    {"trace: none", "trace: none, output_penalty: 0.1, set: {learning.form: adjoint}",
     "13:6: rule 'wh' learns in adjoint form, which has no 'output_penalty': remove it, or use "
     "'learning: {form: traces}'"},
    {"trace: none", "trace: whitened, update: normalised",
     "13:6: rule 'wh' learns in adjoint form, without traces to normalise by: use 'update: plain', "
     "or another trace"},
    {"trace: none", "trace: whitened, output_penalty: 0.1",
     "13:6: rule 'wh' learns in adjoint form, which has no 'output_penalty': remove it, or use "
     "another trace"},
    {"trace: none", "trace: whitened, update: preconditioned",
     "13:6: rule 'wh' is whitened and preconditioned, which undoes the loop more than once: use "
     "'update: plain', or 'trace: forward-model'"},
};

// ---- the corpus ------------------------------------------------------------------------------

static void apply(draft *to, const broken *it)
{
    const char *const at = it->from ? strstr(SMALL_SPEC, it->from) : NULL;
    if (it->from && (!at || strstr(at + 1, it->from)))
        fail_msg("'%s' does not stand once in the small spec", it->from);
    if (!at)
        add(to, "%s%s", SMALL_SPEC, it->to);
    else
        add(to, "%.*s%s%s", (int)(at - SMALL_SPEC), SMALL_SPEC, it->to, at + strlen(it->from));
}

static int expect_all(const broken *list, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        draft yaml = {0}, message = {0};
        apply(&yaml, &list[i]);
        add(&message, "spec.yaml:%s", list[i].message);
        const lab_why why = refusal_of("spec.yaml", yaml.at, SET_NOTHING);
        if (strcmp(why.text, message.at) != 0) {
            print_error("%s\n  says %s\n  not  %s\n", list[i].to, why.text, message.at);
            wrong++;
        }
    }
    return wrong;
}

#define EXPECT_ALL(list) assert_int_equal(expect_all(list, sizeof list / sizeof list[0]), 0)

static void bad_names_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(names);
}

static void times_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(times);
}

static void loops_that_cannot_be_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(loops);
}

static void signals_that_cannot_be_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(signals);
}

static void bases_that_cannot_be_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(bases);
}

static void rules_that_cannot_be_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(rules);
}

static void forms_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    EXPECT_ALL(forms);
}

static void more_rules_than_there_may_be_are_refused(void **state)
{
    (void)state;
    draft yaml = {0};
    add(&yaml, SMALL_SPEC);
    for (int i = 0; i < 63; i++)
        add(&yaml, "  - {name: rule-%d, trace: none}\n", i);
    expect_refusal(yaml.at, SET_NOTHING, "spec.yaml:1:1: 'rules' has 65 entries; it needs 1 to 64");
}

static void all_else_that_cannot_be_is_refused(void **state)
{
    (void)state;
    EXPECT_ALL(rest);
}

// ---- with files ------------------------------------------------------------------------------

// What is said of a setting, with the file of numbers beside the spec holding this.
static void expect_with_file(const temporary *here, const char *content, const char *set,
                             const char *says)
{
    const temporary_path spec = temporary_below(here, "spec.yaml");
    const temporary_path file = temporary_below(here, "f.csv");
    draft message = {0};
    write_file(file.text, content);
    add(&message, "setting '%.*s': %s%s", (int)strcspn(set, "="), set,
        says[0] == ':' ? file.text : "", says);
    const temporary_path whole = set_below(here, set, "f.csv");
    const lab_why why = refusal_of(spec.text, SMALL_SPEC, SET(whole.text));
    assert_string_equal(why.text, message.at);
}

static void files_that_do_not_hold_what_is_asked_for_are_refused(void **state)
{
    (void)state;
    static const char plant[] = "loop.plant={kind: response, file: f.csv, column: h}";
    static const char trace[] = "rules.1={name: wh, trace: response, file: f.csv}";
    static const char task[] = "task={kind: csv, file: f.csv, column: positon, trial_s: 1}";
    temporary here;
    temporary_make(&here);
    expect_with_file(&here, "h,k\n0,1\n0,1\n", plant,
                     "the plant: its response has a number that is not finite, or zeros only");
    expect_with_file(&here, "alpha,beta\n1,2\n", plant,
                     ": has no column 'h'; it may be alpha, beta");
    expect_with_file(&here, "h\n1\nx\n", plant, ":3: field 1 must be a finite number; this is 'x'");
    expect_with_file(&here, "0\n0\n", trace,
                     "the trace: its response has a number that is not finite, or zeros only");
    expect_with_file(&here, "", trace, ": holds no numbers");
    expect_with_file(
        &here, "time_s,position\n0,1\n", task,
        ": has no column 'positon'; did you mean 'position'? Its columns are time_s, position");
    expect_with_file(&here, "1,2\n3\n", "basis={kind: csv, file: f.csv}",
                     ":2: this line has 1 field, the first has 2");
    expect_with_file(&here, "1\n2\n4\n8\n16\n32\n64\n128\n256\n",
                     "loop.plant={kind: response, file: f.csv}",
                     "the plant: no stable system of up to 12 states has this response; give one "
                     "that has died away at its end, raise 'tolerance' above its noise, or change "
                     "'max_states'");
    temporary_remove(&here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(times_that_do_not_fit_are_refused),
        cmocka_unit_test(loops_that_cannot_be_are_refused),
        cmocka_unit_test(signals_that_cannot_be_are_refused),
        cmocka_unit_test(bases_that_cannot_be_are_refused),
        cmocka_unit_test(rules_that_cannot_be_are_refused),
        cmocka_unit_test(forms_that_do_not_fit_are_refused),
        cmocka_unit_test(more_rules_than_there_may_be_are_refused),
        cmocka_unit_test(all_else_that_cannot_be_is_refused),
        cmocka_unit_test(files_that_do_not_hold_what_is_asked_for_are_refused),
    };
    return cmocka_run_group_tests_name("lab.refused", tests, NULL, NULL);
}
